import type { EffectiveSpecs, JsonObject } from '../../../specs/src/index.ts';
import type { ModelId } from '../catalog/model-id.ts';
import { type Digest, parseJsonObject, toDigest } from '../content.ts';
import { apiPackages, describeApi } from './api-package.ts';
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
import { denseJson } from './source.ts';
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
    ...apiPackages.map((row) =>
      list(row.folder, specs[row.name], () => emitApiPackage(describeApi(row, specs), { brand, sources, settings })),
    ),
    list('models', ids, () => emitModelsPackage(ids, sources, settings)),
    list('models-all', models, () => emitAllModels(ids, readDeclarations, settings)),
    list('models-validation', 'validation', () =>
      settings.parts === 'types' ? [] : transpileRuntime(sources.validation, 'models/validation'),
    ),
    list('workspace', 'workspace', () => emitWorkspace(sources, settings, arrangement.layout)),
  ];
}

/** The files of a package as the settings arrange them in the output folder. */
function arrangePackage(files: readonly EmittedPieces[], arrangement: Arrangement): EmittedPieces[] {
  const arranged = arrangement.layout === 'folder' ? files.filter(({ path }) => !isOfPackages.test(path)) : files;
  return arranged.map(({ path, contents }) => ({ path, contents: finishManifest(path, contents, arrangement) }));
}

/** What only packages need; the low-level client needs a package itself. */
const isOfPackages = /\/(?:package\.json|README\.md|client\.(?:d\.ts|js)|paths-client\.(?:d\.ts|js))$/;

function finishManifest(
  path: string,
  contents: Iterable<string>,
  { manifest: stated, publish }: Arrangement,
): Iterable<string> {
  const isManifest = path.endsWith('/package.json') && typeof contents === 'string';
  const manifest = isManifest ? parseJsonObject(contents) : undefined;
  if (manifest === undefined) return contents;
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

/** What stands beside the packages: the configuration that compiles the whole output folder in place, or what a plain folder is. */
function emitWorkspace(
  sources: PackageSources,
  { packageNames }: EmitSettings,
  layout: Arrangement['layout'],
): EmittedFile[] {
  if (layout === 'folder') {
    const readme = renderTemplate(sources, 'folder-readme.md.hbs', {});
    return [printAttributes('README.md'), { path: 'README.md', contents: readme }];
  }
  const slots = {
    routerPackage: denseJson(packageNames.modelRouter),
    workflowPackage: denseJson(packageNames.workflowExecution),
    modelsPattern: denseJson(`${packageNames.models}/*`),
  };
  const configuration = renderTemplate(sources, 'tsconfig.json.hbs', slots);
  return [{ path: 'tsconfig.json', contents: configuration }, printAttributes('tsconfig.json')];
}

// Only what is ours: the folder may hold other packages as well.
const ours = ['.gitattributes', 'switchyard.lock.json', 'model-router/**', 'workflow-execution/**', 'models/**'];

/** A checkout keeps the line ends that the lockfile knows, and reviews fold these files. */
function printAttributes(beside: string): EmittedFile {
  const lines = [...ours, beside].map((pattern) => `/${pattern} text eol=lf linguist-generated\n`);
  return { path: '.gitattributes', contents: lines.join('') };
}
