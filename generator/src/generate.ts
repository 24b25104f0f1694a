import {
  type Brand,
  BrandMismatch,
  type BrandSigns,
  type EffectiveSpecs,
  type JsonObject,
  recogniseBrand,
} from '../../specs/src/index.ts';
import type { ModelId } from './catalog/model-id.ts';
import type { Catalog } from './catalog/read-catalog.ts';
import { type Credential, createRouterClient } from './catalog/router-client.ts';
import { type ModelSelection, selectModels } from './catalog/select-models.ts';
import { type Digest, toDigest } from './content.ts';
import { openDeadline } from './deadline.ts';
import { createDiagnosticList, type Diagnostic, maxDiagnostics, sortDiagnostics } from './diagnostics.ts';
import { type DocumentCache, openDocumentCache, type ReportedModel } from './documents/document-cache.ts';
import {
  type DocumentResult,
  type Failure,
  fetchDocuments,
  type IsCurrent,
  openDocuments,
} from './documents/open-documents.ts';
import { emitModel, locateDeclarations } from './emit/emit-model.ts';
import { adaptSettings, type EmitSettings, type OutputLayout, type PackageNames } from './emit/emitted-file.ts';
import { readPackageSources } from './emit/package-sources.ts';
import { listPackages, type PackageInputs } from './emit/packages.ts';
import type { ModelBinding } from './model/model-binding.ts';
import { normalise } from './model/normalise.ts';
import {
  type LockedModel,
  type LockedPackage,
  listLockedDocuments,
  refuseDifferences,
  refuseOtherOutput,
} from './output/lockfile.ts';
import { type Output, openOutput, openOutputStaging } from './output/output-folder.ts';
import { type OutputTree, outputTreeFrom } from './output/output-tree.ts';
import { planWrites, type WritePlan } from './output/plan-writes.ts';
import type { Ports, Progress } from './ports.ts';
import { stampVersions, type VersionSetting } from './release/stamp-versions.ts';
import { type GenerationReport, reportGeneration, warnAboutUnselectedModels } from './report/report.ts';

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
  outputLayout: OutputLayout;
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
  return prepareOutput(config, ports, { onProgress }, async (draft) => {
    const { catalog, models, plan, report, output, cache, code } = draft;
    if (config.frozen) refuseDifferences(plan.lock, output.lock);
    const warnings = [...warnAboutUnselectedModels(draft, config.mode === 'check')];
    if (config.mode === 'write') {
      // Save documents and diagnostics in the cache, so that the next run is faster. If this fails, only warn.
      const problems = await cache.save({
        catalog: catalog.pages === 0 ? undefined : catalog.entries,
        reported: models.reported,
        // The files of failed models may be from an earlier generator version, so such an output isn't recorded.
        output: output.isTrusted || models.failed.size === 0 ? [plan.lockDigest, code] : undefined,
      });
      warnings.push(...problems);
      output.apply(plan);
    }
    return { ...report, diagnostics: sortDiagnostics([...report.diagnostics, ...warnings]) };
  });
}

/** The output that `generate` would write. `tree` can only be read while the preview is open. */
export type Preview = { readonly tree: OutputTree; readonly report: GenerationReport };

/** Calls `use` with the output that `generate` would write, and before that `onModel` for each model. Writes nothing. */
export function previewOutput<Result>(
  config: GenerateConfig,
  ports: Ports,
  use: (preview: Preview) => Result,
  options: Listeners = {},
): Promise<Result> {
  return prepareOutput({ ...config, mode: 'check' }, ports, options, async ({ plan, report, output }) =>
    use({ tree: outputTreeFrom(plan.lock, output.read), report }),
  );
}

type Listeners = {
  readonly onProgress?: Progress;
  /** Called for each model that was read. A check reads every model. */
  readonly onModel?: (model: ModelBinding) => void;
};

/** A new output: its files are in the staging folder, and the output folder hasn't changed yet. */
type OutputDraft = {
  readonly catalog: Catalog;
  readonly selection: ModelSelection;
  readonly models: PrintedModels;
  readonly plan: WritePlan;
  readonly report: GenerationReport;
  readonly output: Output;
  readonly cache: DocumentCache;
  /** Digest of everything except documents that affects the output: the generator, its settings, the API documents. */
  readonly code: Digest;
};

/** Performs all steps of a run except the last one, which is `use`: it may apply the plan, or only read the new files. */
async function prepareOutput<Result>(
  config: GenerateConfig,
  ports: Ports,
  { onProgress = () => {}, onModel = () => {} }: Listeners,
  use: (draft: OutputDraft) => Promise<Result>,
): Promise<Result> {
  const { outDir, specs, packageNames, parts, outputLayout, frozen } = config;
  const { files, clock } = ports;
  const { brand } = specs.settings;
  const isCheck = config.mode === 'check';
  const isOffline = config.source === 'offline';
  const staging = await openOutputStaging(isCheck ? undefined : outDir, files, onProgress);
  try {
    const deadline = openDeadline(config.deadlineMs, clock);
    const router = isOffline ? undefined : createRouterClient({ ...config, brand }, deadline.bound(ports));
    const sources = readPackageSources(files);
    const settings: EmitSettings = { packageNames, generatorVersion: sources.version, parts };
    const code = toDigest(JSON.stringify([sources.code, settings, outputLayout, specs]));
    const fromAnyOwner = frozen && isOffline;
    const cache = openDocumentCache(config, files, { readOnly: isCheck, fromAnyOwner, onProgress });
    // A check prints every model again instead of relying on the earlier output.
    const output = openOutput(outDir, { files, staging }, { outputs: isCheck ? new Map() : cache.outputs, code });
    refuseOtherOutput(outDir, output.lock, 'packages');

    const isCurrent = createIsCurrent(output);
    const source = openDocuments(
      { router, cache, isCurrent, locked: listLockedDocuments(output.lock), onProgress },
      frozen,
    );
    const catalog = await source.readCatalog();
    const selection = selectModels(catalog.entries, frozen ? { only: [], allowEmpty: true } : config);
    deadline.extendForModels(selection.entries.length);
    const documents = fetchDocuments(selection.entries, source, { ...config, onProgress, deadline });
    const modelSettings = adaptSettings('models', settings, outputLayout.layout);
    const models = await printModels(documents, { brand, settings: modelSettings, output, cache, onModel });
    refuseOtherBrand(brand, { documents: models.brandWords, headers: router?.headerNames ?? [] });
    const requests = { pages: catalog.pages, ...source.end() };
    onProgress('packages');
    const packages = await printPackages(models.parts, { specs, sources, settings, outputLayout }, output);
    const plan = stampVersions(
      planWrites(
        {
          generator: sources.version,
          brand,
          settings: frozen ? output.lock?.settings : config.settingsByName,
          packages,
          models: models.parts,
        },
        output,
      ),
      { output, version: config.version, outputLayout },
    );
    const report = reportGeneration({ catalog, selection, models, requests, plan, output, isCheck });
    return await use({ catalog, selection, models, plan, report, output, cache, code });
  } finally {
    staging.close();
  }
}

/** Returns a function that is true for a model if its entry and document match the lockfile and its files are intact. */
function createIsCurrent(output: Output): IsCurrent {
  return ({ id, chargesOnPolicyRejection }, { entityTag, digest }) => {
    const before = output.isTrusted ? output.lock?.models[id] : undefined;
    return (
      before?.document === digest &&
      before.entityTag === (entityTag ?? null) &&
      before.chargesOnPolicyRejection === chargesOnPolicyRejection &&
      output.isIntact(before.files)
    );
  };
}

type PrintedModels = {
  readonly parts: ReadonlyMap<ModelId, LockedModel>;
  readonly failed: ReadonlyMap<ModelId, Failure>;
  readonly diagnostics: readonly Diagnostic[];
  readonly reported: ReadonlyMap<ModelId, ReportedModel>;
  /** Brand words of each document with extension keys. */
  readonly brandWords: BrandSigns['documents'];
};
type ModelPrinting = {
  readonly brand: Brand;
  readonly settings: EmitSettings;
  readonly output: Output;
  /** Saved diagnostics of each model, from the run that printed its files. */
  readonly cache: { readonly reported: ReadonlyMap<string, ReportedModel> };
  readonly onModel: (model: ModelBinding) => void;
};

/** Prints the models one by one and keeps only their paths and digests in memory. */
async function printModels(
  documents: AsyncIterable<DocumentResult>,
  { brand, settings, output, cache, onModel }: ModelPrinting,
): Promise<PrintedModels> {
  const parts = new Map<ModelId, LockedModel>();
  const failed = new Map<ModelId, Failure>();
  const diagnostics = createDiagnosticList(maxDiagnostics.generation);
  const reported = new Map<ModelId, ReportedModel>();
  const brandWords: (readonly string[])[] = [];
  for await (const document of documents) {
    const { entry } = document;
    const { id, chargesOnPolicyRejection } = entry;
    document.diagnostics.forEach(diagnostics.add);
    if (document.kind === 'read') {
      const { entityTag = null, digest } = document.snapshot;
      const { binding, ...read } = normalise(document.snapshot, entry, brand);
      read.diagnostics.forEach(diagnostics.add);
      if (read.brandWords.length > 0) brandWords.push(read.brandWords);
      if (binding !== undefined) {
        const files = Object.fromEntries(emitModel(binding, settings).map(output.print));
        parts.set(id, { entityTag, document: digest, chargesOnPolicyRejection, files });
        reported.set(id, { document: digest, diagnostics: read.diagnostics });
        onModel(binding);
        continue;
      }
    }
    const before = output.lock?.models[id];
    if (document.kind === 'current') {
      // The files are not printed again, so report the diagnostics from the run that printed them.
      const saved = cache.reported.get(id);
      if (saved?.document === before?.document) saved?.diagnostics.forEach(diagnostics.add);
    } else failed.set(id, document.kind === 'read' ? 'unusable' : document.kind);
    // A failed model keeps its last good files, unless one of them is missing.
    const paths = document.kind === 'current' ? [] : Object.keys(before?.files ?? {});
    if (before !== undefined && paths.every((path) => output.readDigest(path) !== undefined)) parts.set(id, before);
  }
  return { parts, failed, diagnostics: diagnostics.all(), reported, brandWords };
}

/** Throws BrandMismatch if the source uses a different brand than `assumed`. */
function refuseOtherBrand(assumed: Brand, signs: BrandSigns): void {
  const found = recogniseBrand(signs, assumed);
  if (found !== undefined) throw new BrandMismatch(assumed, found);
}

/** Prints the packages of an output, except those whose files are intact and would not change. */
async function printPackages(
  models: ReadonlyMap<ModelId, LockedModel>,
  inputs: Omit<PackageInputs, 'models' | 'readDeclarations'>,
  output: Output,
): Promise<Map<string, LockedPackage>> {
  const before = output.isTrusted ? output.lock : undefined;
  const earlier = Object.entries(before?.models ?? {});
  const isSameModels =
    earlier.length === models.size && earlier.every(([id, one]) => models.get(id as ModelId) === one);
  const packages = listPackages({
    ...inputs,
    models: [...models.keys()].sort(),
    readDeclarations: (id) => output.read(locateDeclarations(id)),
  });
  const printed = new Map<string, LockedPackage>();
  for (const { name, listsModels, emit } of packages) {
    const known = listsModels && !isSameModels ? undefined : before?.packages[name];
    const isCurrent = known !== undefined && output.isIntact(known.files);
    printed.set(name, isCurrent ? known : { files: Object.fromEntries((await emit()).map(output.print)) });
  }
  return printed;
}
