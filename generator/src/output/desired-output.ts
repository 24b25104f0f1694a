import type { ModelId } from '../catalog/model-id.ts';
import type { ReadDeclarations } from '../emit/emit-all-models.ts';
import { declarationsPath } from '../emit/emit-model.ts';
import type { EmitSettings } from '../emit/emitted-file.ts';
import type { ModelSummary, PackagePrint } from '../emit/packages.ts';
import type { Spool } from '../ports.ts';
import { type FileDigests, type LockedModel, type LockedPackage, printLockfile } from './lockfile.ts';
import type { OutputFolder } from './output-folder.ts';
import { type Desired, type OnDisk, type OutputPart, planWrites, type WritePlan } from './plan-writes.ts';
import { keepFiles, type PrintedFile, refuseCollisions, textOf } from './printed-file.ts';
import type { Prints } from './prints.ts';

export type ModelPart = OutputPart<Omit<LockedModel, 'files'>>;
type PackagePart = OutputPart<Omit<LockedPackage, 'files'>>;
export type OutputRequest = {
  /** Models that were printed. */
  readonly made: ReadonlyMap<ModelId, ModelPart>;
  /** Models whose output stays as it is: current ones, and failed ones that have a last good output. */
  readonly kept: readonly ModelId[];
  /** The packages around the models that are there in the end. */
  readonly packages: (models: readonly ModelSummary[], readDeclarations: ReadDeclarations) => readonly PackagePrint[];
  readonly prints: Prints;
  readonly settings: EmitSettings;
  /** In a check everything is printed, so that nothing is taken on trust. */
  readonly trustLock: boolean;
  readonly spool: Spool;
};

export type PlannedOutput = {
  readonly plan: WritePlan;
  readonly printed: readonly PrintedFile[];
  readonly lockText: string;
};

/** Everything the output folder should hold, as a plan against what it holds. */
export async function planOutput(request: OutputRequest, output: OutputFolder): Promise<PlannedOutput> {
  const models = new Map<ModelId, ModelPart>([...request.made, ...keptModels(request.kept, output)]);
  const packages = await packageParts(request, models, output);
  const printed = [...models.values(), ...packages.values()].flatMap(printedFiles);
  refuseCollisions(printed);
  const unseen = printed.map(({ path }) => path).filter((path) => !output.locked.has(path));
  const desired: Desired = { generator: request.settings.generatorVersion, packages, models };
  const disk = new Map([...output.locked, ...(await output.digests(unseen))]);
  const plan = planWrites(desired, output.lock, disk);
  return { plan, printed, lockText: printLockfile(plan.lock) };
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
  models: ReadonlyMap<ModelId, ModelPart>,
  output: OutputFolder,
): Promise<Map<string, PackagePart>> {
  const { lock, locked } = output;
  const parts = new Map<string, PackagePart>();
  const summaries = [...models].map(([id, { facts }]) => ({ id, inputs: facts.inputs }));
  const sorted = summaries.sort((left, right) => (left.id < right.id ? -1 : 1));
  for (const { name, source, print } of request.packages(sorted, declarationReader(models, output))) {
    const before = lock?.packages[name];
    const isCurrent = request.trustLock && before?.source === source && isIntact(before.files, locked);
    const files = isCurrent ? { kept: before.files } : await packageFiles({ name, source, print }, request);
    parts.set(name, { facts: { source }, files });
  }
  return parts;
}

async function packageFiles(
  { name, source, print }: PackagePrint,
  { prints, spool }: OutputRequest,
): Promise<readonly PrintedFile[]> {
  const earlier = prints.find(name, source);
  if (earlier !== undefined) return earlier.files;
  const files = await keepFiles(await print(), spool);
  prints.add(name, source, { files, diagnostics: [] });
  return files;
}

function declarationReader(models: ReadonlyMap<ModelId, ModelPart>, output: OutputFolder): ReadDeclarations {
  const printed = new Map([...models.values()].flatMap(printedFiles).map((file) => [file.path, file]));
  return async (ids) => {
    const paths = new Map(ids.map((id) => [id, declarationsPath(id)]));
    const onDisk = await output.contents([...paths.values()].filter((path) => !printed.has(path)));
    const textAt = (path: string): string => {
      const file = printed.get(path);
      return file === undefined ? (onDisk.get(path) ?? '') : textOf(file);
    };
    return new Map([...paths].map(([id, path]) => [id, textAt(path)]));
  };
}

/** Whether files are there just as they were written. */
export function isIntact(files: FileDigests, disk: OnDisk): boolean {
  return Object.entries(files).every(([path, digest]) => disk.get(path) === digest);
}

function printedFiles({ files }: OutputPart<unknown>): readonly PrintedFile[] {
  return 'kept' in files ? [] : files;
}
