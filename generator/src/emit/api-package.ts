import {
  type EffectiveSpecs,
  isJsonObject,
  listOperations,
  type OpenApiDocument,
  type Operation,
} from '../../../specs/src/index.ts';
import type { Arrangement } from './emitted-file.ts';
import { type Code, identifier } from './source.ts';

/** Settings that differ between the packages of the two APIs. */
export const apiPackages = [
  {
    name: 'modelRouter',
    folder: 'model-router',
    title: 'Model Router',
    /** Folders of the runtime that the package uses; the first one contains its client. */
    runtime: [
      'router',
      'http',
      'queue',
      'resume',
      'catalog',
      'with-options',
      'assets',
      'node',
      'browser',
      'key-store',
      'proxy',
    ],
    /** Runtime folders whose entry point is exported as a subpath of the package. */
    subpaths: ['queue', 'resume', 'catalog', 'with-options', 'assets', 'node', 'browser', 'key-store', 'proxy'],
    /** Values of the client that the package's main entry point re-exports. */
    values: ['createMemoryKeyStore', 'fieldErrors', 'isRouterError', 'knownCategories', 'RouterError', 'safe'],
    /** The exported constant that lists the known errors, and the schema that it is generated from. */
    errors: { name: 'errorTypes', schema: 'ErrorType' },
    /** Example host for the README. */
    host: 'router.example',
  },
  {
    name: 'workflowExecution',
    folder: 'workflow-execution',
    title: 'Workflow Execution',
    runtime: ['workflow', 'http'],
    subpaths: [],
    values: ['createWorkflowExecution', 'isWorkflowError', 'knownCodes', 'safe', 'WorkflowError'],
    errors: { name: 'errorCodes', schema: 'ErrorCode' },
    host: 'workflows.example',
  },
] as const;

export type ApiPackage = (typeof apiPackages)[number] & {
  /** Relative path from the package to the folder of the runtime. */
  readonly runtimePath: string;
  /** Runtime folders that are copied into the package. */
  readonly runtimeFolders: readonly string[];
  readonly description: string;
  readonly document: OpenApiDocument;
  readonly operations: readonly Operation[];
  /** Type name of the client without retries. */
  readonly client: Code;
  /** Name of the function that creates the client without retries. */
  readonly factory: Code;
  /** Name of the idempotency key header; undefined if the API has none. */
  readonly keyHeader: string | undefined;
};

/** Lists the API packages of an output. In folder layout, the first package contains the runtime for all of them. */
export function listApis({ layout, routerOnly }: Arrangement, specs: EffectiveSpecs): ApiPackage[] {
  const rows = apiPackages.filter(({ name }) => name === 'modelRouter' || routerOnly !== true);
  const [{ folder: runtimeOwner }] = apiPackages;
  return rows.map((row) => {
    const hasRuntime = layout === 'packages' || row.folder === runtimeOwner;
    const folders = layout === 'packages' ? row.runtime : rows.flatMap(({ runtime }) => runtime);
    const name = row.title.replace(' ', '');
    const document = specs[row.name];
    const schemes = Object.values(document.components['securitySchemes'] ?? {}).filter(isJsonObject);
    const key = schemes.find((scheme) => scheme['type'] === 'apiKey' && scheme['in'] === 'header')?.['name'];
    return {
      ...row,
      runtimePath: hasRuntime ? './runtime' : `../${runtimeOwner}/runtime`,
      runtimeFolders: hasRuntime ? folders : [],
      description: `Client and types of the ${row.title} API`,
      document,
      operations: listOperations(specs).filter(({ api }) => api === row.folder),
      client: identifier(`${name}Client`),
      factory: identifier(`create${name}WithoutRetries`),
      keyHeader: typeof key === 'string' ? key : undefined,
    };
  });
}
