import { type EffectiveSpecs, listOperations } from '../../../../specs/src/index.ts';
import type { ServerRequest } from '../../http/messages.ts';

export const routerOperations = [
  'listModels',
  'readModel',
  'runModel',
  'readSchemaDocument',
  'submitRequest',
  'collectRequest',
  'readStatus',
  'cancelRequest',
] as const;
/** Operations that may start a run. */
export const posts = ['runModel', 'submitRequest'] as const;
/** The same, with requirements on body and key, and on the refusal of either. */
export const startOperations = [
  { on: 'runModel', name: 'run', body: 'MR-RUN-15', key: 'MR-RUN-04', refusal: 'MR-RUN-38' },
  { on: 'submitRequest', name: 'submit', body: 'MR-SUB-06', key: 'MR-SUB-04', refusal: 'MR-SUB-13' },
] as const;
export const allOperations = [...routerOperations, 'readJobWorkflow'] as const;
export type OperationId = (typeof allOperations)[number];
/** An operation that a fault can change: an id of the specifications, one of two routes outside them, or all other calls. */
export type FaultOperation = OperationId | 'openAsset' | 'lookUpJob' | 'unlisted';
export type FindOperation = (request: ServerRequest) => FaultOperation | undefined;

/** Undefined for any other path, so that no fault touches an admin route. */
export function createOperationFinder(specs: EffectiveSpecs): FindOperation {
  const patterns = listOperations(specs).flatMap(({ operationId, method, path }) => {
    const id = allOperations.find((one) => one === operationId);
    const source = path.replaceAll('.', '\\.').replace(/\{[^}]*\}/g, '[^/]+');
    return id === undefined ? [] : [{ id, method, pattern: new RegExp(`^${source}$`) }];
  });
  return (request) => {
    const path = readPath(request);
    if (path.startsWith('/__assets/')) return 'openAsset';
    if (/^\/api\/v2\/jobs\/[^/]+$/.test(path)) return 'lookUpJob';
    const found = patterns.find(({ method, pattern }) => method === request.method && pattern.test(path));
    return found?.id ?? (/^\/(?:v2|api)(?:\/|$)/.test(path) ? 'unlisted' : undefined);
  };
}

/** The path as sent, without the query. */
export function readPath({ target }: ServerRequest): string {
  return target.replace(/[?#].*$/s, '');
}
