import type { EffectiveSpecs, JsonObject } from '../../specs/src/index.ts';
import { createBrandWatch } from './brand-watch.ts';
import type { Catalog } from './catalog/read-catalog.ts';
import { type Credential, createRouterClient } from './catalog/router-client.ts';
import { selectModels } from './catalog/select-models.ts';
import { type Digest, toDigest } from './content.ts';
import { openDeadline } from './deadline.ts';
import type { Diagnostic } from './diagnostics.ts';
import { type DocumentCache, openDocumentCache } from './documents/document-cache.ts';
import { fetchDocuments } from './documents/fetch-documents.ts';
import { openDocuments } from './documents/open-documents.ts';
import { emitModel } from './emit/emit-model.ts';
import {
  type Arrangement,
  type EmitSettings,
  type EmittedFile,
  type PackageNames,
  settingsFor,
} from './emit/emitted-file.ts';
import { readPackageSources } from './emit/package-sources.ts';
import type { ModelBinding } from './model/model-binding.ts';
import { normalise } from './model/normalise.ts';
import { lockedDocuments, lockName, printLockfile, refuseDifferences, refuseOtherOutput } from './output/lockfile.ts';
import { type Output, openOutput, openOutputStaging } from './output/output-folder.ts';
import { planWrites, type WritePlan } from './output/plan-writes.ts';
import { createIsCurrent, type PrintedModels, printModels, printPackages } from './output/print-parts.ts';
import type { Ports, Progress, Staging } from './ports.ts';
import { stampVersions, type VersionSetting } from './release/stamp-versions.ts';
import type { Acceptance } from './report/acceptances.ts';
import { type GenerationReport, reportGeneration, reportUnselected } from './report/report.ts';

/** Everything a generation depends on beside its ports: nothing below has defaults of its own. */
export type GenerateConfig = {
  routerUrl: string;
  /** Needed for `network`, and to find the cached documents of a generation that is not frozen. */
  credential: Credential | undefined;
  /** Sent with every request, for gateways in front of the router; names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Values that no response may repeat, beside the credential. */
  secrets: readonly string[];
  /** The client's certificate, which a gateway may tell callers apart by. */
  certificate?: string | undefined;
  outDir: string;
  /** Private to the user: model documents are not for shared caches (MR-SCH-11). */
  cacheDir: string;
  specs: EffectiveSpecs;
  packageNames: PackageNames;
  /** Globs over model ids; empty selects all. */
  only: readonly string[];
  concurrency: number;
  /** Of the whole generation; by default ten minutes, and 50 ms for each model. */
  deadlineMs?: number | undefined;
  /** `check` writes nothing, neither output nor cache. */
  mode: 'write' | 'check';
  /** `offline` sends no request and reads the cache alone. */
  source: 'network' | 'offline';
  /** Builds exactly what the lockfile names, or fails; `only` does not apply. */
  frozen: boolean;
  allowEmpty: boolean;
  /** `types` leaves out schemas as data too. The router promises no output schema, so validators of outputs are optional. */
  parts: EmitSettings['parts'];
  arrangement: Arrangement;
  version: VersionSetting;
  accept: readonly Acceptance[];
  /** Settings that shape the output, by name, where they differ from their defaults: the lockfile keeps them. */
  settingsByName?: JsonObject | undefined;
};

/** For those who look at a generation that writes nothing. */
type Observer = {
  /** Leaves out the packages around the models. */
  readonly modelsAlone?: boolean;
  /** Each model that was read; models whose output is up to date are read by a check alone. */
  readonly sawModel?: (binding: ModelBinding) => void;
  /** The new output, before it takes the place of the old one. */
  readonly sawOutput?: (plan: WritePlan, output: Pick<Output, 'read'>) => void;
};

/**
 * Catalog to packages: reads every selected model's schema document, and makes the output folder what the documents and
 * settings say. Models fail one by one, as diagnostics. Throws GeneratorError for what ends it; earlier output then
 * stays as it was, and BrandMismatch where the source uses another brand.
 */
export async function generate(
  config: GenerateConfig,
  ports: Ports,
  onProgress: Progress = () => {},
  { modelsAlone, sawModel, sawOutput }: Observer = {},
): Promise<GenerationReport> {
  const isCheck = config.mode === 'check';
  const staging = await openOutputStaging(isCheck ? undefined : config.outDir, ports.files, onProgress);
  try {
    const generation = openGeneration(config, ports, { staging, onProgress });
    const { source, output, settings, brand, brandWatch } = generation;
    const modelSettings = settingsFor('models', settings, generation.arrangement.layout);
    const catalog = await source.readCatalog();
    const selection = selectModels(catalog.entries, generation.selection);
    generation.deadline.selects(selection.entries.length);
    const documents = fetchDocuments(selection.entries, source, generation);
    const models = await printModels(documents, generation, ({ snapshot, entry }) => {
      const { binding, diagnostics, brandWords } = normalise(snapshot, entry, brand);
      brandWatch.sawDocument(brandWords);
      if (binding !== undefined) sawModel?.(binding);
      return { diagnostics, files: binding === undefined ? undefined : emitModel(binding, modelSettings) };
    });
    brandWatch.end();
    const requests = { pages: catalog.pages, ...source.end() };
    const packages = modelsAlone === true ? new Map() : await printPackages(models.parts, generation);
    const made = {
      generator: settings.generatorVersion,
      brand,
      settings: generation.frozen ? output.lock?.settings : generation.settingsByName,
      packages,
      models: models.parts,
    };
    const plan = stampVersions(planWrites(made, output), generation);
    if (generation.frozen && modelsAlone !== true) refuseDifferences(plan.lock, output.lock);
    sawOutput?.(plan, output);
    const warnings = [
      ...(isCheck ? [] : await saveCache(generation, catalog, models, plan.lockDigest)),
      ...(modelsAlone === true ? [] : reportUnselected({ catalog, selection, output, isCheck })),
    ];
    if (!isCheck) output.apply(plan);
    const accept = { acceptances: config.accept, clock: ports.clock };
    return reportGeneration({ catalog, selection, models, requests, plan, output, warnings, accept, isCheck });
  } finally {
    staging.close();
  }
}

/** What `generate` would make the output folder now, in memory: every file with its contents. Writes nothing. */
export async function previewOutput(
  config: GenerateConfig,
  ports: Ports,
): Promise<{ files: readonly EmittedFile[]; report: GenerationReport }> {
  const files: EmittedFile[] = [];
  const sawOutput: Observer['sawOutput'] = ({ writes, lock }, { read }) => {
    for (const { kind, path } of writes) if (kind !== 'remove') files.push({ path, contents: read(path) });
    files.push({ path: lockName, contents: printLockfile(lock) });
  };
  const report = await generate({ ...config, mode: 'check' }, ports, undefined, { sawOutput });
  return { files, report };
}

/** Remembers what the generation has read and made. Only time is lost without it, so a failure is a warning. */
function saveCache(
  { cache, output, code }: Generation,
  catalog: Catalog,
  models: PrintedModels,
  lockDigest: Digest,
): Promise<readonly Diagnostic[]> {
  const fingerprint = lockDigest === output.lockDigest ? output.fingerprint : undefined;
  // Models that failed may have files of another generator.
  const isOurs = output.isTrusted || models.failed.size === 0;
  return cache.save({
    catalog: catalog.pages === 0 ? undefined : catalog.entries,
    reported: models.reported,
    output: isOurs ? [lockDigest, { code, fingerprint }] : undefined,
  });
}

type Generation = ReturnType<typeof openGeneration>;

/** What the steps of a generation work with: every setting is resolved here. */
function openGeneration(
  config: GenerateConfig,
  ports: Ports,
  { staging, onProgress }: { staging: Staging; onProgress: Progress },
) {
  const { mode, only, allowEmpty, packageNames, parts, arrangement } = config;
  const { files } = ports;
  const deadline = openDeadline(config.deadlineMs, ports.clock);
  const { brand } = config.specs.settings;
  const brandWatch = createBrandWatch(brand);
  const router =
    config.source === 'offline'
      ? undefined
      : createRouterClient({ ...config, brand }, deadline.bound(ports), brandWatch.sawHeaders);
  const sources = readPackageSources(files);
  const settings: EmitSettings = { packageNames, generatorVersion: sources.version, parts };
  const madeFrom = JSON.stringify([sources.digest, { ...settingsFor('models', settings, arrangement.layout), brand }]);
  // Changes with the generator and its settings.
  const code = toDigest(JSON.stringify([sources.code, settings, arrangement, brand]));
  const fromAnyOwner = config.frozen && config.source === 'offline';
  const cache = openDocumentCache(config, files, { readOnly: mode === 'check', fromAnyOwner, say: onProgress });
  // A check relies on nothing that an earlier generation has left.
  const outputs: DocumentCache['outputs'] = mode === 'check' ? new Map() : cache.outputs;
  const output = openOutput(config.outDir, { files, staging }, { outputs, code });
  refuseOtherOutput(config.outDir, output.lock, 'packages');
  return {
    ...config,
    brand,
    brandWatch,
    settings,
    sources,
    code,
    madeFrom,
    cache,
    output,
    onProgress,
    deadline,
    selection: config.frozen ? { only: [], allowEmpty: true } : { only, allowEmpty },
    source: openDocuments(
      { router, cache, isCurrent: createIsCurrent(output), readLocked: () => lockedDocuments(output.lock), onProgress },
      config.frozen,
    ),
  };
}
