import type { Catalog } from './catalog/read-catalog.ts';
import { selectModels } from './catalog/select-models.ts';
import type { Diagnostic } from './diagnostics.ts';
import type { Digest } from './digest.ts';
import { fetchDocuments } from './documents/fetch-documents.ts';
import { settingsForModels } from './emit/arrange-package.ts';
import { emitModel } from './emit/emit-model.ts';
import type { EmittedFile } from './emit/emitted-file.ts';
import type { ModelBinding } from './model/model-binding.ts';
import { normalise } from './model/normalise.ts';
import { lockName, printLockfile, refuseDifferences } from './output/lockfile.ts';
import { planWrites, type WritePlan } from './output/plan-writes.ts';
import { type PrintedModels, printModels } from './output/print-models.ts';
import { printPackages } from './output/print-packages.ts';
import { applyWrites, openOutputStaging, type StagedOutput } from './output/staged-output.ts';
import type { Ports, Progress } from './ports.ts';
import { stampVersions } from './release/stamp-versions.ts';
import { type GenerationReport, reportGeneration, reportUnselected } from './report/report.ts';
import { type GenerateConfig, type Generation, openGeneration } from './run.ts';

/** For those who look at a run that writes nothing. */
export type Observer = {
  /** Leaves out the packages around the models. */
  readonly modelsAlone?: boolean;
  /** Each model that was read; models whose output is up to date are read by a check alone. */
  readonly sawModel?: (binding: ModelBinding) => void;
  /** The new output, before it takes the place of the old one. */
  readonly sawOutput?: (plan: WritePlan, staged: StagedOutput) => void;
};

/**
 * Catalog to packages: reads every selected model's schema document, and makes the output folder what the documents and
 * settings say. Models fail one by one, as diagnostics. Throws GeneratorError for what ends a run; earlier output then
 * stays as it was, and BrandMismatch where the source uses another brand.
 */
export async function generate(
  config: GenerateConfig,
  ports: Ports,
  onProgress: Progress = () => {},
  { modelsAlone, sawModel, sawOutput }: Observer = {},
): Promise<GenerationReport> {
  const isCheck = config.mode === 'check';
  const staging = await openOutputStaging(isCheck ? undefined : config.outDir, ports.files);
  try {
    const run = openGeneration(config, ports, { staging, onProgress });
    const { source, output, settings, brand, brandWatch } = run;
    const modelSettings = settingsForModels(settings, run.arrangement.layout);
    const catalog = await source.readCatalog();
    const selection = selectModels(catalog.entries, run.selection);
    const documents = fetchDocuments(selection.entries, source, run);
    const models = await printModels(documents, run, ({ snapshot, entry }) => {
      const { binding, diagnostics, brandWords } = normalise(snapshot, entry, brand);
      brandWatch.sawDocument(brandWords);
      if (binding !== undefined) sawModel?.(binding);
      return { diagnostics, files: binding === undefined ? undefined : emitModel(binding, modelSettings) };
    });
    brandWatch.end();
    const requests = { pages: catalog.pages, ...source.end() };
    const packages = modelsAlone === true ? new Map() : await printPackages(models.parts, run);
    const made = { generator: settings.generatorVersion, brand, packages, models: models.parts };
    const plan = stampVersions(planWrites(made, output), run);
    if (run.isFrozen && modelsAlone !== true) refuseDifferences(plan.lock, output.lock);
    sawOutput?.(plan, run.staged);
    const warnings = [
      ...(isCheck ? [] : await saveCache(run, catalog, models, plan.lockDigest)),
      ...(modelsAlone === true ? [] : reportUnselected({ catalog, selection, output, isCheck })),
    ];
    if (!isCheck) applyWrites(plan, output, staging);
    return reportGeneration({ catalog, selection, models, requests, plan, output, warnings, isCheck });
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
  const files: EmittedFile[] = [];
  const sawOutput: Observer['sawOutput'] = ({ writes, lock }, staged) => {
    for (const { kind, path } of writes) if (kind !== 'remove') files.push({ path, contents: staged.read(path) });
    files.push({ path: lockName, contents: printLockfile(lock) });
  };
  const report = await generate({ ...config, mode: 'check' }, ports, onProgress, { sawOutput });
  return { files, report };
}

/** Remembers what the run has read and made. Only time is lost without it, so a failure is a warning. */
function saveCache(
  { cache, output, code }: Generation,
  catalog: Catalog,
  models: PrintedModels,
  lockDigest: Digest,
): Promise<readonly Diagnostic[]> {
  const fingerprint = lockDigest === output.lockDigest ? output.fingerprint : undefined;
  // Models that failed may have files of another generator.
  const isOurs = output.isTrusted || models.failed.length === 0;
  return cache.save({
    catalog: catalog.pages === 0 ? undefined : catalog.entries,
    reported: models.reported,
    output: isOurs ? [lockDigest, { code, fingerprint }] : undefined,
  });
}
