import type { EffectiveSpecs, JsonObject } from '../../../specs/src/index.ts';
import type { ModelId } from '../catalog/model-id.ts';
import { type Digest, parseJsonObject, toDigest } from '../content.ts';
import { listApis } from './api-package.ts';
import { emitApiPackage } from './emit-api-package.ts';
import { emitAllModels, emitModelsPackage } from './emit-models-package.ts';
import {
  type Arrangement,
  type EmitSettings,
  type EmittedFile,
  type EmittedPieces,
  printManifest,
  settingsFor,
} from './emitted-file.ts';
import { type PackageSources, renderTemplate } from './package-sources.ts';
import { code, denseJson } from './source.ts';
import { transpileRuntime } from './transpile-runtime.ts';

/** The files of one package, or of a part of one, with a digest of everything they are made from. */
type Package = {
  readonly name: string;
  readonly source: Digest;
  readonly emit: () => Promise<readonly EmittedPieces[]>;
};

export type PackageInputs = {
  readonly specs: EffectiveSpecs;
  /** Those of the output, each with the digest of everything its files are made from. */
  readonly models: readonly { readonly id: ModelId; readonly inputs: Digest }[];
  /** The declarations of a model as they stand in the new output. */
  readonly readDeclarations: (id: ModelId) => string;
  readonly sources: PackageSources;
  readonly settings: EmitSettings;
  readonly arrangement: Arrangement;
};

/** The packages around the models, as they are arranged in the output folder. */
export function listPackages({ specs, models, readDeclarations, arrangement, ...given }: PackageInputs): Package[] {
  const { sources } = given;
  const settings = settingsFor('packages', given.settings, arrangement.layout);
  const ids = models.map(({ id }) => id);
  const { brand } = specs.settings;
  const list = (
    name: string,
    subject: unknown,
    emit: () => readonly EmittedPieces[] | Promise<readonly EmittedPieces[]>,
  ): Package => {
    const own = toDigest(JSON.stringify([sources.digest, settings, subject]));
    const source = toDigest(JSON.stringify([own, arrangement]));
    return { name, source, emit: async () => arrangePackage(await emit(), arrangement) };
  };
  return [
    ...listApis(arrangement, specs).map((api) =>
      list(api.folder, api.document, () => emitApiPackage(api, { brand, sources, settings })),
    ),
    list('models', ids, () => emitModelsPackage(ids, sources, settings)),
    list('models-all', models, () => emitAllModels(ids, readDeclarations, settings)),
    list('models-validation', 'validation', () =>
      settings.parts === 'types' ? [] : transpileRuntime(sources.validation, 'models/validation'),
    ),
    list('workspace', 'workspace', () => emitWorkspace(sources, settings, arrangement)),
  ];
}

/** The files of a package as the settings arrange them in the output folder. */
function arrangePackage(files: readonly EmittedPieces[], arrangement: Arrangement): EmittedPieces[] {
  const arranged = arrangement.layout === 'folder' ? files.filter(({ path }) => !isOfPackages.test(path)) : files;
  return arranged.map(({ path, contents }) => ({ path, contents: finishManifest(path, contents, arrangement) }));
}

/** Files that only packages need; the low-level client needs a package itself. */
const isOfPackages = /\/(?:README\.md|client\.(?:d\.ts|js)|paths-client\.(?:d\.ts|js))$/;

function finishManifest(
  path: string,
  contents: Iterable<string>,
  { layout, manifest: stated, publish }: Arrangement,
): Iterable<string> {
  const isManifest = path.endsWith('/package.json') && typeof contents === 'string';
  const manifest = isManifest ? parseJsonObject(contents) : undefined;
  if (manifest === undefined) return contents;
  // The nearest manifest decides how Node and compilers read a file: that of the project may have another type.
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
    ...stated,
    ...(publishConfig === undefined ? {} : { publishConfig }),
  };
  return printManifest(finished);
}

/** Files next to the packages: the configuration that compiles the whole output folder, or the manifest of a plain folder. */
function emitWorkspace(
  sources: PackageSources,
  { packageNames }: EmitSettings,
  { layout, routerOnly = false }: Arrangement,
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

/** A checkout keeps the line ends that the lockfile knows, and reviews fold these files. */
function printAttributes(frame: string, routerOnly: boolean): EmittedFile {
  // Only generated files: the folder may hold other packages as well.
  const folders = ['model-router/**', ...(routerOnly ? [] : ['workflow-execution/**']), 'models/**'];
  const lines = ['.gitattributes', 'switchyard.lock.json', ...folders, frame].map(
    (pattern) => `/${pattern} text eol=lf linguist-generated\n`,
  );
  return { path: '.gitattributes', contents: lines.join('') };
}
