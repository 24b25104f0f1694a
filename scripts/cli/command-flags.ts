import type * as v from 'valibot';
import type { GenerateSettings } from './config.ts';
import {
  checkSettings,
  fileSettings,
  outputSettings,
  reportSettings,
  type Settings,
  setting,
  sourceSettings,
  writeSettings,
} from './settings.ts';
import * as values from './values.ts';
import { toggle } from './values.ts';

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

/** The optional peer that renders the two APIs. */
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
/** Every setting that a command reads by its name. */
export const settings = { ...fileSettings, ...sourceFlags, ...specsBuild, ...docs, ...conform, ...sandbox, ...mock };
export type SettingName = keyof typeof settings;
/** The value of a setting, as commands use it. */
export type SettingValue<Name extends SettingName> =
  | v.InferOutput<(typeof settings)[Name]['schema']>
  | ((typeof settings)[Name] extends { default: unknown } ? never : undefined);

type LastPart<Name> = Name extends `${string}.${infer Rest}` ? LastPart<Rest> : Name;
type OptionName<Name, Row> = Row extends { option: infer Option extends string } ? Option : LastPart<Name>;
/** The parsed flags of a command. */
export type Flags<Command extends keyof typeof commandFlags, Rows extends Settings = (typeof commandFlags)[Command]> = {
  readonly [Name in keyof Rows as OptionName<Name, Rows[Name]>]?: v.InferInput<Rows[Name]['schema']>;
};
export type GenerateFlags = GenerateSettings & Flags<'generate'>;
/** `debug` is a flag of the program itself. */
export type ConformFlags = Flags<'conform'> & { readonly debug?: boolean };
export type DiffFlags = GenerateFlags & Flags<'diff'>;
/** `out` is the folder of the site, `packages` that of the generated packages. */
export type DocsFlags = GenerateFlags & Flags<'docs'>;
