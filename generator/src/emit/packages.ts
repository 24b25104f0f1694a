import { type EffectiveSpecs, listOperations } from '../../../specs/src/index.ts';
import type { ModelId } from '../catalog/model-id.ts';
import { type Digest, digestOf } from '../digest.ts';
import { type ApiPackage, emitApiPackage } from './emit-api-package.ts';
import { emitModelsPackage } from './emit-models-package.ts';
import { emitWorkspace } from './emit-workspace.ts';
import type { EmitSettings, EmittedFile } from './emitted-file.ts';
import type { PackageSources } from './package-sources.ts';

/** A set of files with a digest of all they are made from: printing can wait until that digest is a new one. */
export type PackagePrint = {
  readonly name: 'model-router' | 'workflow-execution' | 'models' | 'workspace';
  readonly source: Digest;
  readonly print: () => Promise<EmittedFile[]>;
};

export function listPackagePrints(input: {
  specs: EffectiveSpecs;
  models: readonly ModelId[];
  sources: PackageSources;
  settings: EmitSettings;
}): PackagePrint[] {
  const { specs, models, sources, settings } = input;
  const digest = (subject: unknown): Digest => digestOf(JSON.stringify([sources.digest, settings, subject]));
  const api = (one: ApiPackage): PackagePrint => ({
    name: one.folder,
    source: digest(one.document),
    print: () => emitApiPackage(one, sources, settings),
  });
  return [
    ...apiPackages(specs).map(api),
    { name: 'models', source: digest(models), print: () => emitModelsPackage(models, sources, settings) },
    { name: 'workspace', source: digest('workspace'), print: () => emitWorkspace(sources, settings) },
  ];
}

function apiPackages(specs: EffectiveSpecs): ApiPackage[] {
  const operations = listOperations(specs);
  return [
    {
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
