import type { ModelId } from '../catalog/model-id.ts';
import { emitModel } from '../emit/emit-model.ts';
import { type EmitSettings, type EmittedFile, refuseCollisions } from '../emit/emitted-file.ts';
import type { PackagePrint } from '../emit/packages.ts';
import type { ModelBinding } from '../model/model-binding.ts';
import { type FileDigests, type LockedModel, type LockedPackage, type Lockfile, lockedFiles } from './lockfile.ts';
import type { OutputFolder } from './output-folder.ts';
import { type Desired, type OnDisk, type OutputPart, planWrites, type WritePlan } from './plan-writes.ts';

type ModelPart = OutputPart<Omit<LockedModel, 'files'>>;
type PackagePart = OutputPart<Omit<LockedPackage, 'files'>>;
export type OutputRequest = {
  readonly bindings: readonly ModelBinding[];
  /** Models that failed this time: what the last good run made of them stays. */
  readonly failed: readonly ModelId[];
  /** The packages around the models that are there in the end. */
  readonly packages: (models: readonly ModelId[]) => readonly PackagePrint[];
  readonly settings: EmitSettings;
  /** In a check everything is printed, so that nothing is taken on trust. */
  readonly trustLock: boolean;
};

/** Everything the output folder should hold, as a plan against what it holds. */
export async function planOutput(request: OutputRequest, output: OutputFolder): Promise<WritePlan> {
  const lock = output.lock === 'damaged' ? undefined : output.lock;
  const emitted = new Map(request.bindings.map((binding) => [binding.modelId, emitPart(binding, request.settings)]));
  const locked = lockedFiles(lock).keys();
  const disk = await output.digests([
    ...locked,
    ...[...emitted.values()].flatMap(emittedFiles).map((file) => file.path),
  ]);
  const models = new Map<ModelId, ModelPart>([...emitted, ...keptModels(request.failed, lock, disk)]);
  const packages = await packageParts(request, { models: [...models.keys()].sort(), lock, disk });
  const printed = [...packages.values()].flatMap(emittedFiles);
  refuseCollisions([...[...models.values()].flatMap(emittedFiles), ...printed]);
  const unseen = printed.map((file) => file.path).filter((path) => !disk.has(path));
  const desired: Desired = { generator: request.settings.generatorVersion, packages, models };
  return planWrites(desired, lock, new Map([...disk, ...(await output.digests(unseen))]));
}

function emitPart(binding: ModelBinding, settings: EmitSettings): ModelPart {
  const facts = { entityTag: binding.entityTag ?? null, document: binding.digest };
  return { facts, files: emitModel(binding, settings) };
}

function keptModels(failed: readonly ModelId[], lock: Lockfile | undefined, disk: OnDisk): [ModelId, ModelPart][] {
  return failed.flatMap((id): [ModelId, ModelPart][] => {
    const entry = lock !== undefined && Object.hasOwn(lock.models, id) ? lock.models[id] : undefined;
    if (entry === undefined) return [];
    const { files, ...facts } = entry;
    const kept = Object.fromEntries(Object.entries(files).filter(([path]) => disk.has(path)));
    return Object.keys(kept).length < Object.keys(files).length ? [] : [[id, { facts, files: { kept } }]];
  });
}

async function packageParts(
  request: OutputRequest,
  state: { models: readonly ModelId[]; lock: Lockfile | undefined; disk: OnDisk },
): Promise<Map<string, PackagePart>> {
  const parts = new Map<string, PackagePart>();
  for (const { name, source, print } of request.packages(state.models)) {
    const before = state.lock?.packages[name];
    const isCurrent = request.trustLock && before?.source === source && isIntact(before.files, state.disk);
    parts.set(name, { facts: { source }, files: isCurrent ? { kept: before.files } : await print() });
  }
  return parts;
}

function isIntact(files: FileDigests, disk: OnDisk): boolean {
  return Object.entries(files).every(([path, digest]) => disk.get(path) === digest);
}

function emittedFiles({ files }: OutputPart<unknown>): readonly EmittedFile[] {
  return 'kept' in files ? [] : files;
}
