import type { Brand, EffectiveSpecs, JsonObject } from '../../specs/src/index.ts';
import type { Catalog } from './catalog/read-catalog.ts';
import { type Credential, createRouterClient, type RouterClient } from './catalog/router-client.ts';
import { type ModelSelection, selectModels } from './catalog/select-models.ts';
import { type Digest, toDigest } from './content.ts';
import { type Deadline, openDeadline } from './deadline.ts';
import type { Diagnostic } from './diagnostics.ts';
import { type DocumentCache, openDocumentCache } from './documents/document-cache.ts';
import { type DocumentSource, fetchDocuments } from './documents/fetch-documents.ts';
import { openDocuments } from './documents/open-documents.ts';
import {
  type Arrangement,
  type EmitSettings,
  type EmittedFile,
  type PackageNames,
  settingsFor,
} from './emit/emitted-file.ts';
import { type PackageSources, readPackageSources } from './emit/package-sources.ts';
import type { ModelBinding } from './model/model-binding.ts';
import {
  type LockedPackage,
  type Lockfile,
  lockedDocuments,
  lockName,
  printLockfile,
  refuseDifferences,
  refuseOtherOutput,
} from './output/lockfile.ts';
import { type Output, openOutput, openOutputStaging } from './output/output-folder.ts';
import { planWrites, type WritePlan } from './output/plan-writes.ts';
import {
  createIsCurrent,
  type PrintedModels,
  printModels,
  printPackages,
  refuseOtherBrand,
} from './output/print-parts.ts';
import type { Ports, Progress } from './ports.ts';
import { stampVersions, type VersionSetting } from './release/stamp-versions.ts';
import { type GenerationReport, reportGeneration, reportUnselected } from './report/report.ts';

/** All inputs of a run of the generator except its ports. Callers resolve defaults. */
export type GenerateConfig = {
  routerUrl: string;
  /** Required for the source `network`. Each credential has its own cached documents, which offline runs use. */
  credential: Credential | undefined;
  /** Headers for gateways in front of the router, sent with every request. Names are in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Secrets in addition to the credential; responses that repeat one are rejected. */
  secrets: readonly string[];
  /** The client certificate, by which a gateway may identify the caller. */
  certificate?: string | undefined;
  outDir: string;
  /** Must be private to the user: model documents may not be stored in shared caches (MR-SCH-11). */
  cacheDir: string;
  specs: EffectiveSpecs;
  packageNames: PackageNames;
  /** Globs over model ids; empty selects all. */
  only: readonly string[];
  concurrency: number;
  /** Deadline of the whole run. Default: ten minutes, plus 50 ms for each model. */
  deadlineMs?: number | undefined;
  /** `check` writes neither the output nor the cache. */
  mode: 'write' | 'check';
  /** `offline` only reads the cache and sends no requests. */
  source: 'network' | 'offline';
  /** Uses exactly the documents listed in the lockfile, or fails; `only` is ignored. */
  frozen: boolean;
  allowEmpty: boolean;
  /** `types` also omits schemas as data. Output validators are optional, because the router doesn't guarantee output schemas. */
  parts: EmitSettings['parts'];
  arrangement: Arrangement;
  version: VersionSetting;
  /** Settings that affect the output and differ from their defaults, by name. They are saved in the lockfile. */
  settingsByName?: JsonObject | undefined;
};

/**
 * Generates packages from a catalog: reads the schema document of every selected model and writes the output folder. A
 * model that fails is reported in the diagnostics and keeps its last files. Throws GeneratorError if the whole run fails,
 * and BrandMismatch if the source uses a different brand. In both cases, the output folder stays unchanged.
 */
export function generate(
  config: GenerateConfig,
  ports: Ports,
  onProgress: Progress = () => {},
): Promise<GenerationReport> {
  return withGeneration(config, ports, onProgress, async (generation) => {
    const { cache, output, code, isCheck } = generation;
    const result = await makeOutput(generation);
    if (isCheck) return reportOutput(generation, result);
    const { catalog, models, plan } = result;
    // Save documents and diagnostics in the cache, so that the next run is faster. If this fails, only warn.
    const warnings = await cache.save({
      catalog: catalog.pages === 0 ? undefined : catalog.entries,
      reported: models.reported,
      // The files of failed models may be from an earlier generator version, so such an output isn't recorded.
      output: output.isTrusted || models.failed.size === 0 ? [plan.lockDigest, code] : undefined,
    });
    output.apply(plan);
    return reportOutput(generation, { ...result, warnings: [...warnings, ...result.warnings] });
  });
}

/** Returns the paths and contents of the files that `generate` would write. Writes nothing. */
export function previewOutput(
  config: GenerateConfig,
  ports: Ports,
): Promise<{ files: readonly EmittedFile[]; report: GenerationReport }> {
  return withGeneration(
    { ...config, mode: 'check' },
    ports,
    () => {},
    async (generation) => {
      const result = await makeOutput(generation);
      const paths = result.plan.writes.flatMap(({ kind, path }) => (kind === 'remove' ? [] : [path]));
      const files = paths.map((path) => ({ path, contents: generation.output.read(path) }));
      files.push({ path: lockName, contents: printLockfile(result.plan.lock) });
      return { files, report: reportOutput(generation, result) };
    },
  );
}

/** Calls `onModel` for each model of a source, then `use`, which can read the new files. Writes nothing. */
export function previewModels<Result>(
  config: GenerateConfig,
  ports: Ports,
  onProgress: Progress,
  onModel: (model: ModelBinding) => void,
  use: (preview: { lock: Lockfile; read: (path: string) => string; report: GenerationReport }) => Result,
): Promise<Result> {
  return withGeneration({ ...config, mode: 'check' }, ports, onProgress, async (generation) => {
    const read = await readModels(generation, onModel);
    const result = { ...read, plan: planOutput(generation, read.models, new Map()), warnings: [] };
    const report = reportOutput(generation, result);
    return use({ lock: result.plan.lock, read: generation.output.read, report });
  });
}

type PrintedOutput = ReadModels & { readonly plan: WritePlan; readonly warnings: readonly Diagnostic[] };
type ReadModels = {
  readonly catalog: Catalog;
  readonly selection: ModelSelection;
  readonly models: PrintedModels;
  readonly requests: GenerationReport['requests'];
};

/** Prints every file into the staging folder and plans the changes to the output folder. */
async function makeOutput(generation: Generation): Promise<PrintedOutput> {
  const read = await readModels(generation, () => {});
  const packages = await printPackages(read.models.parts, generation);
  const plan = planOutput(generation, read.models, packages);
  const { output, isCheck, frozen } = generation;
  if (frozen) refuseDifferences(plan.lock, output.lock);
  return { ...read, plan, warnings: reportUnselected({ ...read, output, isCheck }) };
}

/** Reads the catalog, selects models, reads their documents and prints the files of each model. */
async function readModels(generation: Generation, onModel: (model: ModelBinding) => void): Promise<ReadModels> {
  const { source, brand, router, deadline, arrangement } = generation;
  const catalog = await source.readCatalog();
  const selection = selectModels(catalog.entries, generation.selection);
  deadline.selects(selection.entries.length);
  const documents = fetchDocuments(selection.entries, source, generation);
  const settings = settingsFor('models', generation.settings, arrangement.layout);
  const models = await printModels(documents, { ...generation, settings }, onModel);
  refuseOtherBrand(brand, { documents: models.brandWords, headers: router?.headerNames ?? [] });
  return { catalog, selection, models, requests: { pages: catalog.pages, ...source.end() } };
}

function planOutput(
  generation: Generation,
  models: PrintedModels,
  packages: ReadonlyMap<string, LockedPackage>,
): WritePlan {
  const { brand, output, frozen } = generation;
  const generator = generation.settings.generatorVersion;
  const settings = frozen ? output.lock?.settings : generation.settingsByName;
  const newOutput = { generator, brand, settings, packages, models: models.parts };
  return stampVersions(planWrites(newOutput, output), generation);
}

function reportOutput({ output, isCheck }: Generation, result: PrintedOutput): GenerationReport {
  return reportGeneration({ ...result, output, isCheck });
}

/** A run of the generator: its settings, and the objects that its steps share. */
type Generation = Omit<GenerateConfig, 'source'> & {
  readonly isCheck: boolean;
  readonly brand: Brand;
  /** Undefined for an offline run. */
  readonly router: RouterClient | undefined;
  readonly settings: EmitSettings;
  readonly sources: PackageSources;
  /** Digest of the generator and of all settings that affect the output. */
  readonly code: Digest;
  /** The package sources (as a digest) and settings that affect the files of every model, as JSON text. */
  readonly sharedInputs: string;
  readonly cache: DocumentCache;
  readonly output: Output;
  readonly onProgress: Progress;
  readonly deadline: Deadline;
  readonly selection: { readonly only: readonly string[]; readonly allowEmpty: boolean };
  readonly source: DocumentSource;
};

/** Opens the staging folder, prepares the inputs of all steps of a run, and calls `work` with them. */
async function withGeneration<Result>(
  config: GenerateConfig,
  ports: Ports,
  onProgress: Progress,
  work: (generation: Generation) => Promise<Result>,
): Promise<Result> {
  const { only, allowEmpty, packageNames, parts, arrangement, outDir } = config;
  const { files } = ports;
  const isCheck = config.mode === 'check';
  const staging = await openOutputStaging(isCheck ? undefined : outDir, files, onProgress);
  try {
    const deadline = openDeadline(config.deadlineMs, ports.clock);
    const { brand } = config.specs.settings;
    const isOffline = config.source === 'offline';
    const router = isOffline ? undefined : createRouterClient({ ...config, brand }, deadline.bound(ports));
    const sources = readPackageSources(files);
    const settings: EmitSettings = { packageNames, generatorVersion: sources.version, parts };
    const sharedInputs = JSON.stringify([
      sources.digest,
      { ...settingsFor('models', settings, arrangement.layout), brand },
    ]);
    const code = toDigest(JSON.stringify([sources.code, settings, arrangement, brand]));
    const fromAnyOwner = config.frozen && isOffline;
    const cache = openDocumentCache(config, files, { readOnly: isCheck, fromAnyOwner, say: onProgress });
    // A check prints every model again instead of relying on the earlier output.
    const outputs: DocumentCache['outputs'] = isCheck ? new Map() : cache.outputs;
    const output = openOutput(outDir, { files, staging }, { outputs, code });
    refuseOtherOutput(outDir, output.lock, 'packages');
    const isCurrent = createIsCurrent(output);
    const readLocked = () => lockedDocuments(output.lock);
    return await work({
      ...config,
      isCheck,
      brand,
      router,
      settings,
      sources,
      code,
      sharedInputs,
      cache,
      output,
      onProgress,
      deadline,
      selection: config.frozen ? { only: [], allowEmpty: true } : { only, allowEmpty },
      source: openDocuments({ router, cache, isCurrent, readLocked, onProgress }, config.frozen),
    });
  } finally {
    staging.close();
  }
}
