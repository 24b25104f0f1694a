import { type Brand, BrandMismatch, type BrandSigns, recogniseBrand } from '../../../specs/src/index.ts';
import type { ModelId } from '../catalog/model-id.ts';
import { toDigest } from '../content.ts';
import { createDiagnosticList, type Diagnostic, maxKept } from '../diagnostics.ts';
import type { ReportedModel } from '../documents/document-cache.ts';
import type { DocumentResult, Failure, IsCurrent } from '../documents/fetch-documents.ts';
import { declarationsPath } from '../emit/emit-model.ts';
import type { EmittedFile } from '../emit/emitted-file.ts';
import { listPackages, type PackageInputs } from '../emit/packages.ts';
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

export type PrintedModels<Description> = {
  readonly parts: ReadonlyMap<ModelId, LockedModel>;
  readonly failed: ReadonlyMap<ModelId, Failure>;
  readonly diagnostics: readonly Diagnostic[];
  readonly reported: ReadonlyMap<ModelId, ReportedModel>;
  /** Brand words of each document with extension keys. */
  readonly brandWords: BrandSigns['documents'];
  readonly descriptions: readonly Description[];
};
/** The files printed for one document. `model` is undefined if the document can't be turned into code. */
type Emitted<Description> = {
  readonly model: { readonly files: readonly EmittedFile[]; readonly description: Description } | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly brandWords: readonly string[];
};
type ModelPrinting = {
  /** The inputs that all models share, as text: settings, and the generator's version and sources. */
  readonly sharedInputs: string;
  readonly output: Output;
  /** Saved diagnostics of each model, from the run that printed its files. */
  readonly cache: { readonly reported: ReadonlyMap<string, ReportedModel> };
};

/** Prints the models one by one and keeps only their paths and digests in memory. */
export async function printModels<Description>(
  documents: AsyncIterable<DocumentResult>,
  { sharedInputs, output, cache }: ModelPrinting,
  emit: (document: Extract<DocumentResult, { kind: 'read' }>) => Emitted<Description>,
): Promise<PrintedModels<Description>> {
  const parts = new Map<ModelId, LockedModel>();
  const failed = new Map<ModelId, Failure>();
  const diagnostics = createDiagnosticList(maxKept.generation);
  const reported = new Map<ModelId, ReportedModel>();
  const brandWords: (readonly string[])[] = [];
  const descriptions: Description[] = [];
  for await (const document of documents) {
    const { entry } = document;
    document.diagnostics.forEach(diagnostics.add);
    const emitted = document.kind === 'read' ? emit(document) : undefined;
    emitted?.diagnostics.forEach(diagnostics.add);
    if (emitted !== undefined && emitted.brandWords.length > 0) brandWords.push(emitted.brandWords);
    if (document.kind === 'read' && emitted?.model !== undefined) {
      const { snapshot } = document;
      const { id, chargesOnPolicyRejection } = entry;
      const [entityTag, digest] = [snapshot.entityTag ?? null, snapshot.digest];
      const inputs = toDigest(`${sharedInputs}${JSON.stringify([id, chargesOnPolicyRejection, entityTag, digest])}`);
      const files = Object.fromEntries(emitted.model.files.map(output.print));
      parts.set(id, { entityTag, document: digest, chargesOnPolicyRejection, inputs, files });
      reported.set(entry.id, { inputs, diagnostics: emitted.diagnostics });
      descriptions.push(emitted.model.description);
      continue;
    }
    const before = output.lock?.models[entry.id];
    if (document.kind === 'current') {
      // The files are not printed again, so report the diagnostics from the run that printed them.
      const saved = cache.reported.get(entry.id);
      if (saved?.inputs === before?.inputs) saved?.diagnostics.forEach(diagnostics.add);
    } else failed.set(entry.id, document.kind === 'read' ? 'unusable' : document.kind);
    // A failed model keeps its last good files, unless one of them is missing.
    const paths = document.kind === 'current' ? [] : Object.keys(before?.files ?? {});
    if (before !== undefined && paths.every((path) => output.readDigest(path) !== undefined))
      parts.set(entry.id, before);
  }
  return { parts, failed, diagnostics: diagnostics.all(), reported, brandWords, descriptions };
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
