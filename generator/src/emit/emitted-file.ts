import type { PackageNames } from '../config.ts';
import { GeneratorError } from '../diagnostics.ts';

/** `path` is relative to the output folder and uses `/`. */
export type EmittedFile = { readonly path: string; readonly contents: string };

/** What every emitter is told beside its own subject. */
export type EmitSettings = {
  readonly packageNames: PackageNames;
  readonly generatorVersion: string;
  /** What each model gets beside its types: a descriptor, its schemas as data, and validators. */
  readonly parts: 'types' | 'input-validators' | 'all-validators';
};

/** Two emitters that write one file are a mistake of ours; letting the last one win would hide it. */
export function refuseCollisions(files: readonly EmittedFile[]): void {
  const seen = new Map<string, EmittedFile>();
  for (const file of files) {
    const key = file.path.toLowerCase();
    const other = seen.get(key);
    // Named by their contents, validators are shared by models that ask for the same.
    if (other !== undefined && (other.path !== file.path || other.contents !== file.contents)) {
      throw new GeneratorError('path-collision', `two emitted files share the path ${file.path}`, {
        operation: 'emit',
      });
    }
    seen.set(key, file);
  }
}
