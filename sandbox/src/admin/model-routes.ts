import { asObject, isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { isModelId } from '../catalog-folder.ts';
import { SandboxError } from '../errors.ts';
import type { CatalogModel } from '../models/served-model.ts';
import { type ModelBehaviour, modelFailure } from '../provider/behaviours.ts';
import { isFailureName } from '../provider/provider-response.ts';
import type { World } from '../state/world.ts';
import { type AdminRoutes, readModelId, readStrings } from './admin.ts';

/** Changes the catalog, schema documents, and the outcome of runs per model. */
export const modelRoutes: AdminRoutes = {
  'POST /__sandbox/catalog/rebuild': {
    description:
      'rebuilds the catalog, so that cursors expire: {"documents": {"<id>": {…}}, "remove": ["<id>"]}, both optional',
    takes: ['documents', 'remove'],
    handle: ({ body }, { world }) => {
      world.rebuildCatalog(rebuiltCatalog(world.catalog.sources, body));
      return { models: world.catalog.models.length };
    },
  },
  'PUT /__sandbox/models/{provider}/{model}/openapi.json': {
    description: 'replaces the schema document of a model at once, without a rebuild of the catalog',
    handle: (call, { world }) => {
      if (call.body['openapi'] === undefined) throw new SandboxError('the body must be an OpenAPI document');
      return install(readModelId(call), call.body, world);
    },
  },
  'POST /__sandbox/models/{provider}/{model}/rotate': {
    description: 'gives the schema document of a model another version, and so another entity tag',
    handle: (call, { world }) => {
      const root = world.catalog.byId.get(readModelId(call))?.document()?.root;
      return root === undefined ? undefined : install(readModelId(call), withNextVersion(root), world);
    },
  },
  // Like `sandbox.on`, for tests in other processes and with a fixed output.
  'PUT /__sandbox/models/{provider}/{model}/behaviour': {
    description:
      'sets what the runs of a model give: {"output": …, "failure": "provider_error", "upstream_status": 529, "failure_rate": 0.1, "latency_ms": 800}, all optional',
    takes: ['output', 'failure', 'upstream_status', 'failure_rate', 'latency_ms'],
    handle: (call, { world }) => {
      const { body } = call;
      const id = readModelId(call);
      if (!world.catalog.byId.has(id)) return undefined;
      const { output } = body;
      world.behaviours.set(id, output === undefined ? undefined : () => output, readBehaviour(body));
      return body;
    },
  },
  'DELETE /__sandbox/models/{provider}/{model}/behaviour': {
    description: 'lets a model behave as its document describes',
    handle: (call, { world }) => {
      world.behaviours.remove(readModelId(call));
      return {};
    },
  },
};

/** Replaces documents with the same id and appends the others. Throws SandboxError for an invalid id or document. */
function rebuiltCatalog(models: readonly CatalogModel[], body: JsonObject): CatalogModel[] {
  const removed = readStrings(body, 'remove');
  const documents = body['documents'] ?? {};
  if (!isJsonObject(documents)) throw new SandboxError('documents must be an object from model id to document');
  const changed = new Map(models.filter(({ id }) => !removed.includes(id)).map((model) => [model.id, model]));
  for (const [id, document] of Object.entries(documents)) {
    if (!isModelId(id) || !isJsonObject(document)) {
      throw new SandboxError(`${JSON.stringify(id)} must be <provider>/<model>, two slugs, with a document`);
    }
    changed.set(id, { id, billing: changed.get(id)?.billing ?? 'unknown', bytes: encodeDocument(document) });
  }
  return [...changed.values()];
}

function withNextVersion(root: JsonObject): JsonObject {
  const info = asObject(root['info']);
  const [version = '', count = '0'] = String(info['version'] ?? '').split('+');
  return { ...root, info: { ...info, version: `${version}+${Number(count) + 1}` } };
}

function install(id: string, document: JsonObject, world: World): JsonValue | undefined {
  if (!world.catalog.byId.has(id)) return undefined;
  const bytes = encodeDocument(document);
  world.replaceDocuments(world.catalog.sources.map((model) => (model.id === id ? { ...model, bytes } : model)));
  return { id, entity_tag: world.catalog.byId.get(id)?.snapshot().entityTag ?? '' };
}

function encodeDocument(document: JsonObject): CatalogModel['bytes'] {
  return new TextEncoder().encode(`${JSON.stringify(document, null, 2)}\n`);
}

/** Without a rate, every run fails. */
function readBehaviour(body: JsonObject): ModelBehaviour {
  const { failure: name, failure_rate: rate = name === undefined ? 0 : 1, latency_ms: latencyMs } = body;
  const { upstream_status: upstreamStatus } = body;
  if (name !== undefined && !isFailureName(name)) throw new SandboxError(`there is no failure ${JSON.stringify(name)}`);
  const details =
    upstreamStatus === undefined ? {} : { upstreamStatus: parseNumber('upstream_status', upstreamStatus) };
  return {
    failureRate: parseNumber('failure_rate', rate),
    ...(name === undefined ? {} : { failure: modelFailure(name, details) }),
    ...(latencyMs === undefined ? {} : { latencyMs: parseNumber('latency_ms', latencyMs) }),
  };
}

function parseNumber(name: string, value: JsonValue): number {
  if (typeof value !== 'number') throw new SandboxError(`${name} must be a number`);
  return value;
}
