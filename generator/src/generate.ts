import type { Asked } from './ask.ts';
import type { GenerateConfig, Progress } from './config.ts';
import { type Diagnostic, GeneratorError } from './diagnostics.ts';
import type { EmittedFile } from './emit/emitted-file.ts';
import { askAfterIdleRun, isNothingNew, isQuiet, recallIdleRun, rememberIdleRun } from './idle-run.ts';
import { type MadeOutput, makeOutput } from './make-output.ts';
import { lockName } from './output/lockfile.ts';
import { applyWrites } from './output/output-folder.ts';
import { textOf } from './output/printed-file.ts';
import type { Ports, Spool } from './ports.ts';
import { type GenerationReport, reportGeneration } from './report/report.ts';

// Other runs into the same folder end, too; on a busy machine several may come first.
const attemptsAtMost = 12;

/**
 * Catalog to packages: reads every selected model's schema document, and makes the output folder what the documents and
 * settings say. Models fail one by one, as diagnostics. Throws GeneratorError for what ends a run; earlier output then
 * stays as it was.
 */
export async function generate(
  config: GenerateConfig,
  ports: Ports,
  onProgress: Progress = () => {},
): Promise<GenerationReport> {
  return withSpool(ports, async (spool) => {
    const how = { spool, onProgress };
    if (config.mode === 'check')
      return report(await makeOutput(config, ports, { ...how, trust: false, asked: undefined }), []);
    await ports.files.recover(config.outDir);
    const idle = await recallIdleRun(config, ports);
    if (idle === undefined) return write(config, ports, { ...how, asked: undefined });
    if (config.source === 'offline') return idle;
    const asked = config.frozen === true ? undefined : await askAfterIdleRun(config, ports, how);
    if (asked === undefined || !isNothingNew(asked)) return write(config, ports, { ...how, asked });
    return { ...idle, requests: { pages: asked.listing.pages, ...asked.gathered.requests } };
  });
}

async function write(
  config: GenerateConfig,
  ports: Ports,
  { asked, ...how }: { spool: Spool; onProgress: Progress; asked: Asked | undefined },
): Promise<GenerationReport> {
  for (let attempt = 1; attempt <= attemptsAtMost; attempt++) {
    const made = await makeOutput(config, ports, { ...how, trust: true, asked: attempt === 1 ? asked : undefined });
    const cached = await remember(made);
    const target = { outDir: config.outDir, before: made.output.lockText };
    if ((await applyWrites(made.planned, target, ports.files)) !== 'done') continue;
    const told = report(made, cached);
    if (!told.changed && cached.length === 0) await rememberIdle(told, made, { config, ports });
    return told;
  }
  throw new GeneratorError('output-contended', `other runs keep changing ${config.outDir}`, {
    operation: 'applyWrites',
    help: 'Let one run at a time write to a folder.',
  });
}

// It only saves time.
async function rememberIdle(
  told: GenerationReport,
  made: MadeOutput,
  { config, ports }: { config: GenerateConfig; ports: Ports },
): Promise<void> {
  const { settled, locked, readAgain } = made.output;
  const isWhole = settled.size === locked.size && made.failed.length === 0 && isQuiet(made);
  if (readAgain === 0 && !isWhole) return;
  const requests = { pages: 0, asked: 0, notModified: 0, fetched: 0 };
  const idle = { report: { ...told, requests }, witness: settled, isWhole };
  await rememberIdleRun(idle, config, ports).catch(() => {});
}

/** What `generate` would make the output folder now, in memory: every file with its contents. Writes nothing. */
export async function previewOutput(
  config: GenerateConfig,
  ports: Ports,
  onProgress: Progress = () => {},
): Promise<{ files: readonly EmittedFile[]; report: GenerationReport }> {
  return withSpool(ports, async (spool) => {
    const made = await makeOutput(config, ports, { trust: false, asked: undefined, spool, onProgress });
    const { printed, plan, lockText } = made.planned;
    const kept = Object.values(plan.lock.models).flatMap(({ files }) => Object.keys(files));
    const known = new Set(printed.map(({ path }) => path));
    const read = await made.output.contents(kept.filter((path) => !known.has(path)));
    const files = [
      ...printed.map((file) => ({ path: file.path, contents: textOf(file) })),
      ...[...read].map(([path, contents]) => ({ path, contents })),
      { path: lockName, contents: lockText },
    ];
    return { files, report: report(made, []) };
  });
}

async function withSpool<T>({ files }: Ports, work: (spool: Spool) => Promise<T>): Promise<T> {
  const spool = files.openSpool();
  try {
    return await work(spool);
  } finally {
    spool.close();
  }
}

function report(made: MadeOutput, cached: readonly Diagnostic[]): GenerationReport {
  const { listing, gathered, planned, output } = made;
  return reportGeneration({
    models: {
      listed: listing.listed,
      selected: listing.selected.length,
      generated: made.generated,
      failed: made.failed.length,
    },
    requests: { pages: listing.pages, ...gathered.requests },
    plan: planned.plan,
    lockChanged: planned.lockText !== output.lockText,
    diagnostics: [...made.diagnostics, ...cached, ...(output.isDamaged ? [damagedLock] : [])],
  });
}

// The cache only saves time: a run whose output can be written is a good run.
async function remember(made: MadeOutput): Promise<Diagnostic[]> {
  try {
    await made.remember();
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [
      { severity: 'warning', code: 'cache-unwritable', message: `the snapshot cache could not be written: ${reason}` },
    ];
  }
}

const damagedLock: Diagnostic = {
  severity: 'warning',
  code: 'lockfile-damaged',
  message: 'the lockfile cannot be read; files that differ from the new output are taken for edited ones',
};
