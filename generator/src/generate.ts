import type { CatalogEntry } from './catalog/catalog-entry.ts';
import type { ModelId } from './catalog/model-id.ts';
import { readCatalog } from './catalog/read-catalog.ts';
import { selectModels } from './catalog/select-models.ts';
import type { GenerateConfig, Progress } from './config.ts';
import { type Diagnostic, GeneratorError } from './diagnostics.ts';
import { readPackageSources } from './emit/package-sources.ts';
import { listPackagePrints } from './emit/packages.ts';
import { normalise } from './model/normalise.ts';
import { planOutput } from './output/desired-output.ts';
import { printLockfile } from './output/lockfile.ts';
import { applyWrites, type OutputFolder, openOutput } from './output/output-folder.ts';
import type { WritePlan } from './output/plan-writes.ts';
import type { Ports } from './ports.ts';
import { type GenerationReport, reportGeneration } from './report/report.ts';
import { type Fetched, fetchSchemas } from './schemas/fetch-schemas.ts';
import { openSchemaCache, type SchemaCache } from './schemas/schema-cache.ts';
import { createSource } from './source/source.ts';

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
  const source = createSource(config, ports);
  const { brand } = config.specs.settings;
  const catalog = await readCatalog(source, { brand, onProgress });
  const selection = selectModels(catalog.entries, config.only);
  if (selection.selected.length === 0 && !config.allowEmpty) throw emptyCatalog(catalog.entries.length);

  const cache = await openSchemaCache({ ...config, baseUrl: source.baseUrl }, ports.files);
  const ids = selection.selected.map((entry) => entry.id);
  const fetched = await fetchSchemas(ids, { source, cache, brand, concurrency: config.concurrency, onProgress });
  const cached = config.mode === 'write' ? await saveSnapshots(cache, fetched) : [];

  const normalised = normaliseAll(fetched, selection.selected, config);
  onProgress({ phase: 'output', done: 0 });
  const output = await openOutput(config.outDir, ports.files);
  const failed = [...fetched.failed, ...normalised.failed];
  const plan = await planFor(config, { bindings: normalised.bindings, failed, output }, ports);
  if (config.mode === 'write')
    await applyWrites(plan, { outDir: config.outDir, lockText: output.lockText }, ports.files);

  return reportGeneration({
    models: {
      listed: catalog.entries.length,
      selected: ids.length,
      generated: normalised.bindings.length,
      failed: failed.length,
    },
    requests: { pages: catalog.pages, ...fetched.requests },
    plan,
    lockChanged: printLockfile(plan.lock) !== output.lockText,
    diagnostics: [
      ...[catalog, selection, fetched, normalised].flatMap(({ diagnostics }) => diagnostics),
      ...cached,
      ...damagedLock(output),
    ],
  });
}

function normaliseAll(fetched: Fetched, entries: readonly CatalogEntry[], config: GenerateConfig) {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const results = fetched.snapshots.flatMap((snapshot) => {
    const entry = byId.get(snapshot.modelId);
    return entry === undefined ? [] : [{ entry, ...normalise(snapshot, entry, config.specs.settings.brand) }];
  });
  return {
    bindings: results.flatMap(({ binding }) => (binding === undefined ? [] : [binding])),
    failed: results.flatMap(({ binding, entry }) => (binding === undefined ? [entry.id] : [])),
    diagnostics: results.flatMap(({ diagnostics }) => diagnostics),
  };
}

type Made = { bindings: ReturnType<typeof normaliseAll>['bindings']; failed: readonly ModelId[]; output: OutputFolder };

async function planFor(config: GenerateConfig, { bindings, failed, output }: Made, ports: Ports): Promise<WritePlan> {
  const sources = await readPackageSources(ports.files);
  const settings = { scope: config.scope, generatorVersion: sources.version };
  const packages = (models: readonly ModelId[]) =>
    listPackagePrints({ specs: config.specs, models, sources, settings });
  return planOutput({ bindings, failed, packages, settings, trustLock: config.mode === 'write' }, output);
}

// The cache only saves time: a run whose output can be written is a good run.
async function saveSnapshots(cache: SchemaCache, { snapshots }: Fetched): Promise<Diagnostic[]> {
  try {
    await cache.save(snapshots);
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [
      { severity: 'warning', code: 'cache-unwritable', message: `the snapshot cache could not be written: ${reason}` },
    ];
  }
}

function emptyCatalog(listed: number): GeneratorError {
  const what = listed === 0 ? 'the catalog lists no models' : 'no model of the catalog is selected';
  return new GeneratorError('catalog-empty', what, {
    operation: 'listModels',
    help: 'Generating from nothing would remove every model from the output. Add --allow-empty if that is meant.',
  });
}

function damagedLock({ lock }: OutputFolder): Diagnostic[] {
  if (lock !== 'damaged') return [];
  const message = 'the lockfile cannot be read; files that differ from the new output are taken for edited ones';
  return [{ severity: 'warning', code: 'lockfile-damaged', message }];
}
