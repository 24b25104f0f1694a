import { isJsonObject, type JsonObject, type JsonValue, readRequirements } from '../../../specs/src/index.ts';
import { operations } from '../app.ts';
import { isModelId } from '../catalog-folder.ts';
import { listFaults } from '../deviations.ts';
import { newId } from '../digest.ts';
import { parseInteger, parseWord, rejectUnknownNames, SandboxError } from '../errors.ts';
import { adminPrefix } from '../http/router.ts';
import type { CatalogModel } from '../models/served-model.ts';
import { outcomeModelIds } from '../own-catalog.ts';
import { parseJson } from '../parse-json.ts';
import { modelFailure } from '../provider/behaviours.ts';
import { isFailureName } from '../provider/provider-response.ts';
import { executedGraph, type Job, jobRetentionMs } from '../state/jobs.ts';
import { changeSettings } from '../state/settings.ts';
import { scriptedFailures, type World } from '../state/world.ts';
import { type AdminCall, type AdminContext, type AdminRoutes, readModelId, readStrings } from './admin.ts';

/** Path of the test hooks of docs/reference/test-hooks.md. */
export const hooksPath = `${adminPrefix}/hooks`;
const maxAdvanceMs = 7 * 24 * 3_600_000;

export const adminRoutes: AdminRoutes = {
  'GET /__sandbox/': {
    description: 'lists these routes; a browser gets the console',
    handle: () => Object.entries(adminRoutes).map(([route, { description }]) => ({ route, description })),
  },
  'GET /__sandbox/clock': { description: 'returns the time of the sandbox', handle: (_, { world }) => showTime(world) },
  'POST /__sandbox/clock/advance': {
    description: 'advances the clock: {"by": "25h"}',
    bodyMembers: ['by'],
    handle: ({ body }, { world }) => {
      const { by } = body;
      world.config.clock.advance(typeof by === 'number' || typeof by === 'string' ? by : '');
      return showTime(world);
    },
  },
  'GET /__sandbox/ledger': {
    description:
      'returns dispatches, billed runs and replays: in total, by key and by run (?runs=N: the newest N, 1000 by default)',
    handle: showLedger,
  },
  'POST /__sandbox/reset': {
    description:
      'resets runs, requests, keys, ledger, settings and scripted failures to the initial state; keeps the clock, faults and variants',
    handle: (_, { world }) => {
      world.reset();
      return showTime(world);
    },
  },
  'GET /__sandbox/faults': {
    description: 'returns the active faults and variants',
    handle: (_, admin) => admin.deviations(),
  },
  'GET /__sandbox/switches': {
    description: 'lists the operations, the faults and their requirements',
    handle: () => ({ operations, faults: listFaults(), requirements: readRequirements() }),
  },
  'PUT /__sandbox/faults': {
    description: 'activates exactly these faults and variants: {"faults": ["<id>"], "variants": ["<id>"]}',
    bodyMembers: ['faults', 'variants'],
    handle: ({ body }, admin) => {
      admin.setDeviations({ faults: readStrings(body, 'faults'), variants: readStrings(body, 'variants') });
      return admin.deviations();
    },
  },
  'GET /__sandbox/settings': {
    description: 'returns the current timings, limits and other settings',
    handle: (_, { world }) => world.settings,
  },
  'PUT /__sandbox/settings': {
    description:
      'changes these settings: {"timings": {"waitingMs": 0}, "limits": {"inFlight": 2}}; null removes a limit',
    handle: ({ body }, { world }) => {
      world.settings = changeSettings(world.settings, body);
      return world.settings;
    },
  },

  // The test hooks, which any server may implement. The gate uses no other admin routes.
  [`GET ${hooksPath}`]: {
    description: 'lists the available test hooks (docs/reference/test-hooks.md)',
    handle: (_, { world }) => {
      const hasMain = world.catalog.byId.has(outcomeModelIds.main);
      const hasAlternate = world.catalog.byId.has(outcomeModelIds.alternate);
      const hooks = [
        'clock',
        'script',
        ...(hasMain ? ['outcomes', 'assets', 'families'] : []),
        ...(hasMain && hasAlternate ? ['alternate'] : []),
      ];
      return { version: 1, hooks };
    },
  },
  [`POST ${hooksPath}/clock`]: {
    description: 'advances the clock: {"advance_ms": 39600000}',
    bodyMembers: ['advance_ms'],
    handle: ({ body }, { world: { config } }) => {
      config.clock.advance(parseInteger('advance_ms', body['advance_ms'], { to: maxAdvanceMs }));
      return { now_ms: config.clock.now() };
    },
  },
  [`POST ${hooksPath}/script`]: {
    description:
      'fails the next call: {"operation": "<id>"} with "error_type" (internal_error, service_unavailable) or "code" (upstream_error)',
    handle: ({ body }, { world }) => {
      const found = operations.find(({ operation }) => operation === body['operation']);
      if (found === undefined) throw new SandboxError('operation must be the id of an operation');
      const { operation, api } = found;
      const name = api === 'model-router' ? 'error_type' : 'code';
      rejectUnknownNames(body, ['operation', name]);
      const failure = parseWord(name, body[name], scriptedFailures[api]);
      world.scripted = [...world.scripted, { operation, failure }];
      return { pending: world.scripted.length };
    },
  },
  [`DELETE ${hooksPath}/script`]: {
    description: 'removes the scripted failures',
    handle: (_, { world }) => {
      world.scripted = [];
      return { pending: 0 };
    },
  },

  // Routes that change the catalog, schema documents, and the outcome of the runs of a model.
  'POST /__sandbox/catalog/rebuild': {
    description:
      'rebuilds the catalog, so that cursors expire: {"documents": {"<id>": {…}}, "remove": ["<id>"]}, both optional',
    bodyMembers: ['documents', 'remove'],
    handle: ({ body }, { world }) => {
      world.rebuildCatalog(mergeCatalog(world.catalog.sources, body));
      return { models: world.catalog.models.length };
    },
  },
  // Does the same as `sandbox.on`, but for tests in other processes, and with a fixed output.
  'PUT /__sandbox/models/{provider}/{model}/behaviour': {
    description:
      'sets the result of runs of a model: {"output": …, "failure": "provider_error", "upstream_status": 529, "failure_rate": 0.1, "latency_ms": 800}, all optional',
    bodyMembers: ['output', 'failure', 'upstream_status', 'failure_rate', 'latency_ms'],
    handle: (call, { world }) => {
      const { body } = call;
      const id = readModelId(call);
      if (!world.catalog.byId.has(id)) return undefined;
      const { output, failure: name, upstream_status: status, latency_ms: latencyMs } = body;
      const { failure_rate: rate = name === undefined ? 0 : 1 } = body; // Without a rate, every run fails.
      if (name !== undefined && !isFailureName(name)) throw new SandboxError(`unknown failure ${JSON.stringify(name)}`);
      const details = status === undefined ? {} : { upstreamStatus: parseNumber('upstream_status', status) };
      world.behaviours.set(id, output === undefined ? undefined : () => output, {
        failureRate: parseNumber('failure_rate', rate),
        ...(name === undefined ? {} : { failure: modelFailure(name, details) }),
        ...(latencyMs === undefined ? {} : { latencyMs: parseNumber('latency_ms', latencyMs) }),
      });
      return body;
    },
  },
  'DELETE /__sandbox/models/{provider}/{model}/behaviour': {
    description: 'restores the usual behaviour of a model, as its document describes it',
    handle: (call, { world }) => {
      world.behaviours.remove(readModelId(call));
      return {};
    },
  },

  // Adds jobs, because no call of the workflow API submits one (OP-053, OP-054).
  'POST /__sandbox/jobs': {
    description:
      'adds a job to the account main: {"executed": {…}, "pinned": {…}}, both optional; graphs are objects, or texts to serve byte for byte',
    bodyMembers: ['executed', 'pinned'],
    handle: ({ body }, { world }) => {
      const { executed, pinned } = body;
      const id = newId();
      const job: Job = {
        owner: 'account-main',
        expiresAt: world.config.clock.now() + jobRetentionMs,
        pinned:
          pinned === undefined ? undefined : { workflow: readGraphText(pinned, 'pinned'), availability: 'readable' },
        executed: executed === undefined ? executedGraph : readGraphText(executed, 'executed'),
        extraData: {},
      };
      world.jobs = new Map(world.jobs).set(id, job);
      return { id };
    },
  },
};

function showTime({ config }: World): JsonObject {
  return { now: config.clock.now() };
}

function showLedger({ query }: AdminCall, { world }: AdminContext): object {
  const runs = query.get('runs') ?? '1000';
  if (!/^\d{1,9}$/.test(runs)) throw new SandboxError('runs must be an integer');
  return world.records.ledger(world.config.clock.now(), Number(runs));
}

/** Returns the catalog after `body` has removed, replaced and appended models. Throws SandboxError for an invalid id or document. */
function mergeCatalog(models: readonly CatalogModel[], body: JsonObject): CatalogModel[] {
  const removed = readStrings(body, 'remove');
  const documents = body['documents'] ?? {};
  if (!isJsonObject(documents)) throw new SandboxError('documents must be an object from model id to document');
  const changed = new Map(models.filter(({ id }) => !removed.includes(id)).map((model) => [model.id, model]));
  for (const [id, document] of Object.entries(documents)) {
    if (!isModelId(id) || !isJsonObject(document)) {
      throw new SandboxError(`${JSON.stringify(id)} must be a model id, <provider>/<model>, and its value a document`);
    }
    changed.set(id, { id, billing: changed.get(id)?.billing ?? 'unknown', bytes: encodeDocument(document) });
  }
  return [...changed.values()];
}

function encodeDocument(document: JsonObject): CatalogModel['bytes'] {
  return new TextEncoder().encode(`${JSON.stringify(document, null, 2)}\n`);
}

function parseNumber(name: string, value: JsonValue): number {
  if (typeof value !== 'number') throw new SandboxError(`${name} must be a number`);
  return value;
}

function readGraphText(graph: JsonValue, name: string): string {
  const text = typeof graph === 'string' ? graph : JSON.stringify(graph);
  if (!isJsonObject(parseJson(text)))
    throw new SandboxError(`${name} must be an object, or the JSON text of an object`);
  return text;
}
