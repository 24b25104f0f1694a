import type { EffectiveSpecs } from '../../../specs/src/index.ts';
import type { ModelId } from '../catalog/model-id.ts';
import { type Digest, toDigest } from '../content.ts';
import { apiPackages, describeApi } from './api-package.ts';
import { emitApiPackage } from './emit-api-package.ts';
import { emitAllModels, emitModelsPackage } from './emit-models-package.ts';
import type { EmitSettings, EmittedFile, EmittedPieces } from './emitted-file.ts';
import { type PackageSources, renderTemplate } from './package-sources.ts';
import { denseJson } from './source.ts';
import { transpileRuntime } from './transpile-runtime.ts';

/** The files of one package, or of a part of one, with a digest of everything they are made from. */
export type Package = {
  readonly name: 'model-router' | 'workflow-execution' | 'models' | 'models-all' | 'models-validation' | 'workspace';
  readonly source: Digest;
  readonly emit: () => Promise<(EmittedFile | EmittedPieces)[]>;
};

export type PackageInputs = {
  readonly specs: EffectiveSpecs;
  /** Those of the output, each with the digest of everything its files are made from. */
  readonly models: readonly { readonly id: ModelId; readonly inputs: Digest }[];
  /** The declarations of a model as they stand in the new output. */
  readonly readDeclarations: (id: ModelId) => string;
  readonly sources: PackageSources;
  readonly settings: EmitSettings;
};

export function listPackages({ specs, models, readDeclarations, sources, settings }: PackageInputs): Package[] {
  const ids = models.map(({ id }) => id);
  const digest = (subject: unknown): Digest => toDigest(JSON.stringify([sources.digest, settings, subject]));
  const { brand } = specs.settings;
  return [
    ...apiPackages.map((row) => ({
      name: row.folder,
      source: digest(specs[row.name]),
      emit: () => emitApiPackage(describeApi(row, specs), { brand, sources, settings }),
    })),
    { name: 'models', source: digest(ids), emit: async () => emitModelsPackage(ids, sources, settings) },
    { name: 'models-all', source: digest(models), emit: async () => emitAllModels(ids, readDeclarations, settings) },
    {
      name: 'models-validation',
      source: digest('validation'),
      emit: async () => (settings.parts === 'types' ? [] : transpileRuntime(sources.validation, 'models/validation')),
    },
    { name: 'workspace', source: digest('workspace'), emit: async () => emitWorkspace(sources, settings) },
  ];
}

/** The configuration that compiles the whole output folder in place. */
function emitWorkspace(sources: PackageSources, { packageNames }: EmitSettings): EmittedFile[] {
  const slots = {
    routerPackage: denseJson(packageNames.modelRouter),
    workflowPackage: denseJson(packageNames.workflowExecution),
    modelsPattern: denseJson(`${packageNames.models}/*`),
  };
  return [{ path: 'tsconfig.json', contents: renderTemplate(sources, 'tsconfig.json.hbs', slots) }];
}
