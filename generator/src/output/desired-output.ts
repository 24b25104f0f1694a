import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { ModelId } from '../catalog/model-id.ts';
import type { Digest } from '../digest.ts';
import { emitModel } from '../emit/emit-model.ts';
import { type EmitSettings, type EmittedFile, refuseCollisions } from '../emit/emitted-file.ts';
import type { PackagePrint } from '../emit/packages.ts';
import type { ModelBinding } from '../model/model-binding.ts';
import type { DocumentFacts } from '../schemas/schema-snapshot.ts';
import type { FileDigests, LockedModel, LockedPackage } from './lockfile.ts';
import type { OutputFolder } from './output-folder.ts';
import { type Desired, type OnDisk, type OutputPart, planWrites, type WritePlan } from './plan-writes.ts';

type ModelPart = OutputPart<Omit<LockedModel, 'files'>>;
type PackagePart = OutputPart<Omit<LockedPackage, 'files'>>;
export type OutputRequest = {
  readonly bindings: readonly ModelBinding[];
  /** Models whose output stays as it is: current ones, and failed ones that have a last good output. */
  readonly kept: readonly ModelId[];
  readonly inputsOf: (entry: CatalogEntry, document: DocumentFacts) => Digest;
  /** The packages around the models that are there in the end. */
  readonly packages: (models: readonly ModelId[]) => readonly PackagePrint[];
  readonly settings: EmitSettings;
  /** In a check everything is printed, so that nothing is taken on trust. */
  readonly trustLock: boolean;
};

export type PlannedOutput = { readonly plan: WritePlan; readonly printed: readonly EmittedFile[] };

/** Everything the output folder should hold, as a plan against what it holds. */
export async function planOutput(request: OutputRequest, output: OutputFolder): Promise<PlannedOutput> {
  const emitted = request.bindings.map((binding): [ModelId, ModelPart] => [
    binding.modelId,
    emitPart(binding, request),
  ]);
  const models = new Map<ModelId, ModelPart>([...emitted, ...keptModels(request.kept, output)]);
  const packages = await packageParts(request, [...models.keys()].sort(), output);
  const printed = [...models.values(), ...packages.values()].flatMap(emittedFiles);
  refuseCollisions(printed);
  const unseen = printed.map(({ path }) => path).filter((path) => !output.locked.has(path));
  const desired: Desired = { generator: request.settings.generatorVersion, packages, models };
  const disk = new Map([...output.locked, ...(await output.digests(unseen))]);
  return { plan: planWrites(desired, output.lock, disk), printed };
}

function emitPart(binding: ModelBinding, { settings, inputsOf }: OutputRequest): ModelPart {
  const { modelId, entityTag, digest, chargesOnPolicyRejection } = binding;
  const inputs = inputsOf({ id: modelId, chargesOnPolicyRejection }, { entityTag, digest });
  const facts = { entityTag: entityTag ?? null, document: digest, chargesOnPolicyRejection, inputs };
  return { facts, files: emitModel(binding, settings) };
}

function keptModels(kept: readonly ModelId[], { lock, locked }: OutputFolder): [ModelId, ModelPart][] {
  return kept.flatMap((id): [ModelId, ModelPart][] => {
    const entry = lock !== undefined && Object.hasOwn(lock.models, id) ? lock.models[id] : undefined;
    if (entry === undefined) return [];
    const { files, ...facts } = entry;
    return Object.keys(files).every((path) => locked.has(path)) ? [[id, { facts, files: { kept: files } }]] : [];
  });
}

async function packageParts(
  request: OutputRequest,
  models: readonly ModelId[],
  { lock, locked }: OutputFolder,
): Promise<Map<string, PackagePart>> {
  const parts = new Map<string, PackagePart>();
  for (const { name, source, print } of request.packages(models)) {
    const before = lock?.packages[name];
    const isCurrent = request.trustLock && before?.source === source && isIntact(before.files, locked);
    parts.set(name, { facts: { source }, files: isCurrent ? { kept: before.files } : await print() });
  }
  return parts;
}

/** Whether files are there just as they were written. */
export function isIntact(files: FileDigests, disk: OnDisk): boolean {
  return Object.entries(files).every(([path, digest]) => disk.get(path) === digest);
}

function emittedFiles({ files }: OutputPart<unknown>): readonly EmittedFile[] {
  return 'kept' in files ? [] : files;
}
