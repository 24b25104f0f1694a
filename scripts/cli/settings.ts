import * as v from 'valibot';
import { reportFormats } from '../../contract-tests/src/report/formats.ts';
import { ownerSettings, type Requisite, type StatementName } from '../../contract-tests/src/requires.ts';
import * as values from './values.ts';
import { factsOf, type Schema, strict, toggle } from './values.ts';

// Every setting of the configuration is defined here once; command-flags.ts has what is only a flag. Flags and help texts are made from
// both, and `npm run settings` writes the type of the configuration and docs/reference/configuration.md.

/** A setting with its description in help texts, editors and pages. */
export type Setting<Given = unknown, Value = unknown> = {
  readonly schema: Schema<Given, Value>;
  readonly description: string;
  /**
   * Default value in the format of a configuration file. If a switch is on by default, its flag begins with `--no-`.
   */
  readonly default?: Given;
  /** Description of a default that depends on other settings. */
  readonly defaultNote?: string;
  /** Environment variable. */
  readonly variable?: string;
  /** Name as an option of a function and, in kebab case, as a flag. Default: the last part of the setting's name. */
  readonly option?: string;
  /** Argument of the flag, if the one of the schema is too general. */
  readonly argument?: string;
  /** Options that cannot be combined with this one. */
  readonly conflicts?: readonly string[];
  /** True if help only shows the flag with `--all`. */
  readonly rare?: true;
};
export type Settings = Readonly<Record<string, Setting>>;

export function setting<
  Given,
  Value,
  const More extends Omit<Setting<Given, Value>, 'schema' | 'description'> = object,
>(schema: Schema<Given, Value>, description: string, more?: More) {
  return { schema, description, ...more } as {
    readonly schema: Schema<Given, Value>;
    readonly description: string;
  } & More;
}

/** Returns the name of a setting as an option of a function. */
export function optionName(name: string, { option }: Setting): string {
  return option ?? name.slice(name.lastIndexOf('.') + 1);
}

/** Returns the flag of an option. */
export function flagName(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Returns a flag with its argument, such as `--out <dir>`. */
export function flagText(name: string, row: Setting): string {
  const flag = flagName(optionName(name, row));
  if (row.default === true) return flag.replace('--', '--no-');
  const argument = row.argument ?? factsOf(row.schema).argument;
  return argument === undefined ? flag : `${flag} ${argument}`;
}

/** Returns a description with its default. */
export function describe({ description, default: fallback, defaultNote }: Setting): string {
  const shown = defaultNote ?? (['string', 'number'].includes(typeof fallback) ? fallback : undefined);
  return shown === undefined ? description : `${description} (default: ${shown})`;
}

/** Adds a description to a member of an object, for the type and the reference page. */
function member<Given, Value>(schema: Schema<Given, Value>, description: string): Schema<Given, Value> {
  return v.pipe(schema, v.description(description));
}

/** Returns optional members that the gate defines: statements of an owner about a service. */
function ownerMembers(schema: Schema, rows: readonly Pick<Requisite, 'name' | 'sentence'>[]) {
  const entries = rows.map(({ name, sentence }) => {
    const description = `${sentence.charAt(0).toLowerCase()}${sentence.slice(1).replace(/\.$/, '')}`;
    return [name, v.optional(member(schema, description))] as const;
  });
  return Object.fromEntries(entries);
}

function deadline<const Name extends string>(name: Name, defaultNote: string, description: string) {
  return setting(values.duration, description, { defaultNote, option: `${name}Deadline`, rare: true } as const);
}

const acceptedDiagnostic = strict({
  model: member(values.text, 'a glob over model ids; ** also accepts diagnostics without a model'),
  code: member(values.text, 'the code of the diagnostic, as the report prints it'),
  until: v.optional(member(values.date, 'the last day, such as 2027-01-31 (default: no end)')),
});

const model = strict({
  id: member(values.modelId, 'the id of a model that may run'),
  ...ownerMembers(values.writtenInput, ownerSettings.inputs),
  alternate: v.optional(
    strict({
      provider: member(values.text, 'the value of `model_provider`'),
      input: member(values.input, 'an input that the model and this provider accept'),
      drops: member(values.globs, 'the fields of that input that the conversion drops'),
    }),
  ),
  fallback: v.optional(
    strict({
      value: member(values.text, 'the value of `fallback_provider`'),
      input: member(values.input, 'an input that fails at the first provider and succeeds at another one'),
    }),
  ),
  barred: v.optional(member(toggle, 'the credential `barred` has no access to this model')),
  linkHours: v.optional(member(values.positive, 'how many hours the signed links of the service are valid')),
  deterministic: v.optional(member(toggle, 'equal inputs give equal outputs')),
  maxCostCents: v.optional(member(values.cents, 'maximum cost of a run in cents; --plan prints the total')),
});

// Settings by their path in `switchyard.config.ts`. Each group is also flags of the commands that name it in command-flags.ts.

export const sourceSettings = {
  'generate.cache': setting(values.folder, 'folder of the private document cache', {
    default: '.switchyard/cache',
    rare: true,
  }),
  'generate.deadline': setting(values.duration, 'time limit; models that are not read by then count as failed', {
    defaultNote: '10m, and 50ms for each model',
    rare: true,
  }),
  'generate.allowEmpty': setting(toggle, 'accept an empty catalog', { default: false, rare: true }),
  'generate.allowFailed': setting(
    values.wholeNumber(0, 200_000),
    'how many documents may be unreadable; with more, the exit code is 3',
    { default: 0, rare: true },
  ),
};
export const outputSettings = {
  'generate.only': setting(
    values.globs,
    'only models whose id matches; files of other models are removed from the output',
    { default: [] },
  ),
  'generate.scope': setting(values.text, 'the npm scope of the packages', {
    defaultNote: 'that of the output, else of the nearest package.json',
    argument: '<@name>',
  }),
  'generate.layout': setting(values.choice('packages', 'folder'), 'packages, or a folder of plain files', {
    defaultNote: 'packages when there is a scope',
  }),
  'generate.routerOnly': setting(toggle, 'leave out the client of the Workflow Execution API', {
    default: false,
    rare: true,
  }),
  'generate.outputValidators': setting(toggle, 'also make validators of outputs', { default: false, rare: true }),
  'generate.typesOnly': setting(toggle, 'leave out validators and schemas as data', { default: false, rare: true }),
};
export const writeSettings = {
  'generate.out': setting(values.folder, 'folder of the packages', { default: 'generated' }),
  'generate.version': setting(
    values.version,
    'version of the packages; auto raises it according to the changes since the last release',
    { defaultNote: 'kept', option: 'packageVersion' },
  ),
  'generate.strict': setting(toggle, 'exit with 1 if a model could not be generated', { default: false }),
};
export const checkSettings = {
  'conform.rules': setting(values.globs, 'only rules whose ids match, and the rules that they depend on', {
    option: 'rule',
  }),
  'conform.deadlines.request': deadline('request', '10s', 'maximum wait for a response'),
  'conform.deadlines.held': deadline('held', '10m', 'maximum wait for the response to a run of a live target'),
  'conform.deadlines.rule': deadline('rule', '60s', 'maximum time of a rule'),
  'conform.deadlines.run': deadline('run', '10m', 'maximum time of the whole check'),
  'conform.hooks.url': setting(values.address, 'address of the test hooks of a staging build', {
    option: 'hooks',
    rare: true,
  }),
  'conform.hooks.credential': setting(values.secret, 'source of the bearer token for the test hooks', {
    option: 'hooksCredential',
    rare: true,
  }),
  'conform.live.budget': setting(
    values.wholeNumber(0, 10_000),
    'maximum number of runs of a live target; conform.live.models must name their models',
    { default: 0 },
  ),
  'conform.live.maxRps': setting(values.positive, 'maximum number of requests per second', {
    defaultNote: 'no limit',
    rare: true,
  }),
};
export const reportSettings = {
  'conform.out': setting(values.folder, 'folder of the reports', { default: '.switchyard/conform' }),
  'conform.report': setting(values.someOf(reportFormats), `further reports: ${reportFormats.join(', ')}`, {
    default: [],
    argument: '<formats>',
  }),
  'conform.waivers': setting(values.path, 'file of accepted findings', {
    defaultNote: 'conform-waivers.yaml when present',
    rare: true,
  }),
};
/** All settings of `switchyard.config.ts`, by their path. */
export const fileSettings = {
  brand: setting(values.text, 'vendor name in header names and extension keys', {
    defaultNote: 'detected from the source, else Service',
    argument: '<word>',
    rare: true,
  }),
  queueStatuses: setting(values.statusPair, 'the two queue statuses other than COMPLETED', {
    defaultNote: 'IN_QUEUE,IN_PROGRESS',
    rare: true,
  }),
  overlays: setting(values.paths, 'OpenAPI Overlay 1.0 documents, applied in order', {
    default: [],
    option: 'overlay',
    rare: true,
  }),
  routerUrl: setting(values.address, 'base address of the Model Router', { variable: 'SWITCHYARD_ROUTER_URL' }),
  workflowUrl: setting(values.address, 'base address of the Workflow Execution API', {
    variable: 'SWITCHYARD_WORKFLOW_URL',
  }),
  'http.headers': setting(
    values.headers,
    'sent with every request, for gateways; env:NAME and command:PROGRAM ARGUMENT… are secrets, other text is the value itself',
  ),
  'http.ca': setting(values.text, 'PEM file with an authority to trust'),
  'http.cert': setting(values.text, "PEM file with the client's certificate"),
  'http.key': setting(values.text, 'PEM file with the key of that certificate'),
  'http.passphrase': setting(values.secret, 'passphrase of the key'),
  ...writeSettings,
  ...sourceSettings,
  ...outputSettings,
  'generate.releaseTags': setting(values.text, 'tags of releases, such as packages-v*, for the version auto', {
    defaultNote: 'the current commit counts as released',
  }),
  'generate.license': setting(values.text, 'license of the packages'),
  'generate.author': setting(values.text, 'author of the packages'),
  'generate.publish.access': setting(
    values.choice('public', 'restricted'),
    'who may install the packages; without generate.publish they are private',
    { defaultNote: 'restricted' },
  ),
  'generate.publish.publishConfig': setting(
    values.publishConfig,
    'other members of publishConfig, such as registry or provenance',
  ),
  'generate.accept': setting(
    v.array(acceptedDiagnostic, 'must be an array'),
    'accepted diagnostics: they are not printed and fail nothing; entries that no longer match are reported',
  ),
  'docs.name': setting(values.text, 'name of the site about the models', { default: 'Models' }),
  'docs.logo': setting(values.path, 'picture next to its name: .svg, .png, .jpg or .webp, at most 200 kB'),
  'docs.colour': setting(values.colour, 'colour of its buttons and marks, such as #0a6e5c'),
  ...reportSettings,
  ...checkSettings,
  'conform.ownRules': setting(
    values.globs,
    'files with rules of your own, as paths or globs from the folder of the configuration',
  ),
  'conform.redact.headers': setting(values.ids, 'further headers whose values are left out of reports'),
  'conform.redact.query': setting(values.ids, 'query parameters whose values are left out of reports'),
  'conform.redact.pointers': setting(
    values.ids,
    'JSON pointers to members of bodies that are left out of reports; * is every member or item',
  ),
  'conform.readings': setting(
    values.readings,
    "our readings of ambiguous passages that a live target must follow, by id: { 'OP-040': 'required' }, or 'required' for all",
    { defaultNote: 'differences are reported, and fail no rule' },
  ),
  'conform.jobs': setting(
    strict(ownerMembers(values.jobId, ownerSettings.jobs)),
    'ids of jobs at the Workflow Execution API, encoded as in a path',
  ),
  'conform.live.scheme': setting(
    values.choice('api-key', 'bearer'),
    'how credentials are sent to the router; JSON Web Tokens other than main are always sent as bearer tokens',
    {
      defaultNote: 'bearer for a JSON Web Token and for one of SWITCHYARD_TOKEN, else api-key',
    },
  ),
  'conform.live.workflowAuthentication': setting(
    values.choice('required', 'open'),
    'whether every call of the Workflow Execution API needs a credential',
    { defaultNote: 'either is accepted' },
  ),
  'conform.live.credentials.router': setting(
    strict(ownerMembers(values.secret, ownerSettings.routerCredentials)),
    'sources of the credentials for the router, by caller',
  ),
  'conform.live.credentials.workflow': setting(
    strict(ownerMembers(values.secret, ownerSettings.workflowCredentials)),
    'sources of the credentials for the Workflow Execution API, by caller',
  ),
  'conform.live.graphs': setting(
    strict(ownerMembers(values.path, ownerSettings.graphs)),
    'files with the graphs of the jobs as JSON, relative to the configuration file: responses must repeat them verbatim',
  ),
  'conform.live.exclusive': setting(
    toggle,
    'during the check, no other caller uses the named models, or any model in the workspace of `main`',
  ),
  'conform.live.ceiling': setting(
    values.wholeNumber(1, 100 * 1024 * 1024),
    'maximum bytes of a request body that the router accepts; the gate sends one byte more',
  ),
  'conform.live.models': setting(v.array(model, 'must be an array'), 'the models that may run'),
} satisfies Settings & Readonly<Record<`conform.live.${StatementName}`, Setting>>;
