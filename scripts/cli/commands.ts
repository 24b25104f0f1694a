import { findSetting, type SettingAt, type SettingPath } from './settings.ts';
import * as values from './values.ts';
import { anyText, factsOf, type Schema, toggle } from './values.ts';

/** A flag of a command. `Value`: as commands receive it, which is the value as given if the flag overrides a setting. */
export type Flag<Value = unknown> = {
  readonly schema: Schema<unknown, Value>;
  readonly description: string;
  /** The setting that the flag overrides. */
  readonly sets?: SettingPath;
  /** Default value. If it is true, the flag begins with `--no-`. */
  readonly default?: unknown;
  /** Description of a default that depends on something else. */
  readonly defaultNote?: string;
  /** Environment variable. */
  readonly variable?: string;
  /** Argument of the flag, if the schema's own argument is too general. */
  readonly argument?: string;
  /** Options that cannot be combined with this one. */
  readonly conflicts?: readonly string[];
  /** True if help only shows the flag with `--all`. */
  readonly rare?: true;
};
/** Flags by their names as options, in camel case. */
export type FlagRows = Readonly<Record<string, Flag>>;
type More = Omit<Flag, 'schema' | 'description' | 'sets'>;

function flag<Value, const Extra extends More>(schema: Schema<unknown, Value>, description: string, more?: Extra) {
  return { schema, description, ...(more as Extra) };
}

/** A flag that overrides a setting. */
function setFlag<Path extends SettingPath>(sets: Path, description: string, more?: Omit<More, 'default'>) {
  const { wrapped, default: fallback } = findSetting(sets) ?? {};
  const defaultNote = ['string', 'number'].includes(typeof fallback) ? { defaultNote: String(fallback) } : {};
  // The path has the type of its setting.
  return { schema: wrapped, description, sets, ...defaultNote, ...more } as Omit<Flag<SettingAt<Path>>, 'default'>;
}

const rare = true;
const config = flag(values.path, 'configuration file', { rare, defaultNote: 'switchyard.config.ts, if it exists' });
const json = flag(toggle, 'print the result as JSON');
const allowHttp = flag(toggle, 'allow sending the credential to a public host over plain http', { rare });
const routerUrl = setFlag('routerUrl', 'base URL of the Model Router', { variable: 'SWITCHYARD_ROUTER_URL' });
const workflowUrl = setFlag('workflowUrl', 'base URL of the Workflow Execution API', {
  variable: 'SWITCHYARD_WORKFLOW_URL',
});
const out = setFlag('generate.out', 'output folder for the packages');
const scope = setFlag('generate.scope', 'the npm scope of the packages', {
  defaultNote: 'the scope of the existing output, or else of the nearest package.json',
});
const layout = setFlag('generate.layout', 'packages, or a folder of plain files', {
  defaultNote: 'packages if there is a scope',
});
const budget = setFlag(
  'conform.live.budget',
  'maximum number of runs on a live target; their models must be listed in conform.live.models',
);

const specs = {
  config,
  brand: setFlag('brand', 'vendor name in header names and extension keys', {
    rare,
    argument: '<word>',
    defaultNote: 'detected from the source, or else Service',
  }),
  queueStatuses: setFlag('queueStatuses', 'the two queue statuses other than COMPLETED', {
    rare,
    defaultNote: 'IN_QUEUE,IN_PROGRESS',
  }),
  overlay: setFlag('overlays', 'OpenAPI Overlay 1.0 documents, applied in order', { rare }),
};

const generate = {
  out,
  packageVersion: setFlag(
    'generate.version',
    'version of the packages; auto increments it according to the changes since the last release',
    { defaultNote: 'unchanged' },
  ),
  strict: setFlag('generate.strict', 'exit with 1 if a model could not be generated'),
  check: flag(toggle, 'write nothing; exit with 1 if the output is outdated'),
};
const source = {
  routerUrl,
  allowHttp,
  ...specs,
  cache: setFlag('generate.cache', 'folder of the private document cache', { rare }),
  deadline: setFlag('generate.deadline', 'time limit; models that have not been read by then count as failed', {
    rare,
    defaultNote: '10m, plus 50ms per model',
  }),
  allowEmpty: setFlag('generate.allowEmpty', 'accept an empty catalog', { rare }),
  allowFailed: setFlag(
    'generate.allowFailed',
    'maximum number of unreadable documents; if there are more, the exit code is 3',
    { rare },
  ),
  frozen: flag(toggle, 'generate exactly the documents listed in switchyard.lock.json, or fail', { rare }),
  offline: flag(toggle, 'send no requests; only read the cache'),
};
const content = {
  only: setFlag(
    'generate.only',
    'only generate models whose id matches; files of all other models are removed from the output',
  ),
  scope,
  layout,
  routerOnly: setFlag('generate.routerOnly', 'omit the client for the Workflow Execution API', { rare }),
  outputValidators: setFlag('generate.outputValidators', 'also generate validators for outputs', { rare }),
  typesOnly: setFlag('generate.typesOnly', 'omit validators and runtime schemas', { rare }),
};
const groups = { 'Source:': source, 'What is generated:': content };

/** Faults and variants of the sandbox. */
const deviations = {
  fault: flag(values.ids, 'faults of the sandbox: behaviour that violates the contract', { rare }),
  variant: flag(values.ids, 'variants of the sandbox: allowed but unusual behaviour', { rare }),
};
const sandboxSeed = flag(values.wholeNumber(0, 2 ** 31), 'seed for sampled outputs', { rare, defaultNote: '1' });

function deadlineFlag(name: 'request' | 'held' | 'rule' | 'run', defaultNote: string, description: string) {
  return setFlag(`conform.deadlines.${name}`, description, { rare, defaultNote });
}

const harConflicts: readonly string[] = [
  ...['target', 'rule', 'fault', 'variant', 'hooks', 'hooksCredential', 'budget', 'plan', 'maxRps', 'models'],
  ...['selfCheck', 'requestDeadline', 'heldDeadline'],
];
const conform = {
  ...specs,
  target: flag(values.choice('mock', 'sandbox', 'live'), 'kind of target', {
    defaultNote: 'live if a URL is set, otherwise sandbox',
  }),
  routerUrl,
  allowHttp,
  workflowUrl,
  plan: flag(
    toggle,
    'list the requests that could start a run, and the maximum number of runs; only reads the catalog',
  ),
  rule: setFlag('conform.rules', 'only check rules whose ids match, and the rules that they depend on'),
  requestDeadline: deadlineFlag('request', '10s', 'maximum time to wait for a response'),
  heldDeadline: deadlineFlag('held', '10m', 'maximum time to wait for the response to a run on a live target'),
  ruleDeadline: deadlineFlag('rule', '60s', 'maximum duration of a rule'),
  runDeadline: deadlineFlag('run', '10m', 'maximum duration of the whole check'),
  hooks: setFlag('conform.hooks.url', 'URL of the test hooks of a staging build', { rare }),
  hooksCredential: setFlag('conform.hooks.credential', 'source of the bearer token for the test hooks', { rare }),
  budget,
  maxRps: setFlag('conform.live.maxRps', 'maximum number of requests per second', { rare, defaultNote: 'no limit' }),
  ...deviations,
  models: flag(values.modelChoice, 'models for rules about individual models: all, a glob, or a number of models', {
    rare,
    defaultNote: 'a sample',
  }),
  selfCheck: flag(
    toggle,
    'check the gate itself: run all rules against a healthy sandbox, every fault and every variant',
    { rare, conflicts: ['target', 'rule', 'fault', 'variant', 'routerUrl', 'workflowUrl'] },
  ),
  conforming: flag(
    values.wholeNumber(1, 100_000),
    'with --self-check: check all rules against this many random servers, all of which conform',
    { rare, argument: '<count>' },
  ),
  seed: flag(
    values.wholeNumber(0, 2 ** 31),
    'with --self-check: seed of the values that the rules send; with --conforming: seed of the servers',
    { rare, defaultNote: 'fixed values, or seed 1 with --conforming' },
  ),
  listRules: flag(toggle, 'list the rules with their sentences and exit', { rare }),
  har: flag(values.text, 'check recorded traffic (HAR 1.2) without sending requests', {
    rare,
    argument: '<file>',
    conflicts: harConflicts,
  }),
  out: setFlag('conform.out', 'output folder for the reports'),
  report: setFlag('conform.report', 'additional report formats: sarif, markdown', { argument: '<formats>' }),
  waivers: setFlag('conform.waivers', 'file with accepted findings', {
    rare,
    defaultNote: 'conform-waivers.yaml, if it exists',
  }),
  minChecked: flag(values.wholeNumber(0, 100), 'exit with 4 if less than this percentage of rules was checked', {
    rare,
    argument: '<percent>',
  }),
  writeBaseline: flag(toggle, 'accept all findings of this check for 30 days: adds them to the file of --waivers'),
  owner: flag(values.text, 'who is responsible for the findings of --write-baseline', { rare, argument: '<name>' }),
  reason: flag(values.text, 'why the findings are accepted', { rare }),
  compare: flag(values.path, 'result.json of an earlier check; the report lists new, fixed and remaining findings', {
    rare,
  }),
  verbose: flag(toggle, 'also list unchecked rules and all observations, and keep the exchanges of all rules'),
  json,
};

const sandbox = {
  ...specs,
  port: flag(values.wholeNumber(0, 65_535), 'port; 0 chooses a free one', { default: 4010 }),
  host: flag(values.text, 'address to listen on', { default: '127.0.0.1', argument: '<name>' }),
  allowRemote: flag(toggle, 'allow a host that other machines can reach', { rare }),
  catalog: flag(
    values.folderOrAddress,
    'serve this catalog and the outcome models: a folder of documents, generated packages, or the URL of a router',
    { defaultNote: 'the built-in one' },
  ),
  allowHttp,
  outcomeModels: flag(toggle, 'with --catalog: serve only that catalog', { rare, default: true }),
  cors: flag(values.ids, 'origins whose pages may call the APIs from a browser; * for all origins', {
    rare,
    argument: '<origin...>',
  }),
  seed: sandboxSeed,
  db: flag(values.path, 'SQLite file that keeps requests, results and keys across restarts', {
    defaultNote: 'in memory',
  }),
  clock: flag(
    values.choice('real', 'manual'),
    'real: follows real time, and can be advanced unless --db is set; manual: only moves when advanced',
    { default: 'real' },
  ),
  log: flag(values.choice('off', 'text', 'json'), 'one line per request on standard error', { default: 'off' }),
  ...deviations,
  listFaults: flag(toggle, 'list the faults and exit'),
  listVariants: flag(toggle, 'list the variants and exit'),
  json,
};

export type CommandRow = {
  readonly description: string;
  /** Arguments with their descriptions. */
  readonly words?: Readonly<Record<string, string>>;
  /** In the order of the help text. */
  readonly flags: FlagRows;
  /** More flags by their headings in the help text. */
  readonly groups?: Readonly<Record<string, FlagRows>>;
};

const defaultFolder = 'output folder of generate (default: the one in the configuration)';

/** Commands by name, in the order of the help text; examples are in `templates/help`. */
export const commands = {
  init: {
    description: 'set up the generator in this folder: configuration, scripts, ignore files and CI',
    flags: {
      routerUrl,
      out,
      scope,
      layout,
      ci: flag(values.choice('github', 'gitlab', 'none'), 'CI file to write', { defaultNote: 'the CI of the folder' }),
      yes: flag(toggle, 'write without asking'),
      force: flag(toggle, 'replace files that exist and differ'),
    },
  },
  specs: { description: 'build or check the two OpenAPI documents', flags: {} },
  'specs build': {
    description: 'write the effective documents (brand, queue statuses and overlays applied) as YAML and JSON',
    flags: { ...specs, out: flag(values.folder, 'folder to write to', { defaultNote: '.switchyard/specs' }), json },
  },
  'specs check': {
    description: 'validate both documents, their examples and the requirements and assumptions they cite',
    flags: { ...specs, json },
  },
  generate: {
    description: 'write typed packages for every model of a catalog, and for both APIs',
    flags: { ...generate, json },
    groups,
  },
  verify: {
    description: 'compare generated files with their lockfile, without network or credential',
    words: { '[folder]': defaultFolder },
    flags: { config, json },
  },
  diff: {
    description: 'show how an update of the packages affects their users',
    words: {
      '[before]': defaultFolder,
      '[after]': 'output folder to compare with (default: what generate would write now)',
    },
    flags: {
      base: flag(values.text, 'git revision to compare the folder with; the default folder is the configured one', {
        argument: '<revision>',
      }),
      usedBy: flag(values.text, 'files that import the packages; changes to what they import are reported first', {
        argument: '<glob>',
      }),
      usedOnly: flag(toggle, 'only exit with 1 if a change breaks the files of --used-by', { rare }),
      format: flag(values.choice('text', 'markdown'), 'output format', { defaultNote: 'text' }),
      json,
    },
    groups,
  },
  docs: {
    description: 'write a static site about every model and both APIs',
    flags: {
      out: flag(values.folder, 'output folder for the site', { defaultNote: '.switchyard/docs' }),
      packages: flag(
        values.folder,
        'folder of the generated packages; the site lists the changes since they were generated',
        { defaultNote: 'the one in the configuration' },
      ),
      json,
    },
    groups,
  },
  conform: { description: 'check a target against the contract', flags: conform },
  explain: {
    description: 'explain a rule, a requirement, a code or any other term in the output',
    words: {
      '<name...>':
        'id of a rule, requirement, fault or assumption; code of a diagnostic or finding; an outcome; or words to search for',
    },
    flags: {},
  },
  sandbox: { description: 'serve both APIs locally, with state and without billing', flags: sandbox },
  mock: {
    description: 'serve the examples of both documents with Prism, without state',
    flags: {
      ...specs,
      port: flag(
        values.wholeNumber(0, 65_534),
        'port of the Model Router; the Workflow Execution API uses the next one; 0 chooses free ports',
        { default: 4020 },
      ),
      json,
    },
  },
  doctor: {
    description: 'check that generate and conform can run, one line per check',
    flags: { config, brand: specs.brand, routerUrl, allowHttp, workflowUrl, budget, json },
  },
} as const satisfies Readonly<Record<string, CommandRow>>;

/** Returns the name of an option as a flag. */
export function flagName(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Returns a flag with its argument, such as `--out <dir>`. */
export function flagText(option: string, { schema, argument = factsOf(schema).argument, ...flag }: Flag): string {
  if (flag.default === true) return flagName(option).replace('--', '--no-');
  return argument === undefined ? flagName(option) : `${flagName(option)} ${argument}`;
}

/** Returns the description of a flag with its default. */
export function describeFlag({ description, default: value, defaultNote }: Flag): string {
  const shown = defaultNote ?? (value === true ? undefined : value);
  return shown === undefined ? description : `${description} (default: ${shown})`;
}

/** Returns every flag of a command. */
export function listFlags({ flags, groups = {} }: CommandRow): FlagRows {
  return Object.assign({}, flags, ...Object.values(groups));
}

/** The parsed flags of some rows; a flag with a default is always present. */
type FlagValues<Rows> = {
  readonly [Name in keyof Rows as Rows[Name] extends { default: unknown } ? never : Name]?:
    | ValueOf<Rows[Name]>
    | undefined;
} & { readonly [Name in keyof Rows as Rows[Name] extends { default: unknown } ? Name : never]: ValueOf<Rows[Name]> };
type ValueOf<Row> = Row extends { schema: Schema<unknown, infer Value> } ? Value : never;

export type Flags<Command extends keyof typeof commands> = FlagValues<(typeof commands)[Command]['flags']>;
export type GenerateFlags = Flags<'generate'> & FlagValues<typeof source & typeof content>;
/** `debug` is a flag of the program itself. */
export type ConformFlags = Flags<'conform'> & { readonly debug?: boolean };
export type DiffFlags = GenerateFlags & Flags<'diff'>;
/** `out` is the folder of the site, `packages` the folder of the generated packages. */
export type DocsFlags = GenerateFlags & Flags<'docs'>;

/** Types of the options of the function `generate` and of the bundler plugin. */
export const callSchemas: Readonly<Record<string, Schema>> = {
  folder: anyText,
  apiKey: anyText,
  token: anyText,
  ...Object.fromEntries(
    Object.entries(listFlags({ ...commands.generate })).map(([option, { schema }]) => [option, schema]),
  ),
};
