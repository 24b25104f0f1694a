import { type EffectiveSpecs, listOperations } from '../../../specs/src/index.ts';
import type { ModelId } from '../catalog/model-id.ts';
import { type Digest, digestOf } from '../digest.ts';
import { emitAllModels, type ReadDeclarations } from './emit-all-models.ts';
import { type ApiPackage, emitApiPackage } from './emit-api-package.ts';
import { emitModelsPackage } from './emit-models-package.ts';
import { emitWorkspace } from './emit-workspace.ts';
import type { EmitSettings, EmittedFile, EmittedPieces } from './emitted-file.ts';
import type { PackageSources } from './package-sources.ts';
import { transpileRuntime } from './transpile-runtime.ts';

/** A set of files with a digest of all they are made from: printing can wait until that digest is a new one. */
export type PackagePrint = {
  readonly name: 'model-router' | 'workflow-execution' | 'models' | 'models-all' | 'models-validation' | 'workspace';
  readonly source: Digest;
  readonly print: () => Promise<(EmittedFile | EmittedPieces)[]>;
};

/** A model of the output, and a digest over all that its files are made from. */
export type ModelSummary = { readonly id: ModelId; readonly inputs: Digest };

export function listPackagePrints(input: {
  specs: EffectiveSpecs;
  models: readonly ModelSummary[];
  readDeclarations: ReadDeclarations;
  sources: PackageSources;
  settings: EmitSettings;
}): PackagePrint[] {
  const { specs, models, sources, settings } = input;
  const ids = models.map(({ id }) => id);
  const digest = (subject: unknown): Digest => digestOf(JSON.stringify([sources.digest, settings, subject]));
  const api = (one: ApiPackage): PackagePrint => ({
    name: one.folder,
    source: digest(one.document),
    print: () => emitApiPackage(one, sources, settings),
  });
  return [
    ...apiPackages(specs).map(api),
    { name: 'models', source: digest(ids), print: () => emitModelsPackage(ids, sources, settings) },
    {
      name: 'models-all',
      source: digest(models),
      print: async () => emitAllModels(ids, input.readDeclarations, settings),
    },
    {
      name: 'models-validation',
      source: digest('validation'),
      print: async () => (settings.parts === 'types' ? [] : transpileRuntime(sources.validation, 'models/validation')),
    },
    { name: 'workspace', source: digest('workspace'), print: () => emitWorkspace(sources, settings) },
  ];
}

function apiPackages(specs: EffectiveSpecs): ApiPackage[] {
  const operations = listOperations(specs);
  return [
    {
      name: 'modelRouter',
      folder: 'model-router',
      description: 'Types and low-level client of the Model Router API',
      factory: 'createModelRouterClient',
      client: 'ModelRouterClient',
      ownsModels: true,
      document: specs.modelRouter,
      operations: operations.filter((operation) => operation.api === 'model-router'),
      credential: 'apiKey',
    },
    {
      name: 'workflowExecution',
      folder: 'workflow-execution',
      description: 'Types and low-level client of the Workflow Execution API',
      factory: 'createWorkflowExecutionClient',
      client: 'WorkflowExecutionClient',
      ownsModels: false,
      document: specs.workflowExecution,
      operations: operations.filter((operation) => operation.api === 'workflow-execution'),
      credential: 'token',
    },
  ];
}
