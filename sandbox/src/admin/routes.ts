import { asObject, isJsonObject, type JsonObject, type JsonValue, readRequirements } from '../../../specs/src/index.ts';
import { operations } from '../app.ts';
import { isModelId } from '../catalog-folder.ts';
import { parseDuration } from '../clock.ts';
import { listFaults } from '../deviations.ts';
import { newId } from '../digest.ts';
import { parseWholeNumber, parseWord, SandboxError } from '../errors.ts';
import { workflowAccounts } from '../http/authentication.ts';
import { adminPrefix } from '../http/router.ts';
import type { CatalogModel } from '../models/served-model.ts';
import { outcomeModelIds } from '../own-catalog.ts';
import { parseJson } from '../parse-json.ts';
import { modelFailure } from '../provider/behaviours.ts';
import { isFailureName } from '../provider/provider-response.ts';
import { executedGraph, type Job, jobRetentionMs } from '../state/jobs.ts';
import { withdraw } from '../state/run.ts';
import { changeSettings } from '../state/settings.ts';
import type { World } from '../state/world.ts';
import { type Admin, type AdminCall, type AdminRoutes, readModelId, readStrings } from './admin.ts';
import { parseStub, stubRoutes, stubWords } from './stub-routes.ts';

/** Path of the test hooks of docs/reference/test-hooks.md. */
export const hooksPath = `${adminPrefix}/hooks`;
const longestAdvanceMs = 7 * 24 * 3_600_000;
const scriptedFailures: readonly unknown[] = ['internal_error', 'service_unavailable', 'upstream_error'];

export const adminRoutes: AdminRoutes = {
  'GET /__sandbox/': {
    description: 'lists these routes; a browser gets the console',
    handle: () => Object.entries(adminRoutes).map(([route, { description }]) => ({ route, description })),
  },
  'GET /__sandbox/clock': { description: 'returns the time of the sandbox', handle: (_, { world }) => showTime(world) },
  'POST /__sandbox/clock/advance': {
    description: 'advances the clock: {"by": "25h"}; not possible for real time with a database',
    takes: ['by'],
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
  'DELETE /__sandbox/ledger': {
    description: 'starts a new ledger; keeps results and keys',
    handle: (call, admin) => {
      admin.world.records.startLedgerPage();
      return showLedger(call, admin);
    },
  },
  'POST /__sandbox/reset': {
    description:
      'resets runs, requests, keys, ledger, settings and stubs to the initial state; keeps the clock, faults and variants',
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
    description: 'lists the operations, the faults, their requirements, and the words that stubs accept',
    handle: () => ({ operations, stubs: stubWords, faults: listFaults(), requirements: readRequirements() }),
  },
  'PUT /__sandbox/faults': {
    description: 'activates exactly these faults and variants: {"faults": ["<id>"], "variants": ["<id>"]}',
    takes: ['faults', 'variants'],
    handle: ({ body }, admin) => {
      admin.deviate({ faults: readStrings(body, 'faults'), variants: readStrings(body, 'variants') });
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
  'POST /__sandbox/requests/{id}/withdraw': {
    description: 'cancels a queued request immediately',
    handle: ({ params }, { world }) => {
      const run = world.records.findRun(params['id'] ?? '');
      if (run === undefined || run.operation !== 'submit') return undefined;
      const withdrawn = withdraw(run, 0, world.config.clock.now());
      if (withdrawn !== run) world.records.change(withdrawn);
      return { request_id: run.id, withdrawn: withdrawn.withdrawnAt !== undefined };
    },
  },

  // Test hooks, a protocol that any server may implement. The gate only uses these admin routes.
  [`GET ${hooksPath}`]: {
    description: 'lists the available test hooks (docs/reference/test-hooks.md)',
    handle: (_, { world }) => {
      const hasMain = world.catalog.byId.has(outcomeModelIds.main);
      const hasAlternate = world.catalog.byId.has(outcomeModelIds.alternate);
      const hooks = [
        ...(world.config.clock.canAdvance ? ['clock'] : []),
        'script',
        ...(hasMain ? ['outcomes', 'assets', 'families'] : []),
        ...(hasMain && hasAlternate ? ['alternate'] : []),
      ];
      return { version: 1, hooks };
    },
  },
  [`POST ${hooksPath}/clock`]: {
    description: 'advances the clock: {"advance_ms": 39600000}',
    takes: ['advance_ms'],
    handle: ({ body }, { world: { config } }) => {
      config.clock.advance(parseWholeNumber('advance_ms', body['advance_ms'], { to: longestAdvanceMs }));
      return { now_ms: config.clock.now() };
    },
  },
  [`POST ${hooksPath}/script`]: {
    description:
      'fails the next call: {"operation": "<id>"} with "error_type" (internal_error, service_unavailable) or "code" (upstream_error)',
    takes: ['operation', 'error_type', 'code'],
    handle: ({ body }, { world }) => {
      if (!scriptedFailures.includes(body['error_type'] ?? body['code']))
        throw new SandboxError(
          'the body must have the error_type internal_error or service_unavailable, or the code upstream_error',
        );
      if (!operations.some(({ operation }) => operation === body['operation']))
        throw new SandboxError('operation must be the id of an operation');
      world.stubs.pending.push(parseStub(body));
      return { pending: world.stubs.pending.reduce((sum, { times }) => sum + times, 0) };
    },
  },
  [`DELETE ${hooksPath}/script`]: {
    description: 'removes the scripted failures',
    handle: (_, { world }) => {
      world.stubs.pending = [];
      return { pending: 0 };
    },
  },

  // The catalog, schema documents, and the outcome of runs by model.
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
    description: 'replaces the schema document of a model immediately, without rebuilding the catalog',
    handle: (call, { world }) => {
      if (call.body['openapi'] === undefined) throw new SandboxError('the body must be an OpenAPI document');
      return install(readModelId(call), call.body, world);
    },
  },
  'POST /__sandbox/models/{provider}/{model}/rotate': {
    description: 'changes the version of the schema document of a model, and thus its entity tag',
    handle: (call, { world }) => {
      const root = world.catalog.byId.get(readModelId(call))?.document()?.root;
      if (root === undefined) return undefined;
      const info = asObject(root['info']);
      const [version = '', count = '0'] = String(info['version'] ?? '').split('+');
      const next = { ...root, info: { ...info, version: `${version}+${Number(count) + 1}` } };
      return install(readModelId(call), next, world);
    },
  },
  // Like `sandbox.on`, for tests in other processes and with a fixed output.
  'PUT /__sandbox/models/{provider}/{model}/behaviour': {
    description:
      'sets the result of runs of a model: {"output": …, "failure": "provider_error", "upstream_status": 529, "failure_rate": 0.1, "latency_ms": 800}, all optional',
    takes: ['output', 'failure', 'upstream_status', 'failure_rate', 'latency_ms'],
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

  ...stubRoutes,

  // Jobs of the workflow API, which has no call that submits a job (OP-053, OP-054).
  'GET /__sandbox/jobs': {
    description: 'lists the jobs of the workflow API: owner, expiry, and whether they have a saved workflow',
    handle: (_, { world }) => [...world.jobs].map(([id, job]) => showJob(id, job)),
  },
  'POST /__sandbox/jobs': {
    description:
      'adds a job: {"account": "main", "executed": {…}, "pinned": {…}, "expires_in": "7d"}, all optional; graphs are objects, or ' +
      'texts to serve byte for byte',
    takes: ['account', 'executed', 'pinned', 'expires_in'],
    handle: ({ body }, { world }) => {
      const alias = body['account'] ?? 'main';
      const account = [...workflowAccounts.values()].find((known) => known.alias === alias);
      if (account === undefined)
        throw new SandboxError('account must be the alias of a workflow credential, such as main');
      const now = world.config.clock.now();
      const pinned = body['pinned'] === undefined ? undefined : graphText(body, 'pinned');
      return putJob(world, newId(), {
        owner: account.user,
        expiresAt: now + (readLifetime(body) ?? jobRetentionMs),
        pinned: pinned === undefined ? undefined : { workflow: pinned, reach: 'readable' },
        executed: body['executed'] === undefined ? executedGraph : graphText(body, 'executed'),
        extraData: {},
      });
    },
  },
  'PUT /__sandbox/jobs/{id}': {
    description:
      'changes a job: {"reach": "readable", "version-gone" or "workflow-gone", "expires_in": "1h"}, both optional',
    takes: ['reach', 'expires_in'],
    handle: ({ body, params }, { world }) => {
      const id = params['id'] ?? '';
      const job = world.jobs.get(id);
      if (job === undefined) return undefined;
      const lifetimeMs = readLifetime(body);
      const { reach = job.pinned?.reach } = body;
      return putJob(world, id, {
        ...job,
        expiresAt: lifetimeMs === undefined ? job.expiresAt : world.config.clock.now() + lifetimeMs,
        pinned: job.pinned && {
          ...job.pinned,
          reach: parseWord('reach', reach, ['readable', 'version-gone', 'workflow-gone']),
        },
      });
    },
  },
};

function showTime({ config }: World): JsonObject {
  return { now: config.clock.now() };
}

function showLedger({ query }: AdminCall, { world }: Admin): object {
  const runs = query.get('runs') ?? '1000';
  if (!/^\d{1,9}$/.test(runs)) throw new SandboxError('runs must be an integer');
  return world.records.ledger(world.config.clock.now(), Number(runs));
}

/** Replaces documents with the same id and appends the others. Throws SandboxError for an invalid id or document. */
function rebuiltCatalog(models: readonly CatalogModel[], body: JsonObject): CatalogModel[] {
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

function install(id: string, document: JsonObject, world: World): object | undefined {
  if (!world.catalog.byId.has(id)) return undefined;
  const bytes = encodeDocument(document);
  world.replaceDocuments(world.catalog.sources.map((model) => (model.id === id ? { ...model, bytes } : model)));
  return { id, entity_tag: world.catalog.byId.get(id)?.snapshot().entityTag ?? '' };
}

function encodeDocument(document: JsonObject): CatalogModel['bytes'] {
  return new TextEncoder().encode(`${JSON.stringify(document, null, 2)}\n`);
}

function parseNumber(name: string, value: JsonValue): number {
  if (typeof value !== 'number') throw new SandboxError(`${name} must be a number`);
  return value;
}

function putJob(world: World, id: string, job: Job): object {
  world.jobs = new Map(world.jobs).set(id, job);
  return showJob(id, job);
}

function showJob(id: string, { owner, expiresAt, pinned }: Job): JsonObject {
  return { id, owner, expires_at: expiresAt, reach: pinned?.reach ?? null };
}

function readLifetime(body: JsonObject): number | undefined {
  const wanted = body['expires_in'];
  if (wanted === undefined) return undefined;
  return parseDuration(typeof wanted === 'number' ? wanted : `${wanted}`);
}

function graphText(body: JsonObject, name: string): string {
  const graph = body[name];
  const text = typeof graph === 'string' ? graph : JSON.stringify(graph);
  if (!isJsonObject(parseJson(text)))
    throw new SandboxError(`${name} must be an object, or the JSON text of an object`);
  return text;
}
