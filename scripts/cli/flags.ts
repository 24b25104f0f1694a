import type { GenerateSettings } from './config.ts';
import * as kinds from './kinds.ts';
import { setting } from './kinds.ts';
import {
  checkSettings,
  fileSettings,
  outputSettings,
  reportSettings,
  sourceSettings,
  writeSettings,
} from './settings.ts';

// What each command takes, in the order of its help: settings of the file, and those that a flag or a program alone states.

const { brand, queueStatuses, overlays, routerUrl, workflowUrl } = fileSettings;
const json = { json: setting(kinds.yes, 'print the result as JSON') };
const config = {
  config: setting(kinds.path, 'configuration file', {
    otherwise: 'switchyard.config.ts when present',
    variable: 'SWITCHYARD_CONFIG',
    rare: true,
  }),
};
const router = {
  routerUrl,
  allowHttp: setting(kinds.yes, 'send the credential to a public host over plain http', { rare: true }),
};
/** Each command that reads the specifications takes these. */
export const specFlags = { ...config, brand, queueStatuses, overlays };

export const sourceFlags = {
  ...router,
  ...specFlags,
  ...sourceSettings,
  frozen: setting(kinds.yes, 'build exactly what switchyard.lock.json names, or fail', { rare: true }),
  offline: setting(kinds.yes, 'send no request; read the cache alone'),
};
export const generateFlags = {
  ...writeSettings,
  check: setting(kinds.yes, 'write nothing; exit 1 when a write is due'),
};
/** What a call of `generate`, and the plugin of bundlers, may state. */
export const callSettings = {
  folder: setting(kinds.anyText, 'where the call works'),
  apiKey: setting(kinds.anyText, 'API key of the Model Router'),
  token: setting(kinds.anyText, 'bearer token of the Model Router'),
  ...generateFlags,
  ...sourceFlags,
  ...outputSettings,
};

const sandboxDeviations = {
  fault: setting(kinds.ids, 'faults of the sandbox, by which it violates the contract', { default: [], rare: true }),
  variant: setting(kinds.ids, 'variants of the sandbox: allowed but unusual behaviour', { default: [], rare: true }),
};

/** Of a check, and of its merged parts. */
const reportFlags = {
  ...reportSettings,
  minChecked: setting(kinds.wholeNumber(0, 100), 'exit 4 when fewer of the rules were checked', {
    argument: '<percent>',
    rare: true,
  }),
  writeBaseline: setting(kinds.yes, 'accept every finding of this check for 30 days, in the file of --waivers'),
  owner: setting(kinds.text, 'who answers for the findings of --write-baseline', { argument: '<name>', rare: true }),
  reason: setting(kinds.text, 'why they are accepted', { rare: true }),
  compare: setting(kinds.path, 'result.json of an earlier check: says what is new, fixed and lasting', { rare: true }),
};

/** What neither recorded traffic nor a check of the gate itself takes. */
const ofTargets = ['target', 'rule', 'fault', 'variant'] as const;

const ofOwnRequests = 'hooks hooksCredential budget plan maxRps models selfCheck requestDeadline heldDeadline'.split(
  ' ',
);

/** By the name of the command. */
export const commandFlags = {
  init: {
    routerUrl,
    'generate.out': writeSettings['generate.out'],
    'generate.scope': outputSettings['generate.scope'],
    'generate.layout': outputSettings['generate.layout'],
    ci: setting(kinds.choice('github', 'gitlab', 'none'), 'CI file to write', { otherwise: 'what the folder uses' }),
    yes: setting(kinds.yes, 'write without asking'),
    force: setting(kinds.yes, 'replace files that exist and differ'),
  },
  specsBuild: {
    ...specFlags,
    'specs.out': setting(kinds.folder, 'folder to write to', { default: '.switchyard/specs' }),
    defaultResponses: setting(
      kinds.unless,
      'leave out default responses, for tools that check for undocumented statuses',
      { default: true },
    ),
    ...json,
  },
  specsCheck: { ...specFlags, ...json },
  generate: {
    ...generateFlags,
    ...json,
  },
  verify: { ...config, ...json },
  diff: {
    base: setting(kinds.text, 'compare the folder, by default that of the configuration, with a git revision', {
      argument: '<revision>',
    }),
    usedBy: setting(kinds.text, 'report first what these files use: models and names that they import', {
      argument: '<glob>',
    }),
    usedOnly: setting(kinds.yes, 'exit with 1 only when a change breaks what --used-by names', { rare: true }),
    format: setting(kinds.choice('text', 'markdown', 'json'), 'how to print it', { default: 'text' }),
    ...json,
  },
  docs: {
    'docs.out': setting(kinds.folder, 'folder of the site', { default: '.switchyard/docs' }),
    packages: setting(kinds.folder, 'folder of the generated packages, for what changed since them', {
      otherwise: 'that of the configuration',
    }),
    ...json,
  },
  conform: {
    ...specFlags,
    target: setting(kinds.choice('mock', 'sandbox', 'live'), 'kind of target', {
      otherwise: 'live with an address, else sandbox',
    }),
    ...router,
    workflowUrl,
    plan: setting(
      kinds.yes,
      'print what would be sent to a live target that could start a run, and how many runs at most; send none',
    ),
    ...checkSettings,
    ...sandboxDeviations,
    models: setting(kinds.modelChoice, 'apply rules on single models to all models, those of a glob, or so many', {
      otherwise: 'a sample',
      rare: true,
    }),
    selfCheck: setting(
      kinds.yes,
      'check the gate itself: all rules against a healthy sandbox, every fault and every variant',
      { conflicts: [...ofTargets, 'routerUrl', 'workflowUrl'], rare: true },
    ),
    conforming: setting(
      kinds.wholeNumber(1, 100_000),
      'with --self-check: all rules against so many servers that keep the contract, each in its own way',
      { argument: '<count>', rare: true },
    ),
    conformingSeed: setting(kinds.wholeNumber(0, 2 ** 31), 'seed of the servers of --conforming', {
      option: 'seed',
      otherwise: '1',
      rare: true,
    }),
    derived: setting(
      kinds.yes,
      'with --self-check: break every statement of the documents about a response instead, and print how many of them the rules catch',
      { rare: true },
    ),
    listRules: setting(kinds.yes, 'list the rules with their sentences and exit', { rare: true }),
    har: setting(kinds.text, 'check recorded traffic (HAR 1.2); nothing is sent', {
      argument: '<file>',
      conflicts: [...ofTargets, ...ofOwnRequests],
      rare: true,
    }),
    ...reportFlags,
    verbose: setting(
      kinds.yes,
      'name each rule that was not checked, print all observations, and keep the exchanges of all rules',
    ),
    ...json,
  },
  sandbox: {
    ...specFlags,
    'sandbox.port': setting(kinds.wholeNumber(0, 65_535), 'port; 0 takes a free one', { default: 4010 }),
    host: setting(kinds.text, 'address to listen on', { default: '127.0.0.1', argument: '<name>' }),
    allowRemote: setting(kinds.yes, 'permit a host that other machines can reach', { rare: true }),
    catalog: setting(
      kinds.folderOrAddress,
      'serve this catalog and the outcome models: a folder of documents, generated packages, or the address of a router',
      { otherwise: 'the built-in one' },
    ),
    allowHttp: router.allowHttp,
    outcomeModels: setting(kinds.unless, 'with --catalog: serve that catalog alone', { default: true, rare: true }),
    cors: setting(kinds.ids, 'let pages of these origins call the APIs from a browser; * for all of them', {
      argument: '<origin...>',
      rare: true,
    }),
    seed: setting(kinds.wholeNumber(0, 2 ** 31), 'seed of sampled outputs', { otherwise: '1', rare: true }),
    db: setting(kinds.path, 'keep requests, results and keys in this SQLite file over restarts', {
      otherwise: 'in memory',
    }),
    clock: setting(
      kinds.choice('real', 'manual'),
      'real: runs on, and can be advanced unless there is a --db; manual: moves only when advanced',
      { default: 'real' },
    ),
    workflowAuth: setting(kinds.choice('accounts', 'static', 'optional', 'none'), 'who may call the workflow API', {
      default: 'accounts',
      rare: true,
    }),
    log: setting(kinds.choice('off', 'text', 'json'), 'one line per request on standard error', { default: 'off' }),
    ...sandboxDeviations,
    listFaults: setting(kinds.yes, 'list the faults and exit'),
    listVariants: setting(kinds.yes, 'list the variants and exit'),
    ...json,
  },
  mock: {
    ...specFlags,
    'mock.port': setting(
      kinds.wholeNumber(0, 65_534),
      'port of the Model Router; the Workflow Execution API takes the next one; 0 takes free ports',
      { default: 4020 },
    ),
    ...json,
  },
  explain: json,
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
/** Every setting that one of the commands reads on its own. */
export const settings = { ...fileSettings, ...sourceFlags, ...specsBuild, ...docs, ...conform, ...sandbox, ...mock };
export type SettingName = keyof typeof settings;
/** What commands work with. */
export type SettingValue<Name extends SettingName> = Value<(typeof settings)[Name]>;
type Value<Row> = Row extends { kind: kinds.Kind<infer _, infer One> }
  ? One | (Row extends { default: unknown } ? never : undefined)
  : never;

type Rows = Readonly<Record<string, object>>;
type Last<Name> = Name extends `${string}.${infer Rest}` ? Last<Rest> : Name;
type OptionName<Name, Row> = Row extends { option: infer Option extends string } ? Option : Last<Name>;
type Given<Row> = Row extends { kind: kinds.Kind<infer One, infer _> } ? One : never;
/** What a command line or a program states of these settings. */
type Stated<Settings extends Rows> = {
  [Name in keyof Settings as OptionName<Name, Settings[Name]>]?: Given<Settings[Name]>;
};
/** The flags of a command. */
export type Flags<Command extends keyof typeof commandFlags> = Stated<(typeof commandFlags)[Command]>;
export type GenerateFlags = GenerateSettings & Flags<'generate'>;
/** `debug`: of the program itself. */
export type ConformFlags = Flags<'conform'> & { readonly debug?: boolean };
export type DiffFlags = GenerateFlags & Flags<'diff'>;
/** `out` is the folder of the site, `packages` that of the generated packages. */
export type DocsFlags = GenerateFlags & Flags<'docs'>;

/** The optional peer that renders the two APIs. */
export const redocPackage = 'redoc@2.5.4';
