import { commandFlags, type DiffFlags, type DocsFlags, type Flags, type GenerateFlags, sourceFlags } from './flags.ts';
import type { CommandIo } from './io.ts';
import type { AnySetting } from './kinds.ts';
import { outputSettings } from './settings.ts';

type Settings = Readonly<Record<string, AnySetting>>;

export type CommandRows = Readonly<Record<string, CommandRow>>;

export type CommandRow = {
  readonly says: string;
  /** Its arguments, and what they are. */
  readonly words?: Readonly<Record<string, string>>;
  readonly flags?: Settings;
  /** Further flags by the headings that they have in the help text. */
  readonly groups?: Readonly<Record<string, Settings>>;
  /** Returns the exit code. */
  run?(flags: never, io: CommandIo, ...words: never[]): number | Promise<number>;
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
    run: async (flags: Flags<'init'>, io) => (await import('./actions/init.ts')).runInit(flags, io),
  },
  specs: {
    says: 'build or check the two OpenAPI documents',
    children: {
      build: {
        says: 'write the effective documents (brand, queue statuses and overlays applied) as YAML and JSON',
        flags: commandFlags.specsBuild,
        run: async (flags: Flags<'specsBuild'>, io) => (await import('./actions/specs.ts')).buildSpecs(flags, io),
      },
      check: {
        says: 'validate both documents, their examples and the requirements and assumptions they cite',
        flags: commandFlags.specsCheck,
        run: async (flags: Flags<'specsCheck'>, io) =>
          (await import('./actions/specs.ts')).checkSpecifications(flags, io),
      },
    },
  },
  generate: {
    says: 'write typed packages for every model of a catalog, and for both APIs',
    flags: commandFlags.generate,
    groups: generation,
    run: async (flags: GenerateFlags, io) =>
      flags.watch === undefined
        ? (await import('./actions/generate.ts')).runGenerate(flags, io)
        : (await import('./actions/watch.ts')).runWatch(flags, io),
  },
  verify: {
    says: 'compare generated files with their lockfile alone',
    words: { '[folder]': 'output folder of generate (default: that of the configuration)' },
    flags: commandFlags.verify,
    run: async (flags: Flags<'verify'>, io, folder: string | undefined) =>
      (await import('./actions/verify.ts')).runVerify(folder, flags, io),
  },
  diff: {
    says: 'classify what an update of the packages changes for their users',
    words: {
      '[before]': 'output folder of generate (default: that of the configuration)',
      '[after]': 'output folder to compare with (default: what generate would write now)',
    },
    flags: commandFlags.diff,
    groups: generation,
    run: async (flags: DiffFlags, io, before: string | undefined, after: string | undefined) =>
      (await import('./actions/diff.ts')).runDiff({ before, after }, flags, io),
  },
  docs: {
    says: 'write a static site about every model and both APIs',
    flags: commandFlags.docs,
    groups: generation,
    run: async (flags: DocsFlags, io) => (await import('./actions/docs.ts')).runDocs(flags, io),
  },
  conform: {
    says: 'check a target against the contract',
    flags: commandFlags.conform,
    run: async (flags: Flags<'conform'>, io) => (await import('./actions/conform.ts')).runConform(flags, io),
    children: {
      merge: {
        says: 'join the parts of a check with --shard into one report',
        words: { '<folder...>': 'folders of the parts' },
        flags: commandFlags.merge,
        run: async (flags: Flags<'conform'>, io, folders: string[]) =>
          (await import('./actions/conform.ts')).mergeParts(folders, flags, io),
      },
    },
  },
  explain: {
    says: 'say what a rule, a requirement, a code or another word of the output means',
    words: {
      '<name...>':
        'words, or the id of a rule, requirement, fault or assumption; code of a diagnostic or a finding; an outcome',
    },
    flags: commandFlags.explain,
    run: async (flags: Flags<'explain'>, io, words: string[]) =>
      (await import('./actions/explain.ts')).runExplain(words, flags, io),
  },
  sandbox: {
    says: 'serve both APIs locally, with state and without billing',
    flags: commandFlags.sandbox,
    run: async (flags: Flags<'sandbox'>, io) => (await import('./actions/sandbox.ts')).runSandbox(flags, io),
  },
  mock: {
    says: 'serve the examples of both documents with Prism, without state',
    flags: commandFlags.mock,
    run: async (flags: Flags<'mock'>, io) => (await import('./actions/mock.ts')).runMock(flags, io),
  },
  doctor: {
    says: 'check what generate depends on, from the configuration to the output',
    flags: commandFlags.doctor,
    run: async (flags: Flags<'doctor'>, io) => (await import('./actions/doctor.ts')).runDoctor(flags, io),
  },
} satisfies CommandRows;
