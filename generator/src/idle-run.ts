import { type Asked, ask } from './ask.ts';
import type { CatalogEntry } from './catalog/catalog-entry.ts';
import type { GenerateConfig, Progress } from './config.ts';
import { type Digest, digestOf } from './digest.ts';
import { readPackageSources } from './emit/package-sources.ts';
import { lockName } from './output/lockfile.ts';
import { isSettled, lookOf, printWitness, readOwnJson, readWitness, type Witness } from './output/witness.ts';
import type { Ports, Spool, Stamp } from './ports.ts';
import type { GenerationReport } from './report/report.ts';
import { cacheIndexPath } from './schemas/schema-cache.ts';

/** A run that had nothing to do: what it depended on beside the source, and what it said. */
type IdleRun = {
  /** Of the settings, the generator, and how the lockfile and the index of the cache looked. */
  readonly key: Digest;
  /** Files of the output, one to a line, and how they looked. */
  readonly paths: string;
  readonly look: Digest;
  readonly report: GenerationReport;
};
/** Two for each output folder. */
const filesAtMost = 50;

/** The report of an earlier run that had nothing to do, when nothing here is another now; the source has still to be asked. */
export async function recallIdleRun(config: GenerateConfig, ports: Ports): Promise<GenerationReport | undefined> {
  const idle = await readOwnJson<IdleRun>(pathsFor(config).idle, ports.files);
  if (idle === undefined || idle.key !== (await idleKey(config, ports, inputStamps(config, ports)))) return undefined;
  const paths = idle.paths.split('\n').map((path) => `${config.outDir}/${path}`);
  const marks = ports.files.stamps(paths).map((stamp) => stamp?.mark);
  return lookOf(marks) === idle.look ? idle.report : undefined;
}

/** Asks the source what became of the documents of a run that would have nothing to do. */
export function askAfterIdleRun(
  config: GenerateConfig,
  ports: Ports,
  how: { spool: Spool; onProgress: Progress },
): Promise<Asked> {
  return ask(config, ports, {
    ...how,
    lock: undefined,
    standingOf(listing, cache) {
      const before = chargesOf(cache.catalog);
      const now = chargesOf(listing.selected);
      return (model) => (before.has(model) && before.get(model) === now.get(model) ? 'current' : undefined);
    },
  });
}

/** Whether the source says what it said then. */
export function isNothingNew({ listing, gathered, cache }: Asked): boolean {
  return (
    isQuiet({ listing, gathered }) &&
    gathered.snapshots.length === 0 &&
    JSON.stringify(listing.fresh) === JSON.stringify(cache.catalog)
  );
}

/** Whether there is nothing to be said of it; what there is may be gone the next time. */
export function isQuiet({ listing, gathered }: Pick<Asked, 'listing' | 'gathered'>): boolean {
  return listing.diagnostics.length + gathered.diagnostics.length + gathered.failed.length === 0;
}

function chargesOf(entries: readonly CatalogEntry[] | undefined): Map<string, string> {
  return new Map(entries?.map(({ id, chargesOnPolicyRejection }) => [id, chargesOnPolicyRejection]));
}

/** How the files of the output looked when a run last had nothing to do. */
export function recallWitness(config: GenerateConfig, { files }: Ports): Promise<Witness> {
  return readWitness(pathsFor(config).witness, files);
}

/** Remembers a run that found everything as it should be; `isWhole` when the next one may end where this one did. */
export async function rememberIdleRun(
  run: { readonly report: GenerationReport; readonly witness: Witness; readonly isWhole: boolean },
  config: GenerateConfig,
  ports: Ports,
): Promise<void> {
  const { root, witness, idle } = pathsFor(config);
  const inRoot = (path: string): string => path.slice(root.length + 1);
  const writes = [{ path: inRoot(witness), bytes: printWitness(run.witness) }];
  const stamps = inputStamps(config, ports);
  const areSettled = stamps.every((stamp) => stamp !== undefined && isSettled(stamp, ports.clock.now()));
  if (run.isWhole && areSettled) {
    const paths = [...run.witness.keys()];
    const look = lookOf([...run.witness.values()].map(({ mark }) => mark));
    if (look === undefined) return;
    const stored: IdleRun = {
      key: await idleKey(config, ports, stamps),
      paths: paths.join('\n'),
      look,
      report: run.report,
    };
    writes.push({ path: inRoot(idle), bytes: JSON.stringify(stored) });
  }
  await ports.files.exclusively(root, async () => {
    const own = writes.map(({ path }) => path);
    const others = (await ports.files.list(root)).filter((name) => !own.includes(name));
    await ports.files.store({ root, writes, removals: others.slice(filesAtMost) });
  });
}

function pathsFor({ cacheDir, outDir }: GenerateConfig): { root: string; witness: string; idle: string } {
  const root = `${cacheDir}/v2/outputs`;
  const name = digestOf(outDir).slice('sha256:'.length, 40);
  return { root, witness: `${root}/${name}.witness.json`, idle: `${root}/${name}.idle.json` };
}

/** Of what the cache knows and of the lockfile. */
function inputStamps(config: GenerateConfig, { files }: Ports): readonly (Stamp | undefined)[] {
  return files.stamps([cacheIndexPath(config), `${config.outDir}/${lockName}`]);
}

async function idleKey(
  config: GenerateConfig,
  { files }: Ports,
  stamps: readonly (Stamp | undefined)[],
): Promise<Digest> {
  const { code } = await readPackageSources(files);
  const { specs, packageNames, only, frozen, allowEmpty, outputValidators, typesOnly } = config;
  const settings = { packageNames, only, frozen, allowEmpty, outputValidators, typesOnly };
  const marks = stamps.map((stamp) => stamp?.mark);
  return digestOf(JSON.stringify([code, specs.identity ?? specs, settings, marks]));
}
