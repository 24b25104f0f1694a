import type * as v from 'valibot';
import {
  checkSettings,
  fileSettings,
  optionName,
  outputSettings,
  rare,
  reportSettings,
  type Setting,
  type Settings,
  setting,
  sourceSettings,
  writeSettings,
} from './settings.ts';
import * as values from './values.ts';
import { type Schema, toggle } from './values.ts';

const { brand, queueStatuses, overlays, routerUrl, workflowUrl } = fileSettings;
const json = { json: setting(toggle, 'print the result as JSON') };
const config = {
  config: rare(values.path, 'configuration file', { defaultNote: 'switchyard.config.ts, if it exists' }),
};
const router = {
  routerUrl,
  allowHttp: rare(toggle, 'allow sending the credential to a public host over plain http'),
};
const specFlags = { ...config, brand, queueStatuses, overlays };
const sandboxDeviations = {
  fault: rare(values.ids, 'faults of the sandbox: behaviour that violates the contract', { default: [] }),
  variant: rare(values.ids, 'variants of the sandbox: allowed but unusual behaviour', { default: [] }),
};
const generateFlags = {
  ...writeSettings,
  check: setting(toggle, 'write nothing; exit with 1 if the output is outdated'),
};
export const sourceFlags = {
  ...router,
  ...specFlags,
  ...sourceSettings,
  frozen: rare(toggle, 'generate exactly the documents listed in switchyard.lock.json, or fail'),
  offline: setting(toggle, 'send no requests; only read the cache'),
};
/** Flags of generate, diff and docs, by their headings in the help. */
export const generationFlags = { 'Source:': sourceFlags, 'What is generated:': outputSettings };
/** Types of the options of the function `generate` and of the bundler plugin. */
export const callSchemas: Readonly<Record<string, Schema>> = {
  folder: values.anyText,
  apiKey: values.anyText,
  token: values.anyText,
  ...Object.fromEntries(
    Object.entries<Setting>({ ...generateFlags, ...sourceFlags, ...outputSettings }).map(([name, row]) => [
      optionName(name, row),
      row.schema,
    ]),
  ),
};

const targetOptions = ['target', 'rule', 'fault', 'variant'] as const;
const requestOptions = ['hooks', 'hooksCredential', 'budget', 'plan', 'maxRps', 'models'] as const;
const harConflicts = [...targetOptions, ...requestOptions, 'selfCheck', 'requestDeadline', 'heldDeadline'];

/** The optional peer dependency that renders the pages of the two APIs. */
export const redocPackage = 'redoc@2.5.4';

/** The flags of each command, in the order of its help. */
export const commandFlags = {
  init: {
    routerUrl,
    'generate.out': writeSettings['generate.out'],
    'generate.scope': outputSettings['generate.scope'],
    'generate.layout': outputSettings['generate.layout'],
    ci: setting(values.choice('github', 'gitlab', 'none'), 'CI file to write', { defaultNote: 'the CI of the folder' }),
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
    base: setting(values.text, 'git revision to compare the folder with; the default folder is the configured one', {
      argument: '<revision>',
    }),
    usedBy: setting(values.text, 'files that import the packages; changes to what they import are reported first', {
      argument: '<glob>',
    }),
    usedOnly: rare(toggle, 'only exit with 1 if a change breaks the files of --used-by'),
    format: setting(values.choice('text', 'markdown'), 'output format', { default: 'text' }),
    ...json,
  },
  docs: {
    'docs.out': setting(values.folder, 'output folder for the site', { default: '.switchyard/docs' }),
    packages: setting(
      values.folder,
      'folder of the generated packages; the site lists the changes since they were generated',
      { defaultNote: 'the one in the configuration' },
    ),
    ...json,
  },
  conform: {
    ...specFlags,
    target: setting(values.choice('mock', 'sandbox', 'live'), 'kind of target', {
      defaultNote: 'live if a URL is set, otherwise sandbox',
    }),
    ...router,
    workflowUrl,
    plan: setting(
      toggle,
      'list the requests that could start a run, and the maximum number of runs; only reads the catalog',
    ),
    ...checkSettings,
    ...sandboxDeviations,
    models: rare(values.modelChoice, 'models for rules about individual models: all, a glob, or a number of models', {
      defaultNote: 'a sample',
    }),
    selfCheck: rare(
      toggle,
      'check the gate itself: run all rules against a healthy sandbox, every fault and every variant',
      { conflicts: [...targetOptions, 'routerUrl', 'workflowUrl'] },
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
    derived: rare(
      toggle,
      'with --self-check: violate each statement that the documents make about responses, and report how many violations the rules detect',
    ),
    listRules: rare(toggle, 'list the rules with their sentences and exit'),
    har: rare(values.text, 'check recorded traffic (HAR 1.2) without sending requests', {
      argument: '<file>',
      conflicts: harConflicts,
    }),
    ...reportSettings,
    minChecked: rare(values.wholeNumber(0, 100), 'exit with 4 if less than this percentage of rules was checked', {
      argument: '<percent>',
    }),
    writeBaseline: setting(toggle, 'accept all findings of this check for 30 days: adds them to the file of --waivers'),
    owner: rare(values.text, 'who is responsible for the findings of --write-baseline', { argument: '<name>' }),
    reason: rare(values.text, 'why the findings are accepted'),
    compare: rare(values.path, 'result.json of an earlier check; the report lists new, fixed and remaining findings'),
    verbose: setting(toggle, 'also list unchecked rules and all observations, and keep the exchanges of all rules'),
    ...json,
  },
  sandbox: {
    ...specFlags,
    'sandbox.port': setting(values.wholeNumber(0, 65_535), 'port; 0 chooses a free one', { default: 4010 }),
    host: setting(values.text, 'address to listen on', { default: '127.0.0.1', argument: '<name>' }),
    allowRemote: rare(toggle, 'allow a host that other machines can reach'),
    catalog: setting(
      values.folderOrAddress,
      'serve this catalog and the outcome models: a folder of documents, generated packages, or the URL of a router',
      { defaultNote: 'the built-in one' },
    ),
    allowHttp: router.allowHttp,
    outcomeModels: rare(toggle, 'with --catalog: serve only that catalog', { default: true }),
    cors: rare(values.ids, 'origins whose pages may call the APIs from a browser; * for all origins', {
      argument: '<origin...>',
    }),
    seed: rare(values.wholeNumber(0, 2 ** 31), 'seed for sampled outputs', { defaultNote: '1' }),
    db: setting(values.path, 'SQLite file that keeps requests, results and keys across restarts', {
      defaultNote: 'in memory',
    }),
    clock: setting(
      values.choice('real', 'manual'),
      'real: follows real time, and can be advanced unless --db is set; manual: only moves when advanced',
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
      'port of the Model Router; the Workflow Execution API uses the next one; 0 chooses free ports',
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
/** Every setting that a command reads by its name. */
export const settings = { ...fileSettings, ...sourceFlags, ...specsBuild, ...docs, ...conform, ...sandbox, ...mock };
export type SettingName = keyof typeof settings;
/** The value of a setting, as commands use it. */
export type SettingValue<Name extends SettingName> =
  | v.InferOutput<(typeof settings)[Name]['schema']>
  | ((typeof settings)[Name] extends { default: unknown } ? never : undefined);

/** The option of a setting, like the function `optionName`: `out` for `generate.out`, unless its row has a different one. */
type OptionName<Name, Row> = Row extends { option: infer Option extends string }
  ? Option
  : Name extends `${string}.${infer Rest}`
    ? OptionName<Rest, Row>
    : Name;
/** The parsed flags for some settings. */
type FlagsOf<Rows extends Settings> = {
  readonly [Name in keyof Rows as OptionName<Name, Rows[Name]>]?: v.InferInput<Rows[Name]['schema']>;
};
export type Flags<Command extends keyof typeof commandFlags> = FlagsOf<(typeof commandFlags)[Command]>;
export type GenerateFlags = Flags<'generate'> & FlagsOf<typeof sourceFlags & typeof outputSettings>;
/** `debug` is a flag of the program itself. */
export type ConformFlags = Flags<'conform'> & { readonly debug?: boolean };
export type DiffFlags = GenerateFlags & Flags<'diff'>;
/** `out` is the folder of the site, `packages` the folder of the generated packages. */
export type DocsFlags = GenerateFlags & Flags<'docs'>;
