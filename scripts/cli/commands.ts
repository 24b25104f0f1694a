import { commandFlags, sourceFlags } from './flags.ts';
import type { CommandIo } from './io.ts';
import type { Settings } from './kinds.ts';
import { outputSettings } from './settings.ts';

export type CommandRows = Readonly<Record<string, CommandRow>>;

export type CommandRow = {
  readonly says: string;
  /** Its arguments, and what they are. */
  readonly words?: Readonly<Record<string, string>>;
  readonly flags?: Settings;
  /** Further flags by the headings that they have in the help text. */
  readonly groups?: Readonly<Record<string, Settings>>;
  /** What runs it, and returns the exit code. The flags and words are those of the row. */
  load?(): Promise<(flags: never, io: CommandIo, ...words: never[]) => number | Promise<number>>;
  /** Commands below it, which take its flags as well. */
  readonly children?: CommandRows;
};

/** The flags that decide what is generated. */
const generation = { 'Source:': sourceFlags, 'What is generated:': outputSettings };

/** Every command by its name, in the order of the help text; examples are in `templates/help`. */
export const commands = {
  // Each action is imported when its command runs: loading all of them takes longer than printing a help text.
  init: {
    says: 'wire the generator into this folder: configuration, scripts, ignore files and CI',
    flags: commandFlags.init,
    load: async () => (await import('./actions/init.ts')).runInit,
  },
  specs: {
    says: 'build or check the two OpenAPI documents',
    children: {
      build: {
        says: 'write the effective documents (brand, queue statuses and overlays applied) as YAML and JSON',
        flags: commandFlags.specsBuild,
        load: async () => (await import('./actions/specs.ts')).buildSpecs,
      },
      check: {
        says: 'validate both documents, their examples and the requirements and assumptions they cite',
        flags: commandFlags.specsCheck,
        load: async () => (await import('./actions/specs.ts')).checkSpecifications,
      },
    },
  },
  generate: {
    says: 'write typed packages for every model of a catalog, and for both APIs',
    flags: commandFlags.generate,
    groups: generation,
    load: async () => (await import('./actions/generate.ts')).runGenerate,
  },
  verify: {
    says: 'compare generated files with their lockfile alone',
    words: { '[folder]': 'output folder of generate (default: that of the configuration)' },
    flags: commandFlags.verify,
    load: async () => (await import('./actions/verify.ts')).runVerify,
  },
  diff: {
    says: 'classify what an update of the packages changes for their users',
    words: {
      '[before]': 'output folder of generate (default: that of the configuration)',
      '[after]': 'output folder to compare with (default: what generate would write now)',
    },
    flags: commandFlags.diff,
    groups: generation,
    load: async () => (await import('./actions/diff.ts')).runDiff,
  },
  docs: {
    says: 'write a static site about every model and both APIs',
    flags: commandFlags.docs,
    groups: generation,
    load: async () => (await import('./actions/docs.ts')).runDocs,
  },
  conform: {
    says: 'check a target against the contract',
    flags: commandFlags.conform,
    load: async () => (await import('./actions/conform.ts')).runConform,
  },
  explain: {
    says: 'say what a rule, a requirement, a code or another word of the output means',
    words: {
      '<name...>':
        'words, or the id of a rule, requirement, fault or assumption; code of a diagnostic or a finding; an outcome',
    },
    flags: commandFlags.explain,
    load: async () => (await import('./actions/explain.ts')).runExplain,
  },
  sandbox: {
    says: 'serve both APIs locally, with state and without billing',
    flags: commandFlags.sandbox,
    load: async () => (await import('./actions/sandbox.ts')).runSandbox,
  },
  mock: {
    says: 'serve the examples of both documents with Prism, without state',
    flags: commandFlags.mock,
    load: async () => (await import('./actions/mock.ts')).runMock,
  },
  doctor: {
    says: 'check what generate and conform depend on, a line for each thing',
    flags: commandFlags.doctor,
    load: async () => (await import('./actions/doctor.ts')).runDoctor,
  },
} satisfies CommandRows;
