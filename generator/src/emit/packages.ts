import type { EffectiveSpecs, JsonObject } from '../../../specs/src/index.ts';
import type { ModelId } from '../catalog/model-id.ts';
import { parseJsonObject } from '../content.ts';
import { emitApiPackage, listApis } from './emit-api-package.ts';
import { emitAllModels, emitModelsPackage } from './emit-models-package.ts';
import {
  type EmitSettings,
  type EmittedFile,
  type EmittedPieces,
  type OutputLayout,
  printManifest,
  settingsFor,
} from './emitted-file.ts';
import { type PackageSources, renderTemplate, transpileRuntime } from './package-sources.ts';
import { code, denseJson } from './source.ts';

/** The files of a package or of a part of a package. */
type Package = {
  readonly name: string;
  /** True if the files depend on the models of the output. */
  readonly listsModels: boolean;
  readonly emit: () => Promise<readonly EmittedPieces[]>;
};

export type PackageInputs = {
  readonly specs: EffectiveSpecs;
  /** The models of the output, sorted. */
  readonly models: readonly ModelId[];
  /** Returns the declarations of a model in the new output. */
  readonly readDeclarations: (id: ModelId) => string;
  readonly sources: PackageSources;
  readonly settings: EmitSettings;
  readonly arrangement: OutputLayout;
};

/** Lists the packages of an output, without the files of single models. `emit` prints their files for the chosen layout. */
export function listPackages({ specs, models, readDeclarations, arrangement, ...inputs }: PackageInputs): Package[] {
  const { sources } = inputs;
  const settings = settingsFor('packages', inputs.settings, arrangement.layout);
  const { brand } = specs.settings;
  type Emit = () => readonly EmittedPieces[] | Promise<readonly EmittedPieces[]>;
  const list = (name: string, emit: Emit, listsModels = false): Package => {
    return { name, listsModels, emit: async () => applyLayout(await emit(), arrangement) };
  };
  return [
    ...listApis(arrangement, specs).map((api) =>
      list(api.folder, () => emitApiPackage(api, { brand, sources, settings })),
    ),
    list('models', () => emitModelsPackage(models, sources, settings), true),
    list('models-all', () => emitAllModels(models, readDeclarations, settings), true),
    list('models-validation', () =>
      settings.parts === 'types' ? [] : transpileRuntime(sources.validation, 'models/validation'),
    ),
    list('workspace', () => emitWorkspace(sources, settings, arrangement)),
  ];
}

/** Adapts the files of a package to the chosen layout: omits some in folder layout, and completes the manifest. */
function applyLayout(files: readonly EmittedPieces[], arrangement: OutputLayout): EmittedPieces[] {
  const arranged = arrangement.layout === 'folder' ? files.filter(({ path }) => !omittedInFolder.test(path)) : files;
  return arranged.map(({ path, contents }) => ({ path, contents: finishManifest(path, contents, arrangement) }));
}

/** Files that are omitted in folder layout: READMEs, and the low-level client, because it depends on openapi-fetch. */
const omittedInFolder = /\/(?:README\.md|client\.(?:d\.ts|js)|paths-client\.(?:d\.ts|js))$/;

function finishManifest(
  path: string,
  contents: Iterable<string>,
  { layout, manifest: configured, publish }: OutputLayout,
): Iterable<string> {
  const isManifest = path.endsWith('/package.json') && typeof contents === 'string';
  const manifest = isManifest ? parseJsonObject(contents) : undefined;
  if (manifest === undefined) return contents;
  // Node and compilers read the module type from the nearest manifest; that of the user's project may have another type.
  const { type = '', sideEffects = false, browser } = manifest;
  if (layout === 'folder')
    return printManifest({ private: true, type, sideEffects, ...(browser === undefined ? {} : { browser }) });
  const { name = '', version = '', description = '', private: _, ...rest } = manifest;
  const publishConfig = publish && { ...publish.publishConfig, access: publish.access };
  const finished: JsonObject = {
    name,
    version,
    ...(publish === undefined ? { private: true } : {}),
    description,
    ...(publish !== undefined ? { license: 'UNLICENSED' } : {}),
    ...rest,
    ...configured,
    ...(publishConfig === undefined ? {} : { publishConfig }),
  };
  return printManifest(finished);
}

/** Emits the files at the top of the output: `.gitattributes`, and a tsconfig or, in folder layout, a README. */
function emitWorkspace(
  sources: PackageSources,
  { packageNames }: EmitSettings,
  { layout, routerOnly = false }: OutputLayout,
): EmittedFile[] {
  if (layout === 'folder') {
    const readme = renderTemplate(sources, 'folder-readme.md.hbs', {});
    return [printAttributes('README.md', routerOnly), { path: 'README.md', contents: readme }];
  }
  const slots = {
    routerPackage: denseJson(packageNames.modelRouter),
    workflowPath: routerOnly
      ? code``
      : code`\n      ${denseJson(packageNames.workflowExecution)}: ["./workflow-execution/index.d.ts"],`,
    workflowFiles: routerOnly
      ? code``
      : code`\n    "workflow-execution/index.d.ts",\n    "workflow-execution/api.d.ts",`,
    modelsPattern: denseJson(`${packageNames.models}/*`),
  };
  const configuration = renderTemplate(sources, 'tsconfig.json.hbs', slots);
  return [{ path: 'tsconfig.json', contents: configuration }, printAttributes('tsconfig.json', routerOnly)];
}

/** Emits `.gitattributes`, so that git keeps the line endings and code reviews collapse generated files. */
function printAttributes(topFile: string, routerOnly: boolean): EmittedFile {
  // Lists the generated folders, because the output folder may also contain packages of the user.
  const folders = ['model-router/**', ...(routerOnly ? [] : ['workflow-execution/**']), 'models/**'];
  const lines = ['.gitattributes', 'switchyard.lock.json', ...folders, topFile].map(
    (pattern) => `/${pattern} text eol=lf linguist-generated\n`,
  );
  return { path: '.gitattributes', contents: lines.join('') };
}
