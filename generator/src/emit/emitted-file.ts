import { GeneratorError } from '../diagnostics.ts';

/** `path` is relative to the output folder and uses `/`. */
export type EmittedFile = { readonly path: string; readonly contents: string };

/** What every emitter is told beside its own subject. */
export type EmitSettings = { readonly scope: string; readonly generatorVersion: string };

/** Two emitters that write one file are a mistake of ours; letting the last one win would hide it. */
export function refuseCollisions(files: readonly EmittedFile[]): void {
  const seen = new Set<string>();
  for (const { path } of files) {
    const key = path.toLowerCase();
    if (seen.has(key)) {
      throw new GeneratorError('path-collision', `two emitted files share the path ${path}`, { operation: 'emit' });
    }
    seen.add(key);
  }
}
