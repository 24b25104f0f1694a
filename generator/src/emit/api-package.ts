import { type EffectiveSpecs, isJsonObject, listOperations, type OpenApiDocument } from '../../../specs/src/index.ts';
import type { Arrangement } from './emitted-file.ts';
import { identifier } from './source.ts';

/** Differences between the packages of the two APIs. */
export const apiPackages = [
  {
    name: 'modelRouter',
    folder: 'model-router',
    title: 'Model Router',
    /** Folders of the runtime that the package uses; the first one holds its client. */
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
    /** Folders whose entry point is a subpath of the package. */
    subpaths: ['queue', 'resume', 'catalog', 'with-options', 'assets', 'node', 'browser', 'key-store', 'proxy'],
    /** Exports of the client that the package passes on. */
    values: ['createMemoryKeyStore', 'fieldErrors', 'isRouterError', 'knownCategories', 'RouterError', 'safe'],
    /** The exported name of the known errors, and the schema that lists them. */
    errors: { name: 'errorTypes', schema: 'ErrorType' },
    /** A host of the API for the README. */
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

export type ApiPackage = ReturnType<typeof describeApi>;

/** The API packages of an output. In a folder of plain files the first one carries the runtime of all of them. */
export function listApis({ layout, routerOnly }: Arrangement, specs: EffectiveSpecs): ApiPackage[] {
  const rows = apiPackages.filter(({ name }) => name === 'modelRouter' || routerOnly !== true);
  const [{ folder: carrier }] = apiPackages;
  return rows.map((row) => {
    const isCarrier = row.folder === carrier;
    if (layout === 'packages') return describeApi(row, specs, { runtimePath: './runtime', carried: row.runtime });
    const runtimePath = isCarrier ? './runtime' : `../${carrier}/runtime`;
    return describeApi(row, specs, { runtimePath, carried: isCarrier ? rows.flatMap(({ runtime }) => runtime) : [] });
  });
}

function describeApi(
  row: (typeof apiPackages)[number],
  specs: EffectiveSpecs,
  /** Where the package finds the runtime, and the folders of it that the package carries. */
  runtime: { readonly runtimePath: string; readonly carried: readonly string[] },
) {
  const name = row.title.replace(' ', '');
  return {
    ...row,
    ...runtime,
    description: `Client and types of the ${row.title} API`,
    document: specs[row.name],
    operations: listOperations(specs).filter(({ api }) => api === row.folder),
    /** The names of the client without retries, and of what makes it. */
    client: identifier(`${name}Client`),
    factory: identifier(`create${name}WithoutRetries`),
    /** The header in which the API takes a key; undefined when it takes none. */
    keyHeader: findKeyHeader(specs[row.name]),
  };
}

function findKeyHeader({ components }: OpenApiDocument): string | undefined {
  const schemes = Object.values(components['securitySchemes'] ?? {}).filter(isJsonObject);
  const name = schemes.find((scheme) => scheme['type'] === 'apiKey' && scheme['in'] === 'header')?.['name'];
  return typeof name === 'string' ? name : undefined;
}
