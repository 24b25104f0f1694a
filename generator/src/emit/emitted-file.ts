import type { JsonObject, JsonValue } from '../../../specs/src/index.ts';

/** Full names of the generated packages: `@acme/models`. */
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

/** A generated file. `path` is relative to the output folder and uses `/`. */
export type EmittedFile = { readonly path: string; readonly contents: string };
/** A generated file whose text is produced in pieces, because the whole text may not fit in memory. */
export type EmittedPieces = { readonly path: string; readonly contents: Iterable<string> };

/** Settings that every emitter receives. */
export type EmitSettings = {
  readonly packageNames: PackageNames;
  readonly generatorVersion: string;
  /** `types` omits descriptors, schemas as data and validators. */
  readonly parts: 'types' | 'input-validators' | 'all-validators';
};

/** Layout of the output, and settings for its `package.json` files. */
export type OutputLayout = {
  /** `packages`: packages with a manifest each. `folder`: plain files that import each other by relative paths. */
  readonly layout: 'packages' | 'folder';
  /** Additional members of every manifest, such as `license`. */
  readonly manifest?: JsonObject;
  /** If omitted, the packages are private. */
  readonly publish?: { readonly access: 'public' | 'restricted'; readonly publishConfig?: JsonObject };
  /** True to omit the client of the Workflow Execution API. */
  readonly routerOnly?: boolean;
  /** Version range that the packages use for each other: any version, or the workspace protocol of pnpm, yarn and bun. */
  readonly peers: 'any-version' | 'workspace-protocol';
};

/** Returns the settings for the files of models or packages. In folder layout, package names become relative paths. */
export function settingsFor(
  files: 'models' | 'packages',
  settings: EmitSettings,
  layout: OutputLayout['layout'],
): EmitSettings {
  if (layout === 'packages') return settings;
  const modelRouter = `${files === 'models' ? '../..' : '..'}/model-router/index.js`;
  return { ...settings, packageNames: { ...settings.packageNames, modelRouter } };
}

export function printManifest(manifest: JsonValue): string {
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}
