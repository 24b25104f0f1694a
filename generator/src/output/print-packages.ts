import type { ModelId } from '../catalog/model-id.ts';
import { toDigest } from '../digest.ts';
import { type Arrangement, arrangePackage, settingsForPackages } from '../emit/arrange-package.ts';
import { declarationsPath } from '../emit/emit-model.ts';
import { listPackages, type PackageInputs } from '../emit/packages.ts';
import type { Progress } from '../ports.ts';
import type { ModelPart, PackagePart } from './plan-writes.ts';
import type { Output } from './read-output.ts';
import type { StagedOutput } from './staged-output.ts';

type PackagePrinting = Omit<PackageInputs, 'models' | 'readDeclarations'> & {
  readonly output: Output;
  readonly staged: StagedOutput;
  readonly arrangement: Arrangement;
  readonly onProgress: Progress;
};

/** The packages around the models. Those that the lockfile has from the same source, intact, are not printed again. */
export async function printPackages(
  models: ReadonlyMap<ModelId, ModelPart>,
  { output, staged, arrangement, onProgress, settings, ...inputs }: PackagePrinting,
): Promise<Map<string, PackagePart>> {
  onProgress({ phase: 'packages', done: 0 });
  const summaries = [...models].map(([id, { facts }]) => ({ id, inputs: facts.inputs }));
  const packages = listPackages({
    ...inputs,
    settings: settingsForPackages(settings, arrangement.layout),
    models: summaries.sort((left, right) => (left.id < right.id ? -1 : 1)),
    readDeclarations: (id) => staged.read(declarationsPath(id)),
  });
  const parts = new Map<string, PackagePart>();
  for (const { name, source: own, emit } of packages) {
    const source = toDigest(JSON.stringify([own, arrangement]));
    const before = output.isTrusted ? output.lock?.packages[name] : undefined;
    const isCurrent = before?.source === source && output.isIntact(before.files);
    const files = isCurrent
      ? { kept: before.files }
      : arrangePackage(name, await emit(), arrangement).map(staged.print);
    parts.set(name, { facts: { source }, files });
  }
  return parts;
}
