import { type EffectiveSpecs, isJsonObject, listOperations, type OpenApiDocument } from '../../../specs/src/index.ts';
import { identifier } from './source.ts';

/** What differs between the packages of the two APIs. */
export const apiPackages = [
  {
    name: 'modelRouter',
    folder: 'model-router',
    title: 'Model Router',
    /** Folders of the runtime that the package carries; the first one holds the client that people call. */
    runtime: ['router', 'http', 'assets', 'node', 'key-store', 'key-store-tests', 'opentelemetry', 'proxy'],
    /** Folders whose entry point is a subpath of the package. */
    subpaths: ['assets', 'node', 'key-store', 'key-store-tests', 'opentelemetry', 'proxy'],
    /** Optional packages of its subpaths, with their versions. */
    peers: { '@opentelemetry/api': '^1.4.0' },
    /** What the package exports of the client as it is. */
    values: ['createMemoryKeyStore', 'fieldErrors', 'isRouterError', 'knownCategories', 'RouterError'],
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
    peers: {},
    values: ['createWorkflowExecution', 'isWorkflowError', 'knownCodes', 'WorkflowError'],
    errors: { name: 'errorCodes', schema: 'ErrorCode' },
    host: 'workflows.example',
  },
] as const;

export type ApiPackage = ReturnType<typeof describeApi>;

export function describeApi(row: (typeof apiPackages)[number], specs: EffectiveSpecs) {
  const name = row.title.replace(' ', '');
  return {
    ...row,
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
