import * as v from 'valibot';
import { reportFormats } from '../../contract-tests/src/report/formats.ts';
import { ownerSettings, type Requisite, type StatementName } from '../../contract-tests/src/requires.ts';
import type { GenerateSettings } from './config.ts';
import * as values from './values.ts';
import { factsOf, type Schema, strict, toggle } from './values.ts';

// Every setting is defined here once. Flags and help texts are made from it, and `npm run settings` writes the type of the
// configuration and docs/reference/configuration.md.

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
  maxCostCents: v.optional(member(values.cents, 'the maximum cost of a run; --plan adds it up')),
});

// Settings by their path in `switchyard.config.ts`. Each group also provides flags for commands below.

const sourceSettings = {
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
const outputSettings = {
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
const writeSettings = {
  'generate.out': setting(values.folder, 'folder of the packages', { default: 'generated' }),
  'generate.version': setting(
    values.version,
    'version of the packages; auto raises it as the changes since the last release require',
    { defaultNote: 'kept', option: 'packageVersion' },
  ),
  'generate.strict': setting(toggle, 'exit 1 when any model could not be generated', { default: false }),
};
const checkSettings = {
  'conform.rules': setting(values.globs, 'only rules whose id matches, with the rules they need', { option: 'rule' }),
  'conform.deadlines.request': deadline('request', '10s', 'maximum wait for a response'),
  'conform.deadlines.held': deadline('held', '10m', 'maximum wait for the response to a run of a live target'),
  'conform.deadlines.rule': deadline('rule', '60s', 'maximum time of a rule'),
  'conform.deadlines.run': deadline('run', '10m', 'maximum time of the whole check'),
  'conform.hooks.url': setting(values.address, 'address of the test hooks of a staging build', {
    option: 'hooks',
    rare: true,
  }),
  'conform.hooks.credential': setting(values.secret, 'where the bearer credential of the test hooks is', {
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
const reportSettings = {
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
  brand: setting(values.text, "the vendor's word in header names and extension keys", {
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
    'known diagnostics: they are not printed and fail nothing; an entry that no longer matches is reported',
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
    "our readings of the open points of the documents that a live target must share, by their ids: { 'OP-040': 'required' }, or 'required' for all",
    { defaultNote: 'a difference from a reading is noted, and does not fail' },
  ),
  'conform.jobs': setting(
    strict(ownerMembers(values.jobId, ownerSettings.jobs)),
    'ids of jobs at the Workflow Execution API, encoded as in a path',
  ),
  'conform.live.scheme': setting(
    values.choice('api-key', 'bearer'),
    'how the router takes credentials; those other than main that are JSON Web Tokens are always bearer tokens',
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
    'where the credentials of callers of the router are',
  ),
  'conform.live.credentials.workflow': setting(
    strict(ownerMembers(values.secret, ownerSettings.workflowCredentials)),
    'where the credentials of callers of the Workflow Execution API are',
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

const { brand, queueStatuses, overlays, routerUrl, workflowUrl } = fileSettings;
const json = { json: setting(toggle, 'print the result as JSON') };
const config = {
  config: setting(values.path, 'configuration file', { defaultNote: 'switchyard.config.ts when present', rare: true }),
};
const router = {
  routerUrl,
  allowHttp: setting(toggle, 'send the credential to a public host over plain http', { rare: true }),
};
const specFlags = { ...config, brand, queueStatuses, overlays };
const sandboxDeviations = {
  fault: setting(values.ids, 'faults of the sandbox: behaviour that violates the contract', {
    default: [],
    rare: true,
  }),
  variant: setting(values.ids, 'variants of the sandbox: allowed but unusual behaviour', { default: [], rare: true }),
};
const generateFlags = { ...writeSettings, check: setting(toggle, 'write nothing; exit 1 when a write is due') };
export const sourceFlags = {
  ...router,
  ...specFlags,
  ...sourceSettings,
  frozen: setting(toggle, 'build exactly what switchyard.lock.json names, or fail', { rare: true }),
  offline: setting(toggle, 'send no request; read only the cache'),
};
/** Flags of generate, diff and docs, by their headings in the help. */
export const generationFlags = { 'Source:': sourceFlags, 'What is generated:': outputSettings };
/** Options of the function `generate` and of the bundler plugin. */
export const callSettings = {
  folder: setting(values.anyText, 'the folder that paths are relative to'),
  apiKey: setting(values.anyText, 'API key of the Model Router'),
  token: setting(values.anyText, 'bearer token of the Model Router'),
  ...generateFlags,
  ...sourceFlags,
  ...outputSettings,
};

const targetOptions = ['target', 'rule', 'fault', 'variant'] as const;
const requestOptions = ['hooks', 'hooksCredential', 'budget', 'plan', 'maxRps', 'models'] as const;
const harConflicts = [...targetOptions, ...requestOptions, 'selfCheck', 'requestDeadline', 'heldDeadline'];

/** Optional peer dependency that renders the two APIs. */
export const redocPackage = 'redoc@2.5.4';

/** The flags of each command, in the order of its help. */
export const commandFlags = {
  init: {
    routerUrl,
    'generate.out': writeSettings['generate.out'],
    'generate.scope': outputSettings['generate.scope'],
    'generate.layout': outputSettings['generate.layout'],
    ci: setting(values.choice('github', 'gitlab', 'none'), 'CI file to write', { defaultNote: 'what the folder uses' }),
    yes: setting(toggle, 'write without asking'),
    force: setting(toggle, 'replace files that exist and differ'),
  },
  specsBuild: {
    ...specFlags,
    'specs.out': setting(values.folder, 'folder to write to', { default: '.switchyard/specs' }),
    ...json,
  },
  specsCheck: { ...specFlags, ...json },
  generate: { ...generateFlags, ...json },
  verify: { ...config, ...json },
  diff: {
    base: setting(values.text, 'compare the folder, by default that of the configuration, with a git revision', {
      argument: '<revision>',
    }),
    usedBy: setting(values.text, 'report first what these files use: models and names that they import', {
      argument: '<glob>',
    }),
    usedOnly: setting(toggle, 'exit with 1 only when a change breaks what --used-by names', { rare: true }),
    format: setting(values.choice('text', 'markdown'), 'output format', { default: 'text' }),
    ...json,
  },
  docs: {
    'docs.out': setting(values.folder, 'folder of the site', { default: '.switchyard/docs' }),
    packages: setting(values.folder, 'folder of the generated packages; the site shows what changed since them', {
      defaultNote: 'that of the configuration',
    }),
    ...json,
  },
  conform: {
    ...specFlags,
    target: setting(values.choice('mock', 'sandbox', 'live'), 'kind of target', {
      defaultNote: 'live with an address, else sandbox',
    }),
    ...router,
    workflowUrl,
    plan: setting(
      toggle,
      'print which requests could start a run, and the maximum number of runs; send only what reads the catalog',
    ),
    ...checkSettings,
    ...sandboxDeviations,
    models: setting(values.modelChoice, 'models for rules about single models: all, a glob, or a number of them', {
      defaultNote: 'a sample',
      rare: true,
    }),
    selfCheck: setting(
      toggle,
      'check the gate itself: all rules against a healthy sandbox, every fault and every variant',
      {
        conflicts: [...targetOptions, 'routerUrl', 'workflowUrl'],
        rare: true,
      },
    ),
    conforming: setting(
      values.wholeNumber(1, 100_000),
      'with --self-check: all rules against this many random servers that keep the contract',
      { argument: '<count>', rare: true },
    ),
    conformingSeed: setting(
      values.wholeNumber(0, 2 ** 31),
      'with --self-check: draws the values that the rules send; with --conforming: the servers',
      {
        option: 'seed',
        defaultNote: 'the values of the code; with --conforming 1',
        rare: true,
      },
    ),
    derived: setting(
      toggle,
      'with --self-check: break every statement of the documents about a response, and print how many the rules catch',
      { rare: true },
    ),
    listRules: setting(toggle, 'list the rules with their sentences and exit', { rare: true }),
    har: setting(values.text, 'check recorded traffic (HAR 1.2); nothing is sent', {
      argument: '<file>',
      conflicts: harConflicts,
      rare: true,
    }),
    ...reportSettings,
    minChecked: setting(values.wholeNumber(0, 100), 'exit 4 when a smaller percentage of the rules was checked', {
      argument: '<percent>',
      rare: true,
    }),
    writeBaseline: setting(toggle, 'accept every finding of this check for 30 days, in the file of --waivers'),
    owner: setting(values.text, 'who is responsible for the findings of --write-baseline', {
      argument: '<name>',
      rare: true,
    }),
    reason: setting(values.text, 'why they are accepted', { rare: true }),
    compare: setting(values.path, 'result.json of an earlier check: lists new, fixed and remaining findings', {
      rare: true,
    }),
    verbose: setting(
      toggle,
      'list rules that were not checked and all observations, and keep the exchanges of all rules',
    ),
    ...json,
  },
  sandbox: {
    ...specFlags,
    'sandbox.port': setting(values.wholeNumber(0, 65_535), 'port; 0 takes a free one', { default: 4010 }),
    host: setting(values.text, 'address to listen on', { default: '127.0.0.1', argument: '<name>' }),
    allowRemote: setting(toggle, 'permit a host that other machines can reach', { rare: true }),
    catalog: setting(
      values.folderOrAddress,
      'serve this catalog and the outcome models: a folder of documents, generated packages, or the address of a router',
      { defaultNote: 'the built-in one' },
    ),
    allowHttp: router.allowHttp,
    outcomeModels: setting(toggle, 'with --catalog: serve only that catalog', { default: true, rare: true }),
    cors: setting(values.ids, 'let pages of these origins call the APIs from a browser; * for all of them', {
      argument: '<origin...>',
      rare: true,
    }),
    seed: setting(values.wholeNumber(0, 2 ** 31), 'seed of sampled outputs', { defaultNote: '1', rare: true }),
    db: setting(values.path, 'SQLite file that keeps requests, results and keys over restarts', {
      defaultNote: 'in memory',
    }),
    clock: setting(
      values.choice('real', 'manual'),
      'real: runs on, and can be advanced unless there is a --db; manual: moves only when advanced',
      { default: 'real' },
    ),
    log: setting(values.choice('off', 'text', 'json'), 'one line per request on standard error', { default: 'off' }),
    ...sandboxDeviations,
    listFaults: setting(toggle, 'list the faults and exit'),
    listVariants: setting(toggle, 'list the variants and exit'),
    ...json,
  },
  mock: {
    ...specFlags,
    'mock.port': setting(
      values.wholeNumber(0, 65_534),
      'port of the Model Router; the Workflow Execution API takes the next one; 0 takes free ports',
      { default: 4020 },
    ),
    ...json,
  },
  doctor: {
    ...config,
    brand,
    ...router,
    workflowUrl,
    'conform.live.budget': checkSettings['conform.live.budget'],
    ...json,
  },
};

const { specsBuild, docs, conform, sandbox, mock } = commandFlags;
/** Every setting that commands read by name. */
export const settings = { ...fileSettings, ...sourceFlags, ...specsBuild, ...docs, ...conform, ...sandbox, ...mock };
export type SettingName = keyof typeof settings;
/** Value of a setting, as commands use it. */
export type SettingValue<Name extends SettingName> =
  | v.InferOutput<(typeof settings)[Name]['schema']>
  | ((typeof settings)[Name] extends { default: unknown } ? never : undefined);

type LastPart<Name> = Name extends `${string}.${infer Rest}` ? LastPart<Rest> : Name;
type OptionName<Name, Row> = Row extends { option: infer Option extends string } ? Option : LastPart<Name>;
/** Parsed flags of a command. */
export type Flags<Command extends keyof typeof commandFlags, Rows extends Settings = (typeof commandFlags)[Command]> = {
  readonly [Name in keyof Rows as OptionName<Name, Rows[Name]>]?: v.InferInput<Rows[Name]['schema']>;
};
export type GenerateFlags = GenerateSettings & Flags<'generate'>;
/** `debug` is a flag of the program itself. */
export type ConformFlags = Flags<'conform'> & { readonly debug?: boolean };
export type DiffFlags = GenerateFlags & Flags<'diff'>;
/** `out`: folder of the site. `packages`: folder of the generated packages. */
export type DocsFlags = GenerateFlags & Flags<'docs'>;
