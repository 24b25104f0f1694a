import type { PackageNames } from '../config.ts';

/** `path` is relative to the output folder and uses `/`. */
export type EmittedFile = { readonly path: string; readonly contents: string };
/** One that is too long to be in memory at once. */
export type EmittedPieces = { readonly path: string; readonly pieces: AsyncIterable<string> };

/** What every emitter is told beside its own subject. */
export type EmitSettings = {
  readonly packageNames: PackageNames;
  readonly generatorVersion: string;
  /** What each model gets beside its types: a descriptor, its schemas as data, and validators. */
  readonly parts: 'types' | 'input-validators' | 'all-validators';
};
