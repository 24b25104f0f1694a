import picomatch from 'picomatch';
import { createContext, type ServiceHeaders, serviceHeaders } from '../contract/context.ts';
import { HarnessError, NoOccasion, SetupFailure } from '../contract/errors.ts';
import { parseJson, readHeader } from '../contract/evidence.ts';
import type { Evidence, Exchanger, WireRequest, WireResponse } from '../contract/probe.ts';
import { type Reason, wordReason } from '../contract/reasons.ts';
import { type Rule, type RuleId, wholeCheck } from '../contract/rule.ts';
import { modelPath } from '../contract/steps.ts';
import { listCapabilities, listObeying, meets, shows, type Target } from '../contract/target.ts';
import { budget, type Condition, findRefusal, findRequisite, listRows } from '../requires.ts';
import type { Check, ConformanceInput } from './check.ts';
import { performProbe } from './perform.ts';
import { openRunBudget, type ReservedCall, type RunBudget, type RunRecord } from './run-budget.ts';
import { openLog } from './send.ts';

/** `because` names the first thing that is lacking, `why` all of them. */
export type Applicability =
  | { readonly kind: 'applies' }
  | { readonly kind: 'not-observable' | 'not-applicable'; readonly because: string; readonly why: Reason };
export type Planned = { readonly rule: Rule; readonly applicability: Applicability };

/** The chosen rules (default: all) with the rules they need, each after its needs. Throws `HarnessError` on unsound declarations. */
export function planConformance(
  rules: readonly Rule[],
  target: Target,
  { rules: patterns }: Pick<ConformanceInput, 'rules'> = {},
): readonly Planned[] {
  const ordered = inOrderOfNeed(rules, target);
  const chosen = patterns === undefined ? ordered : withNeeds(ordered, patterns);
  return chosen.map((rule) => ({ rule, applicability: ruleApplicability(rule, target) }));
}

/** Patterns that match no rule: a typing error must not make a check green. */
export function unmatchedPatterns(rules: readonly Rule[], patterns: readonly string[]): readonly string[] {
  return patterns.filter((pattern) => !rules.some((rule) => picomatch.isMatch(rule.id, pattern)));
}

export function ruleApplicability(rule: Rule, target: Target): Applicability {
  const unmet = unmetConditions(rule, target).map(listRows);
  const [kind] = (unmet[0] ?? []).map((row) => row.kind);
  if (kind === undefined) return { kind: 'applies' };
  const isUnobservable = target.kind === 'mock' && ['capability', 'hook', 'credential'].includes(kind);
  const why: Reason = { code: 'lacks', of: unmet.map((rows) => rows.map(({ id }) => id)) };
  const because = wordReason(why, target.kind);
  return { kind: isUnobservable ? 'not-observable' : 'not-applicable', because, why };
}

export function listConditions({ api, requires, cost }: Rule): readonly Condition[] {
  return [findRequisite(api), ...requires, ...(cost === 'billed' ? [budget] : [])];
}

export function unmetConditions(rule: Rule, target: Target): readonly Condition[] {
  return listConditions(rule).filter((condition) => !meets(target, condition));
}

function withNeeds(ordered: readonly Rule[], patterns: readonly string[]): readonly Rule[] {
  const isWanted = picomatch([...patterns]);
  const chosen = new Set<RuleId>();
  // From the last to the first: needs come earlier in the order than what needs them.
  for (const rule of ordered.toReversed()) {
    if (!chosen.has(rule.id) && !isWanted(rule.id)) continue;
    chosen.add(rule.id);
    for (const need of rule.needs) chosen.add(need);
  }
  return ordered.filter((rule) => chosen.has(rule.id));
}

function inOrderOfNeed(rules: readonly Rule[], target: Target): readonly Rule[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const repeated = rules.filter((rule) => byId.get(rule.id) !== rule).map(({ id }) => id);
  if (repeated.length > 0) throw new HarnessError(`rule ids repeat: ${repeated.join(', ')}`);
  const placed = new Map<RuleId, Rule>();
  const place = (rule: Rule, above: readonly RuleId[]): void => {
    if (placed.has(rule.id)) return;
    if (above.includes(rule.id)) throw new HarnessError(`rules need each other: ${[...above, rule.id].join(' → ')}`);
    for (const need of rule.needs) {
      const needed = byId.get(need);
      if (needed === undefined) throw new HarnessError(`rule ${rule.id} needs ${need}, which does not exist`);
      place(needed, [...above, rule.id]);
    }
    placed.set(rule.id, rule);
  };
  // Rules over the whole check come last: they read the exchanges of all others.
  for (const rule of rules.toSorted((one, other) => lateness(one, target) - lateness(other, target))) place(rule, []);
  return [...placed.values()];
}

/** Rules that need runs of their own come after those that share runs: a small budget is spent on these. */
function lateness(rule: Rule, target: Target): number {
  if (rule.probe === wholeCheck) return 2;
  const shown = rule.requires.map((condition) => listRows(condition).find((row) => shows(target, row)));
  return !shown.includes(undefined) && shown.some((row) => row?.kind === 'input') ? 1 : 0;
}

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
  const calls = new WeakMap<WireRequest, ReservedCall>();
  const counted = openRunBudget(target, { headers, listed: discovery.listed });
  const reserve: RunBudget['reserve'] = (call) => {
    calls.set(call.request, call);
    return counted.reserve(call);
  };
  let now = 0;
  const pass = (ms: number): void => {
    now += ms;
  };
  const rehearsed: Check = {
    ...check,
    target,
    ports: {
      exchange: conformingServer(calls, headers, {
        earlier: check.log.exchanges,
        known: [...discovery.listed, ...owned.map(({ id }) => id), ...listObeying(listCapabilities(target))],
        unsuccessful: owned
          .flatMap(({ rejectedInput, failingInput }) => [rejectedInput ?? [], failingInput ?? []].flat())
          .map((input) => JSON.stringify(input)),
      }),
      clock: { now: () => now, sleep: async (ms) => pass(ms) },
    },
    limits: { ...check.limits, heldMs: 0 },
    endsAtMs: Number.MAX_SAFE_INTEGER,
    log: openLog(),
    runs: { ...counted, reserve },
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
  return counted.records;
}

function firstOfEachProbe(plan: readonly Planned[]): Iterable<Rule> {
  const probes = new Map<Rule['probe'], Rule>();
  for (const { rule, applicability } of plan) {
    const isSent = applicability.kind === 'applies' && rule.api === 'router' && rule.probe !== wholeCheck;
    if (isSent && !probes.has(rule.probe)) probes.set(rule.probe, rule);
  }
  return probes.values();
}

/** How a conforming server rejects the call. One that a server may accept as well counts as a run. */
function nameRefusal(call: ReservedCall, body: string, known: readonly string[]): Refusal | undefined {
  if (!call.expectsRejection) return undefined;
  const refused = findRefusal(readCaller(call));
  if (refused !== undefined) return refused;
  const { pathname } = new URL(call.request.url);
  if (!known.some((id) => pathname.includes(modelPath(id)))) return [404, 'model_not_found'];
  return [parseJson(body) === undefined ? 400 : 422, 'invalid_input'];
}

type Refusal = readonly [status: number, category: string];

function readCaller({ wanted }: ReservedCall): string {
  return wanted.credentials?.[0]?.who ?? 'main';
}

/** `known`: ids of the models of the target. `unsuccessful`: bodies that do not succeed. */
type Rehearsed = Readonly<Record<'known' | 'unsuccessful', readonly string[]>> & { readonly earlier: Evidence };

function conformingServer(
  calls: WeakMap<WireRequest, ReservedCall>,
  { errorType, requestId }: Pick<ServiceHeaders, 'errorType' | 'requestId'>,
  { earlier, unsuccessful, known }: Rehearsed,
): Exchanger {
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
    const text = new TextDecoder().decode(request.body);
    const call = calls.get(request);
    const refused = call && nameRefusal(call, text, known);
    if (refused !== undefined) return response(refused[0], {}, [[errorType, refused[1]]]);
    count += 1;
    // Keys are made of the id of the first response of a probe.
    const id = [requestId, String(count)] as const;
    if (unsuccessful.includes(text)) return response(400, {}, [id, [errorType, 'content_policy_violation']]);
    if (request.method === 'POST') return accepted(request, count, { keys, who: call && readCaller(call) });
    if (request.method === 'PUT') return response(202, { status: 'CANCELLATION_REQUESTED' }, [id]);
    return response(200, { status: 'COMPLETED', data: [], has_more: false }, [id]);
  };
}

type Held = { readonly keys: Set<string>; readonly who: string | undefined };

function accepted(request: WireRequest, count: number, { keys, who = 'main' }: Held): WireResponse {
  const given = readHeader(request, 'Idempotency-Key');
  // A colleague shares the keys of the workspace.
  const key = `${who === 'colleague' ? 'main' : who} ${given}`;
  const isReplay = given !== undefined && keys.has(key);
  keys.add(key);
  const replay = isReplay ? [['Idempotent-Replayed', 'true'] as const] : [];
  if (!/\/requests$/.test(request.url)) return response(200, {}, replay);
  const id = `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
  const url = `${request.url}/${id}`;
  const handle = { request_id: id, status_url: `${url}/status`, response_url: url, cancel_url: `${url}/cancel` };
  return response(201, handle, replay);
}

function response(status: number, value: unknown, headers: WireResponse['headers'] = []): WireResponse {
  const body = new TextEncoder().encode(JSON.stringify(value));
  return { kind: 'response', status, headers: [['Content-Type', 'application/json'], ...headers], body };
}
