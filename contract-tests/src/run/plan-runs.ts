import { createContext, serviceHeaders } from '../contract/context.ts';
import { NoOccasion, SetupFailure } from '../contract/errors.ts';
import { headerOf } from '../contract/evidence.ts';
import type { Exchanger } from '../contract/ports.ts';
import type { Evidence, WireRequest, WireResponse } from '../contract/probe.ts';
import { type Rule, wholeRun } from '../contract/rule.ts';
import type { Target } from '../contract/target.ts';
import type { Check } from './check.ts';
import { performProbe } from './perform.ts';
import type { Planned } from './plan.ts';
import { openRunBudget, type RunBudget, type RunRecord } from './run-budget.ts';
import { openLog } from './send.ts';

/**
 * The calls of a plan that could start a run, as a server that conforms would have them: `spent` where it would start one,
 * `returned` where it would reject or replay. Nothing is sent.
 */
export async function planRuns(plan: readonly Planned[], check: Check): Promise<readonly RunRecord[]> {
  const { specs, discovery, record } = check;
  const owned = check.target.budget?.models ?? [];
  // Without models of the owner: as if those that discovery found were named.
  const found = Object.values(discovery.models).map(({ id, input }) => ({ id, input, deterministic: true }));
  const budget = { runs: Number.MAX_SAFE_INTEGER, models: owned.length > 0 ? owned : found };
  const target: Target = { ...check.target, budget };
  const headers = serviceHeaders(specs);
  const rejected = new WeakSet<WireRequest>();
  const runs = noting(openRunBudget(target, { headers, listed: discovery.listed }), rejected);
  let now = 0;
  const pass = (ms: number): void => {
    now += ms;
  };
  const rehearsed: Check = {
    ...check,
    target,
    ports: {
      exchange: conformingServer(rejected, headers.errorType, check.log.exchanges),
      clock: { now: () => now, sleep: async (ms) => pass(ms) },
    },
    limits: { ...check.limits, heldMs: 0 },
    endsAtMs: Number.MAX_SAFE_INTEGER,
    log: openLog(),
    runs,
  };
  const context = createContext(target, specs, discovery);
  for (const rule of firstOfEachProbe(plan)) {
    if (record.whyLeftOut(rule.id) !== undefined) continue;
    record.starts(rule.id);
    try {
      const steps = typeof rule.probe === 'function' ? rule.probe(context) : rule.probe;
      await performProbe(steps, rehearsed, { rule, endsAtMs: rehearsed.endsAtMs });
    } catch (error) {
      if (!(error instanceof NoOccasion || error instanceof SetupFailure)) throw error;
    }
  }
  return runs.records;
}

function firstOfEachProbe(plan: readonly Planned[]): Iterable<Rule> {
  const probes = new Map<Rule['probe'], Rule>();
  for (const { rule, applicability } of plan) {
    const isSent = applicability.kind === 'applies' && rule.api === 'router' && rule.probe !== wholeRun;
    if (isSent && !probes.has(rule.probe)) probes.set(rule.probe, rule);
  }
  return probes.values();
}

function noting(runs: RunBudget, rejected: WeakSet<WireRequest>): RunBudget {
  return {
    ...runs,
    reserve: (call) => {
      if (call.expectsRejection) rejected.add(call.request);
      return runs.reserve(call);
    },
  };
}

/** Answers as a server that conforms would, as far as the next request depends on it. */
function conformingServer(rejected: WeakSet<WireRequest>, errorType: string, earlier: Evidence): Exchanger {
  const documents = new Map(
    earlier.flatMap(({ request, result }) =>
      request.url.endsWith('/openapi.json') && result.kind === 'response' && result.status === 200
        ? [[request.url, result] as const]
        : [],
    ),
  );
  const keys = new Set<string>();
  let count = 0;
  return async (request) => {
    const document = documents.get(request.url);
    if (request.method === 'GET' && document !== undefined) return document;
    if (rejected.has(request)) return response(isJson(request) ? 422 : 400, {}, [[errorType, 'invalid_input']]);
    count += 1;
    if (request.method === 'POST') return accepted(request, count, keys);
    if (request.method === 'PUT') return response(202, { status: 'CANCELLATION_REQUESTED' });
    return response(200, { status: 'COMPLETED', data: [], has_more: false });
  };
}

function accepted(request: WireRequest, count: number, keys: Set<string>): WireResponse {
  const key = headerOf(request, 'Idempotency-Key');
  const isReplay = key !== undefined && keys.has(key);
  if (key !== undefined) keys.add(key);
  const replay = isReplay ? [['Idempotent-Replayed', 'true'] as const] : [];
  if (!/\/requests$/.test(request.url)) return response(200, {}, replay);
  const id = `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
  const url = `${request.url}/${id}`;
  const handle = { request_id: id, status_url: `${url}/status`, response_url: url, cancel_url: `${url}/cancel` };
  return response(201, handle, replay);
}

function isJson({ body }: WireRequest): boolean {
  try {
    return JSON.parse(new TextDecoder().decode(body)) !== undefined;
  } catch {
    return false;
  }
}

function response(status: number, value: unknown, headers: WireResponse['headers'] = []): WireResponse {
  const body = new TextEncoder().encode(JSON.stringify(value));
  return { kind: 'response', status, headers: [['Content-Type', 'application/json'], ...headers], body };
}
