import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { parseDuration } from '../clock.ts';
import { newId } from '../digest.ts';
import { parseWord, SandboxError } from '../errors.ts';
import { workflowAccounts } from '../http/authentication.ts';
import { parseJson } from '../parse-json.ts';
import { type Job, jobRetentionMs, type Reach } from '../state/jobs.ts';
import { executedGraph } from '../state/workflow-graphs.ts';
import type { World } from '../state/world.ts';
import type { AdminRoutes } from './admin.ts';

const reaches: readonly Reach[] = ['readable', 'version-gone', 'workflow-gone'];

/** Creates jobs by admin calls, because the API can't submit them (OP-053, OP-054). */
export const jobRoutes: AdminRoutes = {
  'GET /__sandbox/jobs': {
    description: 'the jobs of the workflow API: owner, deadline, and whether a saved workflow is behind them',
    handle: (_, { world }) => [...world.jobs].map(([id, job]) => showJob(id, job)),
  },
  'POST /__sandbox/jobs': {
    description:
      'adds a job: {"account": "main", "executed": {…}, "pinned": {…}, "expires_in": "7d"}, all optional; graphs are objects, or ' +
      'texts to be served to the byte',
    takes: ['account', 'executed', 'pinned', 'expires_in'],
    handle: ({ body }, { world }) => {
      const now = world.config.clock.now();
      const pinned = body['pinned'] === undefined ? undefined : graphText(body, 'pinned');
      return putJob(world, newId(), {
        owner: findOwner(body),
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
        pinned: job.pinned && { ...job.pinned, reach: parseWord('reach', reach, reaches) },
      });
    },
  },
};

function putJob(world: World, id: string, job: Job): JsonValue {
  world.jobs = new Map(world.jobs).set(id, job);
  return showJob(id, job);
}

function showJob(id: string, { owner, expiresAt, pinned }: Job): JsonObject {
  return { id, owner, expires_at: expiresAt, reach: pinned?.reach ?? null };
}

function findOwner(body: JsonObject): string {
  const alias = body['account'] ?? 'main';
  const account = [...workflowAccounts.values()].find((known) => known.alias === alias);
  if (account === undefined) throw new SandboxError('account must be the alias of a workflow credential');
  return account.user;
}

function readLifetime(body: JsonObject): number | undefined {
  const wanted = body['expires_in'];
  if (wanted === undefined) return undefined;
  return parseDuration(typeof wanted === 'number' ? wanted : `${wanted}`);
}

function graphText(body: JsonObject, name: string): string {
  const graph = body[name];
  const text = typeof graph === 'string' ? graph : JSON.stringify(graph);
  if (!isJsonObject(parseJson(text))) throw new SandboxError(`${name} must be an object, or a text that holds one`);
  return text;
}
