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

/** The members of a manifest that do not depend on settings. */
export type PackageManifest = {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly type: 'module';
  readonly sideEffects: false;
  /** Files that bundlers replace for browsers. */
  readonly browser?: Readonly<Record<string, string>>;
  readonly exports: JsonObject;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
};

/** Returns the settings for the files of models or packages. In folder layout, package names become relative paths. */
export function adaptSettings(
  files: 'models' | 'packages',
  settings: EmitSettings,
  layout: OutputLayout['layout'],
): EmitSettings {
  if (layout === 'packages') return settings;
  const modelRouter = `${files === 'models' ? '../..' : '..'}/model-router/index.js`;
  return { ...settings, packageNames: { ...settings.packageNames, modelRouter } };
}

/** Emits the manifest of a package: adds the members of the settings, and in folder layout only keeps what tools need. */
export function emitManifest(folder: string, manifest: PackageManifest, outputLayout: OutputLayout): EmittedFile {
  const { layout, manifest: configured, publish } = outputLayout;
  const path = `${folder}/package.json`;
  const { name, version, description, ...rest } = manifest;
  if (layout === 'folder') {
    // Node and compilers read the module type from the nearest manifest; that of the user's project may have another type.
    const { type, sideEffects, browser } = manifest;
    const contents = printManifest({ private: true, type, sideEffects, ...(browser === undefined ? {} : { browser }) });
    return { path, contents };
  }
  const publishConfig = publish && { ...publish.publishConfig, access: publish.access };
  const completed: JsonObject = {
    name,
    version,
    ...(publish === undefined ? { private: true } : {}),
    description,
    ...(publish !== undefined ? { license: 'UNLICENSED' } : {}),
    ...rest,
    ...configured,
    ...(publishConfig === undefined ? {} : { publishConfig }),
  };
  return { path, contents: printManifest(completed) };
}

export function printManifest(manifest: JsonValue): string {
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}
