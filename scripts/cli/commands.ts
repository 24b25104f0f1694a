import type * as v from 'valibot';
import { optionName, type SettingName, type Settings, settings } from './settings.ts';
import { anyText, type Schema } from './values.ts';

export type CommandRow = {
  readonly description: string;
  /** Arguments with their descriptions. */
  readonly words?: Readonly<Record<string, string>>;
  /** Settings that are flags, in the order of the help text. */
  readonly flags: readonly SettingName[];
  /** More flags by their headings in the help text. */
  readonly groups?: Readonly<Record<string, readonly SettingName[]>>;
};

const specs = ['config', 'brand', 'queueStatuses', 'overlays'] as const;
const generate = ['generate.out', 'generate.version', 'generate.strict', 'check'] as const;
const source = [
  'routerUrl',
  'allowHttp',
  ...specs,
  'generate.cache',
  'generate.deadline',
  'generate.allowEmpty',
  'generate.allowFailed',
  'frozen',
  'offline',
] as const;
const output = [
  'generate.only',
  'generate.scope',
  'generate.layout',
  'generate.routerOnly',
  'generate.outputValidators',
  'generate.typesOnly',
] as const;
const groups = { 'Source:': source, 'What is generated:': output };

/** Commands by name, in the order of the help text; examples are in `templates/help`. */
export const commands = {
  init: {
    description: 'set up the generator in this folder: configuration, scripts, ignore files and CI',
    flags: ['routerUrl', 'generate.out', 'generate.scope', 'generate.layout', 'ci', 'yes', 'force'],
  },
  specs: { description: 'build or check the two OpenAPI documents', flags: [] },
  'specs build': {
    description: 'write the effective documents (brand, queue statuses and overlays applied) as YAML and JSON',
    flags: [...specs, 'specs.out', 'json'],
  },
  'specs check': {
    description: 'validate both documents, their examples and the requirements and assumptions they cite',
    flags: [...specs, 'json'],
  },
  generate: {
    description: 'write typed packages for every model of a catalog, and for both APIs',
    flags: [...generate, 'json'],
    groups,
  },
  verify: {
    description: 'compare generated files with their lockfile, without network or credential',
    words: { '[folder]': 'output folder of generate (default: the one in the configuration)' },
    flags: ['config', 'json'],
  },
  diff: {
    description: 'show how an update of the packages affects their users',
    words: {
      '[before]': 'output folder of generate (default: the one in the configuration)',
      '[after]': 'output folder to compare with (default: what generate would write now)',
    },
    flags: ['base', 'usedBy', 'usedOnly', 'format', 'json'],
    groups,
  },
  docs: {
    description: 'write a static site about every model and both APIs',
    flags: ['docs.out', 'packages', 'json'],
    groups,
  },
  conform: {
    description: 'check a target against the contract',
    flags: [
      ...specs,
      'target',
      'routerUrl',
      'allowHttp',
      'workflowUrl',
      'plan',
      'conform.rules',
      'conform.deadlines.request',
      'conform.deadlines.held',
      'conform.deadlines.rule',
      'conform.deadlines.run',
      'conform.hooks.url',
      'conform.hooks.credential',
      'conform.live.budget',
      'conform.live.maxRps',
      'fault',
      'variant',
      'models',
      'selfCheck',
      'conforming',
      'conformingSeed',
      'listRules',
      'har',
      'conform.out',
      'conform.report',
      'conform.waivers',
      'minChecked',
      'writeBaseline',
      'owner',
      'reason',
      'compare',
      'verbose',
      'json',
    ],
  },
  explain: {
    description: 'explain a rule, a requirement, a code or any other term in the output',
    words: {
      '<name...>':
        'id of a rule, requirement, fault or assumption; code of a diagnostic or finding; an outcome; or words to search for',
    },
    flags: [],
  },
  sandbox: {
    description: 'serve both APIs locally, with state and without billing',
    flags: [
      ...specs,
      'sandbox.port',
      'host',
      'allowRemote',
      'catalog',
      'allowHttp',
      'outcomeModels',
      'cors',
      'seed',
      'clock',
      'log',
      'fault',
      'variant',
      'listFaults',
      'listVariants',
      'json',
    ],
  },
  mock: {
    description: 'serve the examples of both documents with Prism, without state',
    flags: [...specs, 'mock.port', 'json'],
  },
  doctor: {
    description: 'check that generate and conform can run, one line per check',
    flags: ['config', 'brand', 'routerUrl', 'allowHttp', 'workflowUrl', 'conform.live.budget', 'json'],
  },
} as const satisfies Readonly<Record<string, CommandRow>>;

const rows: Settings = settings;
/** Types of the options of the function `generate` and of the bundler plugin. */
export const callSchemas: Readonly<Record<string, Schema>> = {
  folder: anyText,
  apiKey: anyText,
  token: anyText,
  ...Object.fromEntries(
    [...generate, ...source, ...output].flatMap((name) => {
      const row = rows[name];
      return row === undefined ? [] : [[optionName(name, row), row.schema]];
    }),
  ),
};

/** The option of a setting, like the function `optionName`: `out` for `generate.out`, unless its row has a different one. */
type OptionName<Name, Row> = Row extends { option: infer Option extends string }
  ? Option
  : Name extends `${string}.${infer Rest}`
    ? OptionName<Rest, Row>
    : Name;
/** The parsed flags for some settings. */
type FlagsOf<Names extends SettingName> = {
  readonly [Name in Names as OptionName<Name, (typeof settings)[Name]>]?: v.InferInput<
    (typeof settings)[Name]['schema']
  >;
};
export type Flags<Command extends keyof typeof commands> = FlagsOf<(typeof commands)[Command]['flags'][number]>;
export type GenerateFlags = Flags<'generate'> & FlagsOf<(typeof source | typeof output)[number]>;
/** `debug` is a flag of the program itself. */
export type ConformFlags = Flags<'conform'> & { readonly debug?: boolean };
export type DiffFlags = GenerateFlags & Flags<'diff'>;
/** `out` is the folder of the site, `packages` the folder of the generated packages. */
export type DocsFlags = GenerateFlags & Flags<'docs'>;
