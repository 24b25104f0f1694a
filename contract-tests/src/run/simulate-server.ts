import { parseJson, readHeader } from '../contract/evidence.ts';
import type { WireResponse } from '../contract/exchange.ts';
import { mayStartRun, modelPath } from '../contract/requests.ts';
import { listCapabilities, listModelsOfHooks, type Target } from '../contract/target.ts';
import { findRefusal } from '../requires.ts';
import { openRunBudget } from '../wire/budget.ts';
import type { Call } from '../wire/call.ts';
import { openLog } from '../wire/send.ts';
import { buildCheck, type Check } from './check.ts';

/**
 * Returns a check whose calls get the responses of a conforming server, on a virtual clock. Its `runs` lists the calls
 * that could start a run: `spent` if they would start one, `returned` if they would be rejected or replayed.
 */
export function simulateServer(check: Check): Check {
  const { discovery, context, limits, ports } = check;
  const owned = check.target.budget?.models ?? [];
  // Without configured models, assume that the discovered ones are configured.
  const discovered = Object.values(discovery.models).map(({ id, input }) => ({ id, input, deterministic: true }));
  const budget = { runs: Number.MAX_SAFE_INTEGER, models: owned.length > 0 ? owned : discovered };
  const target: Target = { ...check.target, budget };
  let nowMs = 0;
  const sleep = async (ms: number): Promise<void> => {
    nowMs += ms;
  };
  return buildCheck({
    ...check,
    target,
    ports: { exchange: ports.exchange, clock: { now: () => nowMs, sleep } },
    limits: { ...limits, heldMs: 0, ruleMs: 3_600_000 },
    endsAtMs: Number.MAX_SAFE_INTEGER,
    log: openLog(),
    runs: openRunBudget(target, { headers: context.headers, listed: discovery.listed }),
    respond: createResponder(check),
  });
}

function createResponder({ target, discovery, context, log }: Check): (call: Call) => WireResponse {
  const { errorType, requestId } = context.headers;
  const owned = target.budget?.models ?? [];
  const documents = new Map(
    log.exchanges.flatMap(({ request, result }) =>
      request.url.endsWith('/openapi.json') && result.kind === 'response' && result.status === 200
        ? [[request.url, result] as const]
        : [],
    ),
  );
  const hookModels = listModelsOfHooks(listCapabilities(target));
  const modelPaths = [...discovery.listed, ...owned.map(({ id }) => id), ...hookModels].map(modelPath);
  const keys = new Set<string>();
  let count = 0;
  return (call) => {
    const { request } = call;
    const document = documents.get(request.url);
    if (request.method === 'GET' && document !== undefined) return document;
    const text = new TextDecoder().decode(request.body);
    const who = call.wanted.credentials?.[0]?.who ?? 'main';
    // Calls that a server may either reject or accept count as runs.
    if (call.expectsRejection && mayStartRun(call.wanted, request)) {
      const isKnown = modelPaths.some((path) => new URL(request.url).pathname.includes(path));
      const invalid = parseJson(text) === undefined ? 400 : 422;
      const otherwise = isKnown ? ([invalid, 'invalid_input'] as const) : ([404, 'model_not_found'] as const);
      const [status, category] = findRefusal(who) ?? otherwise;
      return response(status, {}, [[errorType, category]]);
    }
    count += 1;
    const id = [requestId, String(count)] as const;
    const { testsSetting } = call.purpose;
    if (testsSetting === 'rejectedInput' || testsSetting === 'failingInput')
      return response(400, {}, [id, [errorType, 'content_policy_violation']]);
    if (request.method === 'PUT') return response(202, { status: 'CANCELLATION_REQUESTED' }, [id]);
    if (request.method !== 'POST') return response(200, { status: 'COMPLETED', data: [], has_more: false }, [id]);
    const sentKey = readHeader(request, 'Idempotency-Key');
    // `colleague` shares the keys of the workspace.
    const key = `${who === 'colleague' ? 'main' : who} ${sentKey}`;
    const isReplay = sentKey !== undefined && keys.has(key);
    keys.add(key);
    const replay = isReplay ? [['Idempotent-Replayed', 'true'] as const] : [];
    if (!/\/requests$/.test(request.url)) return response(200, {}, replay);
    const requestedId = `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
    const url = `${request.url}/${requestedId}`;
    const urls = { status_url: `${url}/status`, response_url: url, cancel_url: `${url}/cancel` };
    return response(201, { request_id: requestedId, ...urls }, replay);
  };
}

function response(status: number, value: unknown, headers: WireResponse['headers'] = []): WireResponse {
  const body = new TextEncoder().encode(JSON.stringify(value));
  return { kind: 'response', status, headers: [['Content-Type', 'application/json'], ...headers], body };
}
