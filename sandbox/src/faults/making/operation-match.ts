/** The nine operations by operation id, as far as a decorator can tell them apart from outside. */
export type OperationId =
  | 'listModels'
  | 'readModel'
  | 'runModel'
  | 'readSchemaDocument'
  | 'submitRequest'
  | 'collectRequest'
  | 'readStatus'
  | 'cancelRequest'
  | 'readJobWorkflow';

const segment = '[^/]+';
const model = `/v2/models/${segment}/${segment}`;
const patterns: readonly (readonly [OperationId, string, RegExp])[] = [
  ['listModels', 'GET', /^\/v2\/models$/],
  ['readSchemaDocument', 'GET', new RegExp(`^${model}/openapi\\.json$`)],
  ['readModel', 'GET', new RegExp(`^${model}$`)],
  ['runModel', 'POST', new RegExp(`^${model}$`)],
  ['submitRequest', 'POST', new RegExp(`^${model}/requests$`)],
  ['readStatus', 'GET', new RegExp(`^${model}/requests/${segment}/status$`)],
  ['collectRequest', 'GET', new RegExp(`^${model}/requests/${segment}$`)],
  ['cancelRequest', 'PUT', new RegExp(`^${model}/requests/${segment}/cancel$`)],
  ['readJobWorkflow', 'GET', new RegExp(`^/api/v2/jobs/${segment}/workflow$`)],
];

export const routerOperations: readonly OperationId[] = patterns
  .map(([id]) => id)
  .filter((id) => id !== 'readJobWorkflow');

/** The operation a request is for; nothing for any other path, so that no fault ever touches one. */
export function operationOf(request: Request): OperationId | undefined {
  const { pathname } = new URL(request.url);
  return patterns.find(([, method, path]) => method === request.method && path.test(pathname))?.[0];
}

/** `{provider}/{model}` of a router request below `/v2/models/`. */
export function modelIdOf(request: Request): string {
  return new URL(request.url).pathname.split('/').slice(3, 5).join('/');
}

/** The request id inside a queue path, if the path has one. */
export function requestIdOf(request: Request): string | undefined {
  return new URL(request.url).pathname.split('/')[6];
}
