import { selectModels } from './catalog/select-models.ts';
import type { Diagnostic } from './diagnostics.ts';
import { fetchDocuments } from './documents/fetch-documents.ts';
import { emitModel } from './emit/emit-model.ts';
import type { EmittedFile } from './emit/emitted-file.ts';
import { normalise } from './model/normalise.ts';
import { lockName, printLockfile, refuseDifferences } from './output/lockfile.ts';
import { planWrites } from './output/plan-writes.ts';
import { printModels } from './output/print-models.ts';
import { printPackages } from './output/print-packages.ts';
import { applyWrites, openOutputStaging } from './output/staged-output.ts';
import type { Ports, Progress } from './ports.ts';
import { type GenerationReport, reportGeneration } from './report/report.ts';
import { type GenerateConfig, type GenerateRun, openRun } from './run.ts';

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
  const isCheck = config.mode === 'check';
  const staging = await openOutputStaging(isCheck ? undefined : config.outDir, ports.files);
  try {
    const run = openRun(config, ports, { staging, onProgress });
    const made = await prepareOutput(run);
    if (isCheck) return report(made, run, []);
    const warnings = await saveCache(made, run);
    applyWrites(made.plan, run.output, staging);
    return report(made, run, warnings);
  } finally {
    staging.close();
  }
}

/** What `generate` would make the output folder now, in memory: every file with its contents. Writes nothing. */
export async function previewOutput(
  config: GenerateConfig,
  ports: Ports,
  onProgress: Progress = () => {},
): Promise<{ files: readonly EmittedFile[]; report: GenerationReport }> {
  const staging = await openOutputStaging(undefined, ports.files);
  try {
    const run = openRun({ ...config, mode: 'check' }, ports, { staging, onProgress });
    const made = await prepareOutput(run);
    const paths = made.plan.writes.flatMap(({ kind, path }) => (kind === 'remove' ? [] : [path]));
    const files = paths.map((path) => ({ path, contents: run.staged.read(path) }));
    return {
      files: [...files, { path: lockName, contents: printLockfile(made.plan.lock) }],
      report: report(made, run, []),
    };
  } finally {
    staging.close();
  }
}

type PreparedOutput = Awaited<ReturnType<typeof prepareOutput>>;

/** The pipeline from catalog to plan. New files lie in the staging folder afterwards; nothing else is written. */
async function prepareOutput(run: GenerateRun) {
  const { source, output, settings, brand } = run;
  const catalog = await source.readCatalog();
  const selection = selectModels(catalog.entries, run.selection);
  const documents = fetchDocuments(selection.entries, source, run);
  const models = await printModels(documents, run, ({ snapshot, entry }) => {
    const { binding, diagnostics } = normalise(snapshot, entry, brand);
    return { diagnostics, files: binding === undefined ? undefined : emitModel(binding, settings) };
  });
  const requests = { pages: catalog.pages, ...source.end() };
  const packages = await printPackages(models.parts, run);
  const plan = planWrites({ generator: settings.generatorVersion, packages, models: models.parts }, output);
  if (run.isFrozen) refuseDifferences(plan.lock, output.lock);
  return { catalog, selection, models, requests, plan };
}

/** Remembers what the run has read and made. Only time is lost without it, so a failure is a warning. */
function saveCache(
  { catalog, models, plan }: PreparedOutput,
  { cache, output, sources }: GenerateRun,
): Promise<readonly Diagnostic[]> {
  const { lockDigest } = plan;
  const fingerprint = lockDigest === output.lockDigest ? output.fingerprint : undefined;
  // Models that failed may have files of another generator.
  const isOurs = output.isTrusted || models.failed.length === 0;
  return cache.save({
    catalog: catalog.pages === 0 ? undefined : catalog.entries,
    reported: models.reported,
    output: isOurs ? [lockDigest, { code: sources.code, fingerprint }] : undefined,
  });
}

function report(
  { catalog, selection, models, requests, plan }: PreparedOutput,
  { output }: GenerateRun,
  warnings: readonly Diagnostic[],
): GenerationReport {
  const counts = {
    listed: catalog.entries.length,
    selected: selection.entries.length,
    generated: models.generated,
    failed: models.failed.length,
  };
  const diagnostics = [...catalog.diagnostics, ...selection.diagnostics, ...models.diagnostics, ...warnings];
  return reportGeneration({ models: counts, requests, plan, output, diagnostics });
}
