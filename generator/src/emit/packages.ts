import type { EffectiveSpecs } from '../../../specs/src/index.ts';
import type { ModelId } from '../catalog/model-id.ts';
import { emitApiPackage, listApis } from './emit-api-package.ts';
import { emitAllModels, emitModelsPackage } from './emit-models-package.ts';
import {
  adaptSettings,
  type EmitSettings,
  type EmittedFile,
  type EmittedPieces,
  type OutputLayout,
} from './emitted-file.ts';
import { type PackageContext, type PackageSources, renderTemplate, transpileRuntime } from './package-sources.ts';
import { code, denseJson } from './source.ts';

/** The files of a package or of a part of a package. */
type Package = {
  readonly name: string;
  /** True if the files depend on the models of the output. */
  readonly listsModels: boolean;
  readonly emit: () => readonly EmittedPieces[] | Promise<readonly EmittedPieces[]>;
};

export type PackageInputs = {
  readonly specs: EffectiveSpecs;
  /** The models of the output, sorted. */
  readonly models: readonly ModelId[];
  /** Returns the declarations of a model in the new output. */
  readonly readDeclarations: (id: ModelId) => string;
  readonly sources: PackageSources;
  readonly settings: EmitSettings;
  readonly outputLayout: OutputLayout;
};

/** Lists the packages of an output, except the files of single models. The `emit` of a package returns its files. */
export function listPackages({ specs, models, readDeclarations, outputLayout, ...inputs }: PackageInputs): Package[] {
  const { sources } = inputs;
  const settings = adaptSettings('packages', inputs.settings, outputLayout.layout);
  const context: PackageContext = { sources, settings, outputLayout };
  const { brand } = specs.settings;
  const list = (name: string, emit: Package['emit'], listsModels = false): Package => ({ name, listsModels, emit });
  return [
    ...listApis(outputLayout, specs).map((api) => list(api.folder, () => emitApiPackage(api, brand, context))),
    list('models', () => emitModelsPackage(models, context), true),
    list('models-all', () => emitAllModels(models, readDeclarations, settings), true),
    list('models-validation', () =>
      settings.parts === 'types' ? [] : transpileRuntime(sources.validation, 'models/validation'),
    ),
    list('workspace', () => emitWorkspace(context)),
  ];
}

/** Emits the files at the top of the output: `.gitattributes`, and a tsconfig or, in folder layout, a README. */
function emitWorkspace({ sources, settings, outputLayout }: PackageContext): EmittedFile[] {
  const { packageNames } = settings;
  const { layout, routerOnly = false } = outputLayout;
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
