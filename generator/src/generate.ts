import type { GenerateConfig, Progress } from './config.ts';
import { type Diagnostic, GeneratorError } from './diagnostics.ts';
import type { EmittedFile } from './emit/emitted-file.ts';
import { type MadeOutput, makeOutput } from './make-output.ts';
import { lockName, printLockfile } from './output/lockfile.ts';
import { applyWrites } from './output/output-folder.ts';
import type { Ports } from './ports.ts';
import { type GenerationReport, reportGeneration } from './report/report.ts';

const attemptsAtMost = 3;

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
  if (config.mode === 'check') return report(await makeOutput(config, ports, { trust: false, onProgress }), []);
  await ports.files.recover(config.outDir);
  for (let attempt = 1; attempt <= attemptsAtMost; attempt++) {
    const made = await makeOutput(config, ports, { trust: true, onProgress });
    const cached = await remember(made);
    const target = { outDir: config.outDir, lockText: made.output.lockText };
    if ((await applyWrites(made.planned.plan, target, ports.files)) === 'done') return report(made, cached);
  }
  throw new GeneratorError('output-contended', `other runs keep changing ${config.outDir}`, {
    operation: 'applyWrites',
    help: 'Let one run at a time write to a folder.',
  });
}

/** What `generate` would make the output folder now, in memory: every file with its contents. Writes nothing. */
export async function previewOutput(
  config: GenerateConfig,
  ports: Ports,
  onProgress: Progress = () => {},
): Promise<{ files: readonly EmittedFile[]; report: GenerationReport }> {
  const made = await makeOutput(config, ports, { trust: false, onProgress });
  const { printed, plan } = made.planned;
  const kept = Object.values(plan.lock.models).flatMap(({ files }) => Object.keys(files));
  const known = new Set(printed.map(({ path }) => path));
  const read = await made.output.contents(kept.filter((path) => !known.has(path)));
  const lock = { path: lockName, contents: printLockfile(plan.lock) };
  const files = [...printed, ...[...read].map(([path, contents]) => ({ path, contents })), lock];
  return { files, report: report(made, []) };
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
    lockChanged: printLockfile(planned.plan.lock) !== output.lockText,
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
