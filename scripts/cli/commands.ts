import { findSetting, type SettingAt, type SettingPath } from './settings.ts';
import * as values from './values.ts';
import { anyText, readFacts, type Schema, toggle } from './values.ts';

/** A flag of a command. `Value`: as commands receive it, which is the value as given if the flag overrides a setting. */
export type Flag<Value = unknown> = {
  readonly schema: Schema<unknown, Value>;
  /** With the default, if the flag overrides no setting or its default depends on something else. */
  readonly description: string;
  /** The setting that the flag overrides. */
  readonly sets?: SettingPath;
  /** True if the option is on by default, so that its flag begins with `--no-`. */
  readonly negated?: true;
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

function flag<Value>(schema: Schema<unknown, Value>, description: string, more?: More): Flag<Value> {
  return { schema, description, ...more };
}

/** A flag that overrides a setting. */
function settingFlag<Path extends SettingPath>(sets: Path, description: string, more?: More) {
  const { wrapped, default: fallback } = findSetting(sets) ?? {};
  const shown = ['string', 'number'].includes(typeof fallback) ? ` (default: ${fallback})` : '';
  // The cast is safe: SettingAt<Path> is the type of the setting at this path.
  return { schema: wrapped, description: description + shown, sets, ...more } as Flag<SettingAt<Path>>;
}

const rare = true;
const config = flag(values.path, 'configuration file (default: switchyard.config.ts, if it exists)', { rare });
const json = flag(toggle, 'print the result as JSON');
const allowHttp = flag(toggle, 'allow sending the credential to a public host over plain http', { rare });
const routerUrl = settingFlag('routerUrl', 'base URL of the Model Router', { variable: 'SWITCHYARD_ROUTER_URL' });
const workflowUrl = settingFlag('workflowUrl', 'base URL of the Workflow Execution API', {
  variable: 'SWITCHYARD_WORKFLOW_URL',
});
const out = settingFlag('generate.out', 'output folder for the packages');
const scope = settingFlag(
  'generate.scope',
  'npm scope of the packages (default: that of the output, or else of package.json)',
);
const layout = settingFlag(
  'generate.layout',
  'packages, or a folder of plain files (default: packages if there is a scope)',
);
const budget = settingFlag('conform.live.budget', 'maximum number of runs; only models in conform.live.models run');

const specs = {
  config,
  brand: settingFlag('brand', 'vendor name in headers and extension keys (default: detected, or else Service)', {
    rare,
    argument: '<word>',
  }),
  queueStatuses: settingFlag('queueStatuses', 'names of the two queue statuses (default: IN_QUEUE,IN_PROGRESS)', {
    rare,
  }),
  overlay: settingFlag('overlays', 'OpenAPI Overlay 1.0 documents, applied in order', { rare }),
};

const generate = {
  out,
  packageVersion: settingFlag(
    'generate.version',
    'version of the packages; auto raises it by the changes (default: unchanged)',
  ),
  strict: settingFlag('generate.strict', 'exit with 1 if a model could not be generated'),
  check: flag(toggle, 'write nothing; exit with 1 if the output is outdated'),
};
const source = {
  routerUrl,
  allowHttp,
  ...specs,
  cache: settingFlag('generate.cache', 'folder of the private document cache', { rare }),
  deadline: settingFlag('generate.deadline', 'time limit for reading the models (default: 10m, plus 50ms per model)', {
    rare,
  }),
  allowEmpty: settingFlag('generate.allowEmpty', 'accept an empty catalog', { rare }),
  allowFailed: settingFlag('generate.allowFailed', 'number of unreadable documents to accept', { rare }),
  frozen: flag(toggle, 'generate the documents in switchyard.lock.json, or fail', { rare }),
  offline: flag(toggle, 'send no requests; only read the cache'),
};
const content = {
  only: settingFlag('generate.only', 'only generate models whose id matches; others are removed'),
  scope,
  layout,
  routerOnly: settingFlag('generate.routerOnly', 'omit the client for the Workflow Execution API', { rare }),
  outputValidators: settingFlag('generate.outputValidators', 'also generate validators for outputs', { rare }),
  typesOnly: settingFlag('generate.typesOnly', 'omit validators and runtime schemas', { rare }),
};
const groups = { 'Source:': source, 'What is generated:': content };

/** Faults and variants of the sandbox. */
const deviations = {
  fault: flag(values.ids, 'faults of the sandbox: behaviour that violates the contract', { rare }),
  variant: flag(values.ids, 'variants of the sandbox: allowed but unusual behaviour', { rare }),
};

const conform = {
  ...specs,
  target: flag(
    values.choice('mock', 'sandbox', 'live'),
    'kind of target (default: live if a URL is set, otherwise sandbox)',
  ),
  routerUrl,
  allowHttp,
  workflowUrl,
  plan: flag(toggle, 'list the requests that could start a run; only reads the catalog'),
  rule: settingFlag('conform.rules', 'only check rules whose ids match, and rules that they need'),
  requestDeadline: settingFlag('conform.deadlines.request', 'maximum time to wait for a response (default: 10s)', {
    rare,
  }),
  heldDeadline: settingFlag(
    'conform.deadlines.held',
    'maximum time to wait for a run on a live target (default: 10m)',
    {
      rare,
    },
  ),
  ruleDeadline: settingFlag('conform.deadlines.rule', 'maximum duration of a rule (default: 60s)', { rare }),
  runDeadline: settingFlag('conform.deadlines.run', 'maximum duration of the whole check (default: 10m)', { rare }),
  hooks: settingFlag('conform.hooks.url', 'URL of the test hooks of a staging build', { rare }),
  hooksCredential: settingFlag('conform.hooks.credential', 'source of the token for the test hooks', { rare }),
  budget,
  maxRps: settingFlag('conform.live.maxRps', 'maximum number of requests per second (default: no limit)', { rare }),
  ...deviations,
  models: flag(
    values.modelChoice,
    'models for rules about single models: all, a glob or a number (default: a sample)',
    { rare },
  ),
  selfCheck: flag(toggle, 'check the gate: run all rules against the sandbox, its faults and its variants', {
    rare,
    conflicts: ['target', 'rule', 'fault', 'variant', 'routerUrl', 'workflowUrl'],
  }),
  conforming: flag(
    values.wholeNumber(1, 100_000),
    'with --self-check: use this many random conforming servers instead',
    { rare, argument: '<count>' },
  ),
  seed: flag(values.wholeNumber(0, 2 ** 31), 'with --self-check: seed of the values, or of the random servers', {
    rare,
  }),
  listRules: flag(toggle, 'list the rules with their sentences and exit', { rare }),
  har: flag(values.text, 'check recorded traffic (HAR 1.2) without sending requests', {
    rare,
    argument: '<file>',
    conflicts: [
      ...['target', 'rule', 'fault', 'variant', 'hooks', 'hooksCredential', 'budget', 'plan', 'maxRps', 'models'],
      ...['selfCheck', 'requestDeadline', 'heldDeadline'],
    ],
  }),
  out: settingFlag('conform.out', 'output folder for the reports'),
  report: settingFlag('conform.report', 'additional report formats: sarif, markdown', { argument: '<formats>' }),
  waivers: settingFlag('conform.waivers', 'file with accepted findings (default: conform-waivers.yaml, if it exists)', {
    rare,
  }),
  minChecked: flag(values.wholeNumber(0, 100), 'exit with 4 if less than this percentage of rules was checked', {
    rare,
    argument: '<percent>',
  }),
  writeBaseline: flag(toggle, 'accept all findings for 30 days: add them to the file of --waivers'),
  owner: flag(values.text, 'who is responsible for the findings of --write-baseline', { rare, argument: '<name>' }),
  reason: flag(values.text, 'why the findings are accepted', { rare }),
  compare: flag(values.path, 'result.json of an earlier check, to list new and fixed findings', { rare }),
  verbose: flag(toggle, 'list unchecked rules and all observations, and keep all exchanges'),
  json,
};

const sandbox = {
  ...specs,
  port: flag(values.wholeNumber(0, 65_535), 'port; 0 chooses a free one (default: 4010)'),
  host: flag(values.text, 'address to listen on (default: 127.0.0.1)', { argument: '<name>' }),
  allowRemote: flag(toggle, 'allow a host that other machines can reach', { rare }),
  catalog: flag(
    values.folderOrUrl,
    'serve this folder of documents, generated packages or router URL (default: the built-in one)',
  ),
  allowHttp,
  outcomeModels: flag(toggle, 'with --catalog: serve only that catalog', { rare, negated: true }),
  cors: flag(values.ids, 'origins whose pages may call the APIs; * for all', { rare, argument: '<origin...>' }),
  seed: flag(values.wholeNumber(0, 2 ** 31), 'seed for sampled outputs (default: 1)', { rare }),
  clock: flag(values.choice('real', 'manual'), 'manual: time only moves when it is advanced (default: real)'),
  log: flag(values.choice('off', 'text', 'json'), 'one line per request on standard error (default: off)'),
  ...deviations,
  listFaults: flag(toggle, 'list the faults and exit'),
  listVariants: flag(toggle, 'list the variants and exit'),
  json,
};

const init = {
  routerUrl,
  out,
  scope,
  layout,
  ci: flag(values.choice('github', 'gitlab', 'none'), 'CI file to write (default: the CI of the folder)'),
  yes: flag(toggle, 'write without asking'),
  force: flag(toggle, 'replace files that exist and differ'),
};

const specsBuild = { ...specs, out: flag(values.folder, 'folder to write to (default: .switchyard/specs)'), json };

const diff = {
  base: flag(values.text, 'git revision to compare the folder with', { argument: '<revision>' }),
  usedBy: flag(values.text, 'files that import the packages; changes to what they import come first', {
    argument: '<glob>',
  }),
  usedOnly: flag(toggle, 'only exit with 1 if a change breaks the files of --used-by', { rare }),
  format: flag(values.choice('text', 'markdown'), 'output format (default: text)'),
  json,
};

const docs = {
  out: flag(values.folder, 'output folder for the site (default: .switchyard/docs)'),
  packages: flag(values.folder, 'generated packages; the site lists changes since then (default: the configured ones)'),
  json,
};

const mock = {
  ...specs,
  port: flag(
    values.wholeNumber(0, 65_534),
    'port of the Model Router; the other API gets the next one; 0 chooses free ports (default: 4020)',
  ),
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
    flags: init,
  },
  specs: { description: 'build or check the two OpenAPI documents', flags: {} },
  'specs build': {
    description: 'write the effective documents (brand, queue statuses and overlays applied) as YAML and JSON',
    flags: specsBuild,
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
    flags: diff,
    groups,
  },
  docs: {
    description: 'write a static site about every model and both APIs',
    flags: docs,
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
    flags: mock,
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
export function flagText(option: string, { schema, argument = readFacts(schema).argument, ...flag }: Flag): string {
  if (flag.negated) return flagName(option).replace('--', '--no-');
  return argument === undefined ? flagName(option) : `${flagName(option)} ${argument}`;
}

/** Returns every flag of a command. */
export function listFlags({ flags, groups = {} }: CommandRow): FlagRows {
  return Object.assign({}, flags, ...Object.values(groups));
}

/** The parsed flags of some rows. */
type FlagValues<Rows> = { readonly [Option in keyof Rows]?: ValueOf<Rows[Option]> | undefined };
type ValueOf<Row> = Row extends { schema: Schema<unknown, infer Value> } ? Value : never;

export type Flags<Command extends keyof typeof commands> = FlagValues<(typeof commands)[Command]['flags']>;
export type GenerateFlags = Flags<'generate'> & FlagValues<typeof source & typeof content>;
/** `debug` is a flag of the program itself. */
export type ConformFlags = Flags<'conform'> & { readonly debug?: boolean };
export type DiffFlags = GenerateFlags & Flags<'diff'>;
/** `out` is the folder of the site, `packages` the folder of the generated packages. */
export type DocsFlags = GenerateFlags & Flags<'docs'>;

const { json: _, ...optionFlags } = listFlags(commands.generate);

/** Types of the options of the function `generate` and of the bundler plugin. */
export const callSchemas: Readonly<Record<string, Schema>> = {
  folder: anyText,
  apiKey: anyText,
  token: anyText,
  ...Object.fromEntries(Object.entries(optionFlags).map(([option, { schema }]) => [option, schema])),
};
