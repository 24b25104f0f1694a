import type { JsonValue } from '../../../specs/src/index.ts';
import { SandboxError } from '../errors.ts';
import { replaceDocument } from '../state/replace-document.ts';
import { parseForceWish } from './force-wish.ts';
import type { Operator, OperatorCall, OperatorRoute } from './operator.ts';

/** What the operator does to answers and to schema documents. */
export const providerRoutes: readonly OperatorRoute[] = [
  {
    method: 'POST',
    path: '/force',
    description:
      'forces the next answers: {"operation": "<id>" or "*", "times": 1, "stage": "before" or "after" the work is done} with one of ' +
      '"error_type" (router), "code" (workflow) and "body" (html, truncated_json, plain_text: as a proxy would), and "status", ' +
      '"upstream_status", "retry_after" (null leaves it out), "details"',
    handle: ({ body }, operator) => {
      operator.context.world.forced.force(parseForceWish(body));
      return tellForced(operator);
    },
  },
  {
    method: 'GET',
    path: '/force',
    description: 'the answers still to come',
    handle: (_, operator) => tellForced(operator),
  },
  {
    method: 'DELETE',
    path: '/force',
    description: 'forces nothing any more',
    handle: (_, operator) => {
      operator.context.world.forced.clear();
      return tellForced(operator);
    },
  },
  {
    method: 'PUT',
    path: '/models/{provider}/{model}/openapi.json',
    description: 'replaces the schema document of a model at once, without a rebuild of the catalog',
    handle: replaceSchemaDocument,
  },
  {
    method: 'POST',
    path: '/models/{provider}/{model}/rotate',
    description: 'gives the schema document of a model another version, and so another entity tag',
    handle: rotateSchemaDocument,
  },
];

function tellForced({ context }: Operator): JsonValue {
  return { pending: context.world.forced.pending().map(({ wish, times }) => ({ ...wish, times })) };
}

function replaceSchemaDocument({ body, params }: OperatorCall, { context }: Operator): JsonValue | undefined {
  if (body['openapi'] === undefined) throw new SandboxError('the body must be an OpenAPI document');
  return install(`${params['provider']}/${params['model']}`, body, context);
}

function rotateSchemaDocument({ params }: OperatorCall, { context }: Operator): JsonValue | undefined {
  const id = `${params['provider']}/${params['model']}`;
  const root = context.world.catalog.byId.get(id)?.document()?.root;
  if (root === undefined) return undefined;
  const info = root['info'];
  const before = typeof info === 'object' && info !== null && !Array.isArray(info) ? info : {};
  const [version = '', count = '0'] = String(before['version'] ?? '').split('+');
  return install(id, { ...root, info: { ...before, version: `${version}+${Number(count) + 1}` } }, context);
}

function install(
  id: string,
  document: OperatorCall['body'],
  { world, config }: Operator['context'],
): JsonValue | undefined {
  const bytes = new TextEncoder().encode(`${JSON.stringify(document, null, 2)}\n`);
  const changed = replaceDocument(world.catalog, { id, bytes }, config.brand);
  if (changed === undefined) return undefined;
  world.catalog = changed;
  return { id, entity_tag: changed.byId.get(id)?.snapshot().entityTag ?? '' };
}
