import { isJsonObject } from '../../../specs/src/index.ts';
import { NotAffordable, NotApplicable } from '../contract/endings.ts';
import { isReplay, parseJson, readHeader } from '../contract/evidence.ts';
import type { Clock, Exchange, WireResponse } from '../contract/exchange.ts';
import { type Reason, refusedAtMost, wordReason } from '../contract/finding.ts';
import { decodeSegment, mayStartRun, modelPath } from '../contract/requests.ts';
import type { RuleId } from '../contract/rule.ts';
import { type LiveModel, listCapabilities, listHookModels, type Target } from '../contract/target.ts';
import type { InputName } from '../requires.ts';
import { describeOutage } from './retries.ts';
import type { Call, Wire } from './wire.ts';

export type Spending = {
  readonly clock: Clock;
  readonly runs: RunBudget;
  /** Maximum time for a live target to respond to a call that started a run (MR-LIM-01). */
  readonly heldMs: number;
  readonly endsAtMs: number;
};

/**
 * Reserves a run of a live target's budget before sending a call that could start one, and settles it after the
 * response. Throws `NotAffordable` for a call that must not be sent. The time until the response doesn't count against
 * the scenario's deadline.
 */
export function spendFromBudget(next: Wire, { clock, runs, heldMs, endsAtMs }: Spending): Wire {
  return async (call, deadline) => {
    const reservation = runs.reserve(call);
    if (reservation === undefined) return next(call, deadline);
    if (typeof reservation === 'object') {
      const because = wordReason(reservation, 'live');
      if (call.before === undefined) throw new NotAffordable(because, reservation);
      throw new NotApplicable(`${describeOutage(call.before)}; ${because}`, reservation);
    }
    const startedAtMs = clock.now();
    const wouldEndAtMs = deadline.endsAtMs;
    deadline.endsAtMs = Math.min(endsAtMs, Math.max(wouldEndAtMs, startedAtMs + heldMs));
    const sent = await next({ ...call, responseMs: heldMs }, deadline);
    runs.settle(reservation, sent.exchange);
    deadline.endsAtMs = wouldEndAtMs + clock.now() - startedAtMs;
    return sent;
  };
}

/** A request that could start a run if the server does not validate it. */
export type RunRecord = {
  readonly ruleId: RuleId;
  readonly step: string;
  /** `provider/model`, or the URL path if it isn't the path of a model. */
  readonly model: string;
  readonly route: 'run' | 'submit' | 'other';
  readonly credential?: string;
  readonly key?: string;
  /** `reserved`: no response yet. `returned`: a documented rejection or a replay, which are not billed. */
  readonly state: 'reserved' | 'spent' | 'returned';
  readonly expectsRejection: boolean;
  readonly states?: InputName;
  readonly status?: number;
};

/** Counts the runs requested from a live target. Every request of the gate to the target passes through here. */
export type RunBudget = {
  readonly records: readonly RunRecord[];
  /** Returns the index of a record, `undefined` if the call cannot start a run, or the reason why it must not be sent. */
  reserve(call: Call): number | Reason | undefined;
  /** True if a call was temporarily rejected without being billed, so that it may be repeated unchanged. */
  isRejectedUnbilled(exchange: Exchange): boolean;
  settle(index: number, exchange: Exchange): void;
};

export type Bookkeeping = {
  readonly headers: { readonly errorType: string; readonly upstreamStatus: string };
  readonly listed?: readonly string[];
  readonly onRecord?: (index: number, record: RunRecord) => void;
};

export function openRunBudget(target: Target, bookkeeping: Bookkeeping): RunBudget {
  const { headers, onRecord = () => undefined, listed = [] } = bookkeeping;
  const { runs = 0, models = [] } = target.budget ?? {};
  const records: RunRecord[] = [];
  // Models of the test hooks are never billed (docs/reference/test-hooks.md).
  const hookModelPaths = listHookModels(listCapabilities(target)).map(modelPath);
  const isHookModel = (path: string): boolean =>
    hookModelPaths.some((one) => path === one || path.startsWith(`${one}/`));
  const write = (index: number, record: RunRecord): void => {
    records[index] = record;
    onRecord(index, record);
  };
  const isKnown = (model: string): boolean => listed.includes(model) || models.some(({ id }) => id === model);
  const flaws: Flaw[] = [];
  /** Indices of the records of calls with the same caller, URL and body. */
  const same = new Map<string, number[]>();
  // 409 and 429 don't count: they are temporary, or caused by a concurrent call, and not by the input.
  const isRefused = (index: number): boolean => {
    const { state, expectsRejection: isDue, status = 0 } = records[index] ?? {};
    return state === 'returned' && isDue === false && status >= 400 && status !== 409 && status !== 429;
  };
  const refuse = (record: RunRecord, flaw: Flaw, earlier: readonly number[]): Reason | undefined => {
    const { model, expectsRejection } = record;
    const accepted = records.filter(({ expectsRejection: isDue, state, status = 400 }, index) => {
      return flaws[index]?.name === flaw.name && isDue && state === 'spent' && status < 400;
    });
    const isAlike = (record: RunRecord): boolean =>
      flaws[records.indexOf(record)]?.marks.some((mark) => flaw.marks.includes(mark)) === true;
    const [first] = accepted.length < acceptedAtMost ? accepted.filter(isAlike) : accepted;
    if (expectsRejection && first !== undefined)
      return { code: 'distrusted', flaw: flaw.name, model: first.model, step: first.step, ruleId: first.ruleId };
    // A failure may be billed. One uncaught exception must not use up the budget of all other rules.
    const failed = records.filter(({ expectsRejection: isDue, state, status = 0 }, index) => {
      return flaws[index]?.name === flaw.name && isDue && state === 'spent' && status >= 500;
    });
    const last = failed[failedAtMost - 1];
    if (expectsRejection && last !== undefined) {
      const { model: ofLast, step, ruleId, status = 500 } = last;
      return { code: 'distrusted', flaw: flaw.name, model: ofLast, step, ruleId, failedWith: status };
    }
    const isUnconfigured = listed.includes(model) && !models.some(({ id }) => id === model);
    if (runs > 0 && isUnconfigured) return { code: 'unnamed-model', model };
    if (records.filter(({ state }) => state !== 'returned').length >= runs) return { code: 'no-budget', runs };
    const refused = expectsRejection ? [] : earlier.filter(isRefused);
    const { status = 0 } = records[refused.at(-1) ?? -1] ?? {};
    return refused.length < refusedAtMost ? undefined : { code: 'refused-again', model, status };
  };
  return {
    records,
    reserve: (call) => {
      if (!mayStartRun(call.wanted, call.request) || isHookModel(new URL(call.request.url).pathname)) return undefined;
      const record = describeCall(call, models);
      const flaw = describeFlaw(call, record, records, isKnown);
      const input = JSON.stringify([
        record.credential ?? '',
        call.request.url,
        new TextDecoder().decode(call.request.body),
      ]);
      const earlier = same.get(input) ?? [];
      const refused = refuse(record, flaw, earlier);
      if (refused !== undefined) return refused;
      flaws.push(flaw);
      same.set(input, [...earlier, records.length]);
      write(records.length, record);
      return records.length - 1;
    },
    isRejectedUnbilled: ({ result }) =>
      result.kind === 'response' && result.status === 429 && isUnbilledRejection(result, headers),
    settle: (index, { result }) => {
      const record = records[index];
      if (record === undefined) return;
      const isReturned =
        result.kind === 'response' &&
        ((result.status < 400 && isReplay(result) && isPaidFor(record)) || isUnbilledRejection(result, headers));
      const status = result.kind === 'response' ? { status: result.status } : {};
      write(index, { ...record, state: isReturned ? 'returned' : 'spent', ...status });
    },
  };

  /** True if another call with the same key is paid for. If two calls are concurrent, either may get its response first. */
  function isPaidFor(record: RunRecord): boolean {
    return (
      record.key !== undefined &&
      records.some((other) => other !== record && other.key === record.key && other.state !== 'returned')
    );
  }
}

/** A server that accepts, and bills, a call with a flaw probably accepts other calls with the same flaw name and a common mark. */
type Flaw = { readonly name: string; readonly marks: readonly string[] };
/** Maximum number of accepted calls with the same deliberate flaw. After that, no further call with the flaw is sent. */
const acceptedAtMost = 2;
/** Maximum number of failures with 5xx of calls with one flaw; further ones are not sent. */
const failedAtMost = 3;

/** Names the flaw for each route separately: a server that queues invalid inputs may still refuse to run them. */
function describeFlaw(
  { request, flaw }: Call,
  { credential = 'nobody', key, model, route }: RunRecord,
  earlier: readonly RunRecord[],
  isKnown: (model: string) => boolean,
): Flaw {
  const body = new TextDecoder().decode(request.body);
  const call = route === 'submit' ? 'submission' : 'call';
  if (credential !== 'main') return { name: `${call} by ${credential}`, marks: [''] };
  if (!isJsonObject(parseJson(body))) return { name: `${call} with a body that is not an object`, marks: [''] };
  if (earlier.some((one) => key !== undefined && one.key === key))
    return { name: `different ${call} with a used key`, marks: [''] };
  if (!isKnown(model)) return { name: `${call} of a model that is not listed`, marks: [''] };
  return { name: `${call} with an invalid input like it`, marks: [body, flaw] };
}

/** Inputs that the owner states to fail. A call that sends one tests that statement. */
const failingInputs = ['rejectedInput', 'failingInput'] as const;

function describeCall(
  { ruleId, name: step, expectsRejection, purpose, wanted, request }: Call,
  models: readonly LiveModel[],
): RunRecord {
  const key = readHeader(request, 'Idempotency-Key');
  const { pathname } = new URL(request.url);
  const [, provider = '', model, tail] = /\/v2\/models\/([^/]+)\/([^/]+)(\/requests)?\/?$/.exec(pathname) ?? [];
  const who = wanted.credentials === undefined ? 'main' : wanted.credentials[0]?.who;
  const called = model === undefined ? pathname : `${decodeSegment(provider)}/${decodeSegment(model)}`;
  const own = models.find(({ id }) => id === called);
  const sent = wanted.body?.kind === 'json' ? wanted.body.value : undefined;
  const states = purpose.states ?? failingInputs.find((one) => sent !== undefined && own?.[one] === sent);
  return {
    ruleId,
    step,
    model: called,
    route: model === undefined ? 'other' : tail === undefined ? 'run' : 'submit',
    ...(who === undefined ? {} : { credential: who }),
    ...(key === undefined ? {} : { key }),
    state: 'reserved',
    expectsRejection,
    ...(states && { states }),
  };
}

/** Rejections by the router itself, before it called a provider (MR-STC-12). */
const unbilled: Readonly<Record<number, readonly string[]>> = {
  400: ['invalid_input', 'insufficient_credits'],
  401: ['unauthorized'],
  402: ['insufficient_credits'],
  403: ['forbidden', 'not_enabled'],
  404: ['model_not_found'],
  409: ['invalid_input', 'concurrency_limit_exceeded'],
  413: ['invalid_input'],
  422: ['invalid_input'],
  429: ['rate_limited', 'concurrency_limit_exceeded'],
};

/**
 * Statuses after which no provider was called. A framework's own error page has no category. A 422 is not one of them,
 * because a provider can also reject an input with it.
 */
const unbilledWithoutCategory: ReadonlySet<number> = new Set([401, 404, 413]);

function isUnbilledRejection(response: WireResponse, names: Bookkeeping['headers']): boolean {
  const category = readHeader(response, names.errorType)?.trim() ?? '';
  // If a provider responded, the call may be billed.
  if (readHeader(response, names.upstreamStatus) !== undefined) return false;
  if (category === '' && unbilledWithoutCategory.has(response.status)) return true;
  return unbilled[response.status]?.includes(category) === true;
}
