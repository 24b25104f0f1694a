import * as v from 'valibot';
import { reportFormats } from '../../contract-tests/src/report/formats.ts';
import { ownerSettings, type Requisite, type StatementName } from '../../contract-tests/src/requires.ts';
import * as values from './values.ts';
import { factsOf, type Schema, strict, toggle } from './values.ts';

// Defines each setting once; commands.ts lists the settings that each command takes as flags. Flags and help texts are made from
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
  /** Argument of the flag, if the schema's own argument is too general. */
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
  const ExtraFields extends Omit<Setting<Given, Value>, 'schema' | 'description'> = object,
>(schema: Schema<Given, Value>, description: string, more?: ExtraFields) {
  return { schema, description, ...more } as {
    readonly schema: Schema<Given, Value>;
    readonly description: string;
  } & ExtraFields;
}

/** A setting whose flag help only shows with `--all`. */
export const rare: typeof setting = (schema, description, more) => ({
  ...setting(schema, description, more),
  rare: true,
});

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

/** Returns the optional members in which an owner describes a service. The gate defines their names and descriptions. */
function ownerMembers(schema: Schema, rows: readonly Pick<Requisite, 'name' | 'sentence'>[]) {
  const entries = rows.map(({ name, sentence }) => {
    const description = `${sentence.charAt(0).toLowerCase()}${sentence.slice(1).replace(/\.$/, '')}`;
    return [name, v.optional(member(schema, description))] as const;
  });
  return Object.fromEntries(entries);
}

function deadline<const Name extends string>(name: Name, defaultNote: string, description: string) {
  return rare(values.duration, description, { defaultNote, option: `${name}Deadline` } as const);
}

const model = strict({
  id: member(values.modelId, 'the id of a model that may run'),
  ...ownerMembers(values.writtenInput, ownerSettings.inputs),
  alternate: v.optional(
    strict({
      provider: member(values.text, 'the value to send as `model_provider`'),
      input: member(values.input, 'an input that both the model and this provider accept'),
      drops: member(values.globs, 'fields of that input that the conversion drops'),
    }),
  ),
  fallback: v.optional(
    strict({
      value: member(values.text, 'the value to send as `fallback_provider`'),
      input: member(values.input, 'an input that fails at the first provider and succeeds at the fallback provider'),
    }),
  ),
  barred: v.optional(member(toggle, 'the credential `barred` has no access to this model')),
  linkHours: v.optional(member(values.positive, 'how long signed links of the service are valid, in hours')),
  deterministic: v.optional(member(toggle, 'the same input always gives the same output')),
  maxCostCents: v.optional(member(values.cents, 'maximum cost of a run in cents; --plan prints the total')),
});

/** All settings of `switchyard.config.ts`, by their path. */
export const fileSettings = {
  brand: rare(values.text, 'vendor name in header names and extension keys', {
    defaultNote: 'detected from the source, or else Service',
    argument: '<word>',
  }),
  queueStatuses: rare(values.statusPair, 'the two queue statuses other than COMPLETED', {
    defaultNote: 'IN_QUEUE,IN_PROGRESS',
  }),
  overlays: rare(values.paths, 'OpenAPI Overlay 1.0 documents, applied in order', { default: [], option: 'overlay' }),
  routerUrl: setting(values.address, 'base URL of the Model Router', { variable: 'SWITCHYARD_ROUTER_URL' }),
  workflowUrl: setting(values.address, 'base URL of the Workflow Execution API', {
    variable: 'SWITCHYARD_WORKFLOW_URL',
  }),
  'http.headers': setting(
    values.headers,
    'headers to send with every request, for gateways; env:NAME and command:PROGRAM ARGUMENT… refer to secrets, any other text is the value itself',
  ),
  'http.ca': setting(values.text, 'PEM file with a CA certificate to trust'),
  'http.cert': setting(values.text, 'PEM file with the client certificate'),
  'http.key': setting(values.text, 'PEM file with the private key of the client certificate'),
  'http.passphrase': setting(values.secret, 'passphrase of the private key'),
  'generate.out': setting(values.folder, 'output folder for the packages', { default: 'generated' }),
  'generate.version': setting(
    values.version,
    'version of the packages; auto increments it according to the changes since the last release',
    { defaultNote: 'unchanged', option: 'packageVersion' },
  ),
  'generate.strict': setting(toggle, 'exit with 1 if a model could not be generated', { default: false }),
  'generate.cache': rare(values.folder, 'folder of the private document cache', { default: '.switchyard/cache' }),
  'generate.deadline': rare(values.duration, 'time limit; models that have not been read by then count as failed', {
    defaultNote: '10m, plus 50ms per model',
  }),
  'generate.allowEmpty': rare(toggle, 'accept an empty catalog', { default: false }),
  'generate.allowFailed': rare(
    values.wholeNumber(0, 200_000),
    'maximum number of unreadable documents; if there are more, the exit code is 3',
    { default: 0 },
  ),
  'generate.only': setting(
    values.globs,
    'only generate models whose id matches; files of all other models are removed from the output',
    { default: [] },
  ),
  'generate.scope': setting(values.scope, 'the npm scope of the packages', {
    defaultNote: 'the scope of the existing output, or else of the nearest package.json',
  }),
  'generate.layout': setting(values.choice('packages', 'folder'), 'packages, or a folder of plain files', {
    defaultNote: 'packages if there is a scope',
  }),
  'generate.routerOnly': rare(toggle, 'omit the client for the Workflow Execution API', { default: false }),
  'generate.outputValidators': rare(toggle, 'also generate validators for outputs', { default: false }),
  'generate.typesOnly': rare(toggle, 'omit validators and runtime schemas', { default: false }),
  'generate.releaseTags': setting(values.text, 'pattern of release tags, such as packages-v*, for the version auto', {
    defaultNote: 'the current commit counts as the last release',
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
  'docs.name': setting(values.text, 'name of the documentation site', { default: 'Models' }),
  'docs.logo': setting(values.path, 'logo of the documentation site: .svg, .png, .jpg or .webp, at most 200 kB'),
  'docs.colour': setting(values.colour, 'accent colour of the documentation site, such as #0a6e5c'),
  'conform.out': setting(values.folder, 'output folder for the reports', { default: '.switchyard/conform' }),
  'conform.report': setting(values.someOf(reportFormats), `additional report formats: ${reportFormats.join(', ')}`, {
    default: [],
    argument: '<formats>',
  }),
  'conform.waivers': rare(values.path, 'file with accepted findings', {
    defaultNote: 'conform-waivers.yaml, if it exists',
  }),
  'conform.rules': setting(values.globs, 'only check rules whose ids match, and the rules that they depend on', {
    option: 'rule',
  }),
  'conform.deadlines.request': deadline('request', '10s', 'maximum time to wait for a response'),
  'conform.deadlines.held': deadline('held', '10m', 'maximum time to wait for the response to a run on a live target'),
  'conform.deadlines.rule': deadline('rule', '60s', 'maximum duration of a rule'),
  'conform.deadlines.run': deadline('run', '10m', 'maximum duration of the whole check'),
  'conform.hooks.url': rare(values.address, 'URL of the test hooks of a staging build', { option: 'hooks' }),
  'conform.hooks.credential': rare(values.secret, 'source of the bearer token for the test hooks', {
    option: 'hooksCredential',
  }),
  'conform.live.budget': setting(
    values.wholeNumber(0, 10_000),
    'maximum number of runs on a live target; their models must be listed in conform.live.models',
    { default: 0 },
  ),
  'conform.live.maxRps': rare(values.positive, 'maximum number of requests per second', { defaultNote: 'no limit' }),
  'conform.ownRules': setting(
    values.globs,
    'files with custom rules, as paths or globs relative to the folder of the configuration',
  ),
  'conform.redact.headers': setting(values.ids, 'additional headers whose values are omitted from reports'),
  'conform.redact.query': setting(values.ids, 'query parameters whose values are omitted from reports'),
  'conform.redact.pointers': setting(
    values.ids,
    'JSON pointers to members of bodies whose values are omitted from reports; * matches every member or item',
  ),
  'conform.readings': setting(
    values.readings,
    "our readings of ambiguous passages that a live target must follow, by id: { 'OP-040': 'required' }, or 'required' for all",
    { defaultNote: 'differences are reported, but do not fail a rule' },
  ),
  'conform.jobs': setting(
    strict(ownerMembers(values.jobId, ownerSettings.jobs)),
    'ids of jobs in the Workflow Execution API, percent-encoded as in a path',
  ),
  'conform.live.scheme': setting(
    values.choice('api-key', 'bearer'),
    'how credentials are sent to the router; JSON Web Tokens of callers other than `main` are always sent as bearer tokens',
    { defaultNote: 'bearer for a JSON Web Token and for SWITCHYARD_TOKEN, otherwise api-key' },
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
    'files with the graphs of the jobs as JSON, relative to the configuration file; responses must contain them verbatim',
  ),
  'conform.live.exclusive': setting(
    toggle,
    'no other caller uses the listed models, or any model in the workspace of `main`, during the check',
  ),
  'conform.live.ceiling': setting(
    values.wholeNumber(1, 100 * 1024 * 1024),
    'maximum size of a request body that the router accepts, in bytes; the gate sends one byte more',
  ),
  'conform.live.models': setting(v.array(model, 'must be an array'), 'the models that may run'),
} satisfies Settings & Readonly<Record<`conform.live.${StatementName}`, Setting>>;

const harConflicts = [
  ...['target', 'rule', 'fault', 'variant', 'hooks', 'hooksCredential', 'budget', 'plan', 'maxRps', 'models'],
  ...['selfCheck', 'requestDeadline', 'heldDeadline'],
];

/** Options that are only flags. */
const flagSettings = {
  config: rare(values.path, 'configuration file', { defaultNote: 'switchyard.config.ts, if it exists' }),
  json: setting(toggle, 'print the result as JSON'),
  allowHttp: rare(toggle, 'allow sending the credential to a public host over plain http'),
  ci: setting(values.choice('github', 'gitlab', 'none'), 'CI file to write', { defaultNote: 'the CI of the folder' }),
  yes: setting(toggle, 'write without asking'),
  force: setting(toggle, 'replace files that exist and differ'),
  'specs.out': setting(values.folder, 'folder to write to', { default: '.switchyard/specs' }),
  check: setting(toggle, 'write nothing; exit with 1 if the output is outdated'),
  frozen: rare(toggle, 'generate exactly the documents listed in switchyard.lock.json, or fail'),
  offline: setting(toggle, 'send no requests; only read the cache'),
  base: setting(values.text, 'git revision to compare the folder with; the default folder is the configured one', {
    argument: '<revision>',
  }),
  usedBy: setting(values.text, 'files that import the packages; changes to what they import are reported first', {
    argument: '<glob>',
  }),
  usedOnly: rare(toggle, 'only exit with 1 if a change breaks the files of --used-by'),
  format: setting(values.choice('text', 'markdown'), 'output format', { default: 'text' }),
  'docs.out': setting(values.folder, 'output folder for the site', { default: '.switchyard/docs' }),
  packages: setting(
    values.folder,
    'folder of the generated packages; the site lists the changes since they were generated',
    { defaultNote: 'the one in the configuration' },
  ),
  target: setting(values.choice('mock', 'sandbox', 'live'), 'kind of target', {
    defaultNote: 'live if a URL is set, otherwise sandbox',
  }),
  plan: setting(
    toggle,
    'list the requests that could start a run, and the maximum number of runs; only reads the catalog',
  ),
  fault: rare(values.ids, 'faults of the sandbox: behaviour that violates the contract', { default: [] }),
  variant: rare(values.ids, 'variants of the sandbox: allowed but unusual behaviour', { default: [] }),
  models: rare(values.modelChoice, 'models for rules about individual models: all, a glob, or a number of models', {
    defaultNote: 'a sample',
  }),
  selfCheck: rare(
    toggle,
    'check the gate itself: run all rules against a healthy sandbox, every fault and every variant',
    { conflicts: ['target', 'rule', 'fault', 'variant', 'routerUrl', 'workflowUrl'] },
  ),
  conforming: rare(
    values.wholeNumber(1, 100_000),
    'with --self-check: check all rules against this many random servers, all of which conform',
    { argument: '<count>' },
  ),
  conformingSeed: rare(
    values.wholeNumber(0, 2 ** 31),
    'with --self-check: seed of the values that the rules send; with --conforming: seed of the servers',
    { option: 'seed', defaultNote: 'fixed values, or seed 1 with --conforming' },
  ),
  listRules: rare(toggle, 'list the rules with their sentences and exit'),
  har: rare(values.text, 'check recorded traffic (HAR 1.2) without sending requests', {
    argument: '<file>',
    conflicts: harConflicts,
  }),
  minChecked: rare(values.wholeNumber(0, 100), 'exit with 4 if less than this percentage of rules was checked', {
    argument: '<percent>',
  }),
  writeBaseline: setting(toggle, 'accept all findings of this check for 30 days: adds them to the file of --waivers'),
  owner: rare(values.text, 'who is responsible for the findings of --write-baseline', { argument: '<name>' }),
  reason: rare(values.text, 'why the findings are accepted'),
  compare: rare(values.path, 'result.json of an earlier check; the report lists new, fixed and remaining findings'),
  verbose: setting(toggle, 'also list unchecked rules and all observations, and keep the exchanges of all rules'),
  'sandbox.port': setting(values.wholeNumber(0, 65_535), 'port; 0 chooses a free one', { default: 4010 }),
  host: setting(values.text, 'address to listen on', { default: '127.0.0.1', argument: '<name>' }),
  allowRemote: rare(toggle, 'allow a host that other machines can reach'),
  catalog: setting(
    values.folderOrAddress,
    'serve this catalog and the outcome models: a folder of documents, generated packages, or the URL of a router',
    { defaultNote: 'the built-in one' },
  ),
  outcomeModels: rare(toggle, 'with --catalog: serve only that catalog', { default: true }),
  cors: rare(values.ids, 'origins whose pages may call the APIs from a browser; * for all origins', {
    argument: '<origin...>',
  }),
  seed: rare(values.wholeNumber(0, 2 ** 31), 'seed for sampled outputs', { defaultNote: '1' }),
  clock: setting(
    values.choice('real', 'manual'),
    'real: follows real time, and can be advanced; manual: only moves when advanced',
    { default: 'real' },
  ),
  log: setting(values.choice('off', 'text', 'json'), 'one line per request on standard error', { default: 'off' }),
  listFaults: setting(toggle, 'list the faults and exit'),
  listVariants: setting(toggle, 'list the variants and exit'),
  'mock.port': setting(
    values.wholeNumber(0, 65_534),
    'port of the Model Router; the Workflow Execution API uses the next one; 0 chooses free ports',
    { default: 4020 },
  ),
};

/** Every setting, by its path in the configuration or its name. */
export const settings = { ...fileSettings, ...flagSettings };
export type SettingName = keyof typeof settings;
/** The value of a setting, as commands use it. */
export type SettingValue<Name extends SettingName> =
  | v.InferOutput<(typeof settings)[Name]['schema']>
  | ((typeof settings)[Name] extends { default: unknown } ? never : undefined);
