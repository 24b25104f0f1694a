import { type Brand, BrandMismatch, type BrandSigns, recogniseBrand } from '../../../specs/src/index.ts';
import type { ModelId } from '../catalog/model-id.ts';
import { toDigest } from '../content.ts';
import { createDiagnosticList, type Diagnostic, maxKept } from '../diagnostics.ts';
import type { ReportedModel } from '../documents/document-cache.ts';
import type { DocumentResult, Failure, IsCurrent } from '../documents/fetch-documents.ts';
import { declarationsPath, emitModel } from '../emit/emit-model.ts';
import type { EmitSettings } from '../emit/emitted-file.ts';
import { listPackages, type PackageInputs } from '../emit/packages.ts';
import type { ModelBinding } from '../model/model-binding.ts';
import { normalise } from '../model/normalise.ts';
import type { Progress } from '../ports.ts';
import type { LockedModel, LockedPackage } from './lockfile.ts';
import type { Output } from './output-folder.ts';

/** Returns a function that is true for a model if its entry and document match the lockfile and its files are intact. */
export function createIsCurrent(output: Output): IsCurrent {
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

export type PrintedModels = {
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
  /** The inputs that all models share, as text: settings, and the generator's version and sources. */
  readonly sharedInputs: string;
  readonly output: Output;
  /** Saved diagnostics of each model, from the run that printed its files. */
  readonly cache: { readonly reported: ReadonlyMap<string, ReportedModel> };
};

/** Prints the models one by one and keeps only their paths and digests in memory. Calls `onModel` for each of them. */
export async function printModels(
  documents: AsyncIterable<DocumentResult>,
  { brand, settings, sharedInputs, output, cache }: ModelPrinting,
  onModel: (model: ModelBinding) => void,
): Promise<PrintedModels> {
  const parts = new Map<ModelId, LockedModel>();
  const failed = new Map<ModelId, Failure>();
  const diagnostics = createDiagnosticList(maxKept.generation);
  const reported = new Map<ModelId, ReportedModel>();
  const brandWords: (readonly string[])[] = [];
  for await (const document of documents) {
    const { entry } = document;
    const { id, chargesOnPolicyRejection } = entry;
    document.diagnostics.forEach(diagnostics.add);
    if (document.kind === 'read') {
      const { snapshot } = document;
      const { binding, ...read } = normalise(snapshot, entry, brand);
      read.diagnostics.forEach(diagnostics.add);
      if (read.brandWords.length > 0) brandWords.push(read.brandWords);
      if (binding !== undefined) {
        const [entityTag, digest] = [snapshot.entityTag ?? null, snapshot.digest];
        const inputs = toDigest(`${sharedInputs}${JSON.stringify([id, chargesOnPolicyRejection, entityTag, digest])}`);
        const files = Object.fromEntries(emitModel(binding, settings).map(output.print));
        parts.set(id, { entityTag, document: digest, chargesOnPolicyRejection, inputs, files });
        reported.set(id, { inputs, diagnostics: read.diagnostics });
        onModel(binding);
        continue;
      }
    }
    const before = output.lock?.models[id];
    if (document.kind === 'current') {
      // The files are not printed again, so report the diagnostics from the run that printed them.
      const saved = cache.reported.get(id);
      if (saved?.inputs === before?.inputs) saved?.diagnostics.forEach(diagnostics.add);
    } else failed.set(id, document.kind === 'read' ? 'unusable' : document.kind);
    // A failed model keeps its last good files, unless one of them is missing.
    const paths = document.kind === 'current' ? [] : Object.keys(before?.files ?? {});
    if (before !== undefined && paths.every((path) => output.readDigest(path) !== undefined)) parts.set(id, before);
  }
  return { parts, failed, diagnostics: diagnostics.all(), reported, brandWords };
}

/** Throws BrandMismatch if the source uses a different brand than `assumed`. */
export function refuseOtherBrand(assumed: Brand, signs: BrandSigns): void {
  const found = recogniseBrand(signs, assumed);
  if (found !== undefined) throw new BrandMismatch(assumed, found);
}

type PackagePrinting = Omit<PackageInputs, 'models' | 'readDeclarations'> & {
  readonly output: Output;
  readonly onProgress: Progress;
};

/** Prints the packages of an output, except those whose files are intact and were made from the same sources. */
export async function printPackages(
  models: ReadonlyMap<ModelId, LockedModel>,
  { output, onProgress, ...inputs }: PackagePrinting,
): Promise<Map<string, LockedPackage>> {
  onProgress('packages');
  const summaries = [...models].map(([id, { inputs }]) => ({ id, inputs }));
  const packages = listPackages({
    ...inputs,
    models: summaries.sort((left, right) => (left.id < right.id ? -1 : 1)),
    readDeclarations: (id) => output.read(declarationsPath(id)),
  });
  const parts = new Map<string, LockedPackage>();
  for (const { name, source, emit } of packages) {
    const before = output.isTrusted ? output.lock?.packages[name] : undefined;
    const isCurrent = before?.source === source && output.isIntact(before.files);
    parts.set(name, isCurrent ? before : { source, files: Object.fromEntries((await emit()).map(output.print)) });
  }
  return parts;
}
