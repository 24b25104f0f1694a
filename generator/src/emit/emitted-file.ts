import type { JsonValue } from '../../../specs/src/index.ts';

/** What the generated packages are called, whole: `@acme/models`. */
export type PackageNames = {
  readonly modelRouter: string;
  readonly workflowExecution: string;
  readonly models: string;
};

export function namePackages(scope: string): PackageNames {
  return {
    modelRouter: `${scope}/model-router`,
    workflowExecution: `${scope}/workflow-execution`,
    models: `${scope}/models`,
  };
}

/** `path` is relative to the output folder and uses `/`. */
export type EmittedFile = { readonly path: string; readonly contents: string };
/** A file that may be too long for memory. */
export type EmittedPieces = { readonly path: string; readonly pieces: Iterable<string> };

/** Settings that every emitter receives. */
export type EmitSettings = {
  readonly packageNames: PackageNames;
  readonly generatorVersion: string;
  /** `types` leaves out descriptors, schemas as data and validators. */
  readonly parts: 'types' | 'input-validators' | 'all-validators';
  /** Whether the number of items of a list shows in the types of inputs, as it does in those of outputs. */
  readonly inputTuples?: boolean | undefined;
};

export function printManifest(manifest: JsonValue): string {
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}
