import type { JsonObject } from '../../specs/src/index.ts';
import { toDigest } from '../src/content.ts';
import type { Change } from '../src/diff/change.ts';
import { diffOutputs } from '../src/diff/diff-outputs.ts';
import { emitModel } from '../src/emit/emit-model.ts';
import { type EmittedFile, namePackages } from '../src/emit/emitted-file.ts';
import type { ModelBinding } from '../src/model/model-binding.ts';
import { type Lockfile, lockName, parseLockfile } from '../src/output/lockfile.ts';
import { type OutputTree, outputTreeFrom } from '../src/output/output-tree.ts';
import { normaliseModel } from './read-model.ts';

const packageNames = namePackages('@switchyard');

/** Generates the files of model `p/m`; undefined if nothing can be generated from the document. */
export function emitDocument(document: JsonObject | string): readonly EmittedFile[] | undefined {
  const { binding } = normaliseModel(document);
  return binding && emitBinding(binding);
}

export function emitBinding(binding: ModelBinding): readonly EmittedFile[] {
  return emitModel(binding, { parts: 'all-validators', generatorVersion: '1', packageNames });
}

/** Returns the changes that diff reports between two outputs with one model. */
export function diffFiles(before: readonly EmittedFile[], after: readonly EmittedFile[]): readonly Change[] {
  const [old, now] = [before, after].map(makeTree);
  return old === undefined || now === undefined ? [] : diffOutputs(old, now).models.flatMap(({ changes }) => changes);
}

function makeTree(files: readonly EmittedFile[]) {
  const digests = Object.fromEntries(files.map(({ path, contents }) => [path, toDigest(contents)]));
  const document = toDigest(JSON.stringify(digests));
  const model = {
    entityTag: null,
    document,
    chargesOnPolicyRejection: 'no',
    files: digests,
  } as const;
  return openTree({ format: 1, generator: '1', packages: {}, models: { 'p/m': model } }, files);
}

/** Opens an output with these files. */
export function openTree(lock: Lockfile, files: readonly EmittedFile[]): OutputTree {
  const texts = new Map(files.map(({ path, contents }) => [path, contents]));
  return outputTreeFrom(lock, (path) => texts.get(path));
}

/** Opens an output whose files include the lockfile. Throws if the lockfile is missing or damaged. */
export function openTreeOf(files: readonly EmittedFile[]): OutputTree {
  const text = files.find(({ path }) => path === lockName)?.contents;
  const lock = parseLockfile(new TextEncoder().encode(text));
  if (lock === undefined || lock === 'damaged') throw new Error(`no ${lockName}`);
  return openTree(lock, files);
}
