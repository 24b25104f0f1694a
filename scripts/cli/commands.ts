import { formats, reportFormats } from '../../contract-tests/src/report/formats.ts';
import {
  commandFlags,
  type DiffFlags,
  type DocsFlags,
  type Flags,
  type GenerateFlags,
  redocPackage,
  sourceFlags,
} from './flags.ts';
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
  /** The end of the help text. */
  readonly examples?: string;
  /** Returns the exit code. */
  run?(flags: never, io: CommandIo, ...words: never[]): number | Promise<number>;
  /** Commands below it, which take its flags as well. */
  readonly children?: CommandRows;
};

/** The flags that decide what is generated. */
const generation = { 'Source:': sourceFlags, 'What is generated:': outputSettings };

/** Every command by its name, in the order of the help text. */
export const commands = {
  // Each action is imported when its command runs: loading all of them takes longer than printing a help text.
  init: {
    says: 'wire the generator into this folder: configuration, scripts, ignore files and CI',
    flags: commandFlags.init,
    examples: `
  $ switchyard init
  $ switchyard init --router-url https://router.example --scope @acme --ci github --yes
It shows every change first. Without a terminal it writes only with --yes; a file of yours is replaced only with --force.`,
    run: async (flags: Flags<'init'>, io) => (await import('./actions/init.ts')).runInit(flags, io),
  },
  specs: {
    says: 'build or check the two OpenAPI documents',
    examples: `
  $ switchyard specs build --brand Acme --out build/specs
  $ switchyard specs check`,
    children: {
      build: {
        says: 'write the effective documents (brand, queue statuses and overlays applied) as YAML and JSON',
        flags: commandFlags.specsBuild,
        examples: `
  $ switchyard specs build --brand Acme
  $ switchyard specs build --overlay ours.overlay.yaml --out build/specs`,
        run: async (flags: Flags<'specsBuild'>, io) => (await import('./actions/specs.ts')).buildSpecs(flags, io),
      },
      check: {
        says: 'validate both documents, their examples and the requirements and assumptions they cite',
        flags: commandFlags.specsCheck,
        examples: `
  $ switchyard specs check
  $ switchyard specs check --brand Acme --json`,
        run: async (flags: Flags<'specsCheck'>, io) =>
          (await import('./actions/specs.ts')).checkSpecifications(flags, io),
      },
    },
  },
  generate: {
    says: 'write typed packages for every model of a catalog, and for both APIs',
    flags: commandFlags.generate,
    groups: generation,
    examples: `
  $ SWITCHYARD_API_KEY=… switchyard generate --router-url https://router.example --out packages
  $ switchyard generate --only 'image-provider/*' --check
  $ switchyard generate --frozen --offline
  $ switchyard generate --watch 300
A second generation sends the entity tags it holds, and touches no file when nothing changed.`,
    run: async (flags: GenerateFlags, io) =>
      flags.watch === undefined
        ? (await import('./actions/generate.ts')).runGenerate(flags, io)
        : (await import('./actions/watch.ts')).runWatch(flags, io),
  },
  verify: {
    says: 'compare generated files with their lockfile alone',
    words: { '[folder]': 'output folder of generate (default: that of the configuration)' },
    flags: commandFlags.verify,
    examples: `
  $ switchyard verify
  $ switchyard verify packages --json
It needs no credential, cache or network, so that it also runs for pull requests from forks. It finds accidents, not
tampering: who edits a file and the lockfile is not noticed. generate --check, run where there is a credential, notices both.`,
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
    examples: `
  $ switchyard diff
  $ switchyard diff packages.old packages
  $ switchyard diff packages --router-url https://router.example --format markdown
  $ switchyard diff packages --base origin/main
  $ switchyard diff --used-by 'src/**' --used-only
Without BEFORE: the folder of the configuration. Without AFTER: what generate would write now. Exit code 1 when a change breaks users of the packages.`,
    run: async (flags: DiffFlags, io, before: string | undefined, after: string | undefined) =>
      (await import('./actions/diff.ts')).runDiff({ before, after }, flags, io),
  },
  docs: {
    says: 'write a static site: every model with its fields and a call, search, what changed, and both APIs',
    flags: commandFlags.docs,
    groups: generation,
    examples: `
  $ switchyard docs --router-url https://router.example --out site
  $ switchyard docs --offline
  $ npm install --save-dev ${redocPackage} && switchyard docs
Open index.html from the disk, or serve the folder. The pages hold what the documents say, which are private: show them to
those who may read the documents. Without Redoc, an optional peer, the two APIs have no pages.`,
    run: async (flags: DocsFlags, io) => (await import('./actions/docs.ts')).runDocs(flags, io),
  },
  conform: {
    says: 'check a target against the contract',
    flags: commandFlags.conform,
    examples: `
  $ switchyard conform                                   the configured address; without one, a sandbox for the check
  $ switchyard conform --target mock                     Prism with both documents
  $ switchyard conform --target sandbox --fault ID       see which rules fail
  $ switchyard conform --self-check                      check the rules against every fault and variant
  $ switchyard conform --self-check --derived            check them against every statement of the documents, broken
  $ SWITCHYARD_API_KEY=… switchyard conform --router-url https://router.example
  $ switchyard conform --router-url https://router.example --plan      what a budget would be spent on
  $ switchyard conform --router-url https://router.example --budget 20 --min-checked 40
  $ switchyard conform --router-url URL --shard 1/4 --out part-1    one of four machines
  $ switchyard conform merge part-*                      one report of them
  $ switchyard conform --har traffic.har
  $ switchyard conform --router-url URL --hooks URL --hooks-credential env:STAGING_TOKEN
Addresses of variables and of the configuration are those of a live target.
A live target gets no call that could start a run without --budget, and no more of them with it, whatever it does with them.
Credentials, jobs and models of a live target: conform.live in the configuration; certificates and headers for a gateway: http, as for
generate (docs/how-to/check-a-service.md). Proxies: HTTPS_PROXY, NO_PROXY.
--har applies the rules over whole checks to the traffic of your own tests (docs/how-to/check-recorded-traffic.md).
Test hooks (docs/how-to/offer-test-hooks.md) add the rules that need them; they are never looked for unasked.
Reports in the folder of --out: report.html for people, result.json, junit.xml, the exchanges of each rule that failed (--verbose: of
all rules), and runs.jsonl with each call that may be billed, before it is sent. In GitHub Actions also annotations and the summary of
the step. --report adds ${reportFormats.map((name) => formats[name].file).join(', ')}.
A team with findings starts today: --write-baseline accepts them for 30 days, in conform-waivers.yaml.
Deadlines are kept whatever a target sends: what is computed for longer is stopped, named, and left out.
switchyard explain NAME says what a rule, an outcome (observed) or the code of a finding (value-unexpected) means.
Exit codes: 0 conforms, 1 findings, 2 wrong usage, 3 target not reached or lost, 4 a required rule was not decided, or too few were (--min-checked).`,
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
      '<name>': 'id of a rule, requirement, fault or assumption; code of a diagnostic or a finding; an outcome',
    },
    flags: commandFlags.explain,
    examples: `
  $ switchyard explain catalog.cursor.malformed-is-refused
  $ switchyard explain MR-CAT-50
  $ switchyard explain document-too-large
  $ switchyard explain value-unexpected
  $ switchyard explain observed`,
    run: async (flags: Flags<'explain'>, io, name: string) =>
      (await import('./actions/explain.ts')).runExplain(name, flags, io),
  },
  sandbox: {
    says: 'serve both APIs locally, with state and without billing',
    flags: commandFlags.sandbox,
    examples: `
  $ switchyard sandbox --port 4010
  $ switchyard sandbox --catalog ./my-catalog --brand Acme
  $ switchyard sandbox --fault run.rate-limit.no-retry-after
  $ switchyard sandbox --list-faults --json
  $ switchyard sandbox --db sandbox.sqlite --clock manual --log text
  $ curl -X POST -d '{"by":"25h"}' http://127.0.0.1:4010/__sandbox/clock/advance
A catalog folder holds catalog.json and models/<provider>/<model>/openapi.json.
SIGINT and SIGTERM stop it with exit code 0; 2 is wrong usage, 3 an unusable address or database.`,
    run: async (flags: Flags<'sandbox'>, io) => (await import('./actions/sandbox.ts')).runSandbox(flags, io),
  },
  mock: {
    says: 'serve the examples of both documents with Prism, without state',
    flags: commandFlags.mock,
    examples: `
  $ switchyard mock
  $ switchyard mock --brand Acme --port 0 --json
  $ curl -H 'X-API-Key: any' -H 'Prefer: code=404' http://127.0.0.1:4020/v2/models/image-provider/any`,
    run: async (flags: Flags<'mock'>, io) => (await import('./actions/mock.ts')).runMock(flags, io),
  },
  doctor: {
    says: 'check what generate depends on: configuration, credential, router, proxy, clock, cache and output',
    flags: commandFlags.doctor,
    examples: `
  $ switchyard doctor
  $ switchyard doctor --router-url https://router.example --json`,
    run: async (flags: Flags<'doctor'>, io) => (await import('./actions/doctor.ts')).runDoctor(flags, io),
  },
} satisfies CommandRows;
