import { isJsonObject } from '../../../specs/src/index.ts';
import { NotAffordable } from '../contract/endings.ts';
import { isReplay, parseJson, readHeader } from '../contract/evidence.ts';
import type { WireResponse } from '../contract/exchange.ts';
import { decodeSegment, mayStartRun, modelPath } from '../contract/requests.ts';
import { listCapabilities, listModelsOfHooks, type Target } from '../contract/target.ts';
import type { Call, RunBudget, RunRecord } from './call.ts';

export type Bookkeeping = {
  readonly headers: { readonly errorType: string; readonly upstreamStatus: string };
  readonly listed?: readonly string[];
  readonly onRecord?: (index: number, record: RunRecord) => void;
};

export function openRunBudget(
  target: Target,
  { headers, onRecord = () => undefined, listed = [] }: Bookkeeping,
): RunBudget {
  const { runs = 0, models = [] } = target.budget ?? {};
  const calls: ReservedRun[] = [];
  const isConfigured = (model: string): boolean => models.some(({ id }) => id === model);
  // Models of the test hooks are never billed (docs/reference/test-hooks.md).
  const hookModelPaths = listModelsOfHooks(listCapabilities(target)).map(modelPath);
  const isHookModel = (path: string): boolean =>
    hookModelPaths.some((one) => path === one || path.startsWith(`${one}/`));
  const write = (index: number, call: ReservedRun): void => {
    calls[index] = call;
    onRecord(index, call.record);
  };
  const requireAffordable = (call: ReservedRun): void => {
    const { model, expectsRejection } = call.record;
    if (expectsRejection) {
      const because = explainDistrust(call, calls);
      if (because !== undefined) throw new NotAffordable(because, { code: 'distrusted', because });
    }
    if (runs > 0 && listed.includes(model) && !isConfigured(model))
      throw new NotAffordable(`it may start a run of ${model}, which conform.live.models does not list`);
    const paidRuns = calls.filter(({ record }) => record.state !== 'returned').length;
    if (paidRuns >= runs) {
      const because = runs === 0 ? 'the budget is 0' : `the budget of ${runs} is used up`;
      throw new NotAffordable(`it may start a run, and ${because}`, { code: 'no-budget' });
    }
    if (!expectsRejection) {
      const because = explainRepeatedRejection(call, calls);
      if (because !== undefined) throw new NotAffordable(because);
    }
  };
  return {
    get records() {
      return calls.map(({ record }) => record);
    },
    reserve: (call) => {
      const { wanted, request } = call;
      if (!mayStartRun(wanted, request) || isHookModel(new URL(request.url).pathname)) return undefined;
      const record = describeCall(call);
      const isKnown = listed.includes(record.model) || isConfigured(record.model);
      const isKeyUsed = record.key !== undefined && calls.some((one) => one.record.key === record.key);
      const flaw = describeFlaw(call, record, { isKnown, isKeyUsed });
      const input = JSON.stringify([record.credential ?? '', request.url, new TextDecoder().decode(request.body)]);
      const reserved = { record, flaw, input };
      requireAffordable(reserved);
      write(calls.length, reserved);
      return calls.length - 1;
    },
    isRejectedUnbilled: ({ result }) =>
      result.kind === 'response' && result.status === 429 && isUnbilledRejection(result, headers),
    settle: (index, { result }) => {
      const call = calls[index];
      if (call === undefined) return;
      const { record } = call;
      // Another call with the same key is paid for. If two calls are concurrent, either may get its response first.
      const isPaidFor =
        record.key !== undefined &&
        calls.some((other) => other !== call && other.record.key === record.key && other.record.state !== 'returned');
      const isReturned =
        result.kind === 'response' &&
        ((result.status < 400 && isReplay(result) && isPaidFor) || isUnbilledRejection(result, headers));
      const status = result.kind === 'response' ? { status: result.status } : {};
      write(index, { ...call, record: { ...record, state: isReturned ? 'returned' : 'spent', ...status } });
    },
  };
}

/** A call that the budget allowed. `input`: caller, URL and body of the call. */
type ReservedRun = { readonly record: RunRecord; readonly flaw: Flaw; readonly input: string };
/** Flaw of a call. A server that accepts it probably also accepts flaws with the same name and a common mark. */
type Flaw = { readonly name: string; readonly marks: readonly string[] };
/** Maximum number of accepted calls with the same deliberate flaw. After that, no further call with the flaw is sent. */
const maxAccepted = 2;
/** Maximum number of calls with the same flaw that fail with 5xx. After that, no further call with the flaw is sent. */
const maxFailed = 3;
/** Maximum number of rejections of a valid call. After that, it isn't sent again, because a server might bill it anyway. */
const maxRejections = 2;

/**
 * For a call that the server has to reject: explains why it is not sent if the server accepted an earlier call with the
 * same flaw, or failed on several. Both may be billed, and one defect must not use up the budget of all other rules.
 */
function explainDistrust({ flaw }: ReservedRun, calls: readonly ReservedRun[]): string | undefined {
  const withFlaw = calls.filter(
    ({ record, flaw: { name } }) => name === flaw.name && record.expectsRejection && record.state === 'spent',
  );
  const ending = `so no further ${flaw.name} is sent`;
  const accepted = withFlaw.filter(({ record: { status = 400 } }) => status < 400);
  const hasCommonMark = (other: ReservedRun): boolean => other.flaw.marks.some((mark) => flaw.marks.includes(mark));
  const example = accepted.length < maxAccepted ? accepted.find(hasCommonMark) : accepted[0];
  if (example !== undefined) {
    const { model, step, ruleId } = example.record;
    return `${model} accepted step "${step}" of ${ruleId}, which it had to reject, ${ending}`;
  }
  const failed = withFlaw.filter(({ record: { status = 0 } }) => status >= 500)[maxFailed - 1];
  if (failed === undefined) return undefined;
  const { model, step, ruleId, status } = failed.record;
  return `${model} failed with ${status} on step "${step}" of ${ruleId}, which it had to reject, and such a failure may be billed, ${ending}`;
}

/** For a valid call: explains why it is not sent again if the server has rejected it several times without billing it. */
function explainRepeatedRejection({ input, record: { model } }: ReservedRun, calls: readonly ReservedRun[]) {
  const rejections = calls.filter(({ record: { state, expectsRejection, status = 0 }, ...other }) => {
    // 409 and 429 don't count: they are temporary, or caused by a concurrent call.
    const isRejection = status >= 400 && status !== 409 && status !== 429;
    return other.input === input && state === 'returned' && !expectsRejection && isRejection;
  });
  const last = rejections.at(-1);
  if (last === undefined || rejections.length < maxRejections) return undefined;
  return `${model} rejected the same valid call ${maxRejections} times with ${last.record.status}, so it is not sent again`;
}

/** Names the flaw for each route separately: a server that queues invalid inputs may still refuse to run them. */
function describeFlaw(
  { request, flaw }: Call,
  { credential = 'nobody', route }: RunRecord,
  { isKnown, isKeyUsed }: { readonly isKnown: boolean; readonly isKeyUsed: boolean },
): Flaw {
  const body = new TextDecoder().decode(request.body);
  const call = route === 'submit' ? 'submission' : 'call';
  if (credential !== 'main') return { name: `${call} by ${credential}`, marks: [''] };
  if (!isJsonObject(parseJson(body))) return { name: `${call} with a body that is not an object`, marks: [''] };
  if (isKeyUsed) return { name: `different ${call} with a used key`, marks: [''] };
  if (!isKnown) return { name: `${call} of a model that is not listed`, marks: [''] };
  return { name: `${call} with an invalid input like it`, marks: [body, flaw] };
}

function describeCall({ ruleId, name: step, expectsRejection, purpose, wanted, request }: Call): RunRecord {
  const key = readHeader(request, 'Idempotency-Key');
  const { pathname } = new URL(request.url);
  const [, provider = '', model, tail] = /\/v2\/models\/([^/]+)\/([^/]+)(\/requests)?\/?$/.exec(pathname) ?? [];
  const who = wanted.credentials === undefined ? 'main' : wanted.credentials[0]?.who;
  const called = model === undefined ? pathname : `${decodeSegment(provider)}/${decodeSegment(model)}`;
  return {
    ruleId,
    step,
    model: called,
    route: model === undefined ? 'other' : tail === undefined ? 'run' : 'submit',
    ...(who === undefined ? {} : { credential: who }),
    ...(key === undefined ? {} : { key }),
    state: 'reserved',
    expectsRejection,
    ...(purpose.testsSetting && { states: purpose.testsSetting }),
  };
}

/** Rejections by the router itself, before it called a provider (MR-STC-12). */
const unbilledRejections: Readonly<Record<number, readonly string[]>> = {
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
 * Statuses that show even without a category, as in the error page of a framework, that no provider was called. 422 is
 * not one of them, because a provider can also reject an input with it.
 */
const unbilledWithoutCategory: ReadonlySet<number> = new Set([401, 404, 413]);

function isUnbilledRejection(response: WireResponse, names: Bookkeeping['headers']): boolean {
  const category = readHeader(response, names.errorType)?.trim() ?? '';
  // If a provider responded, the call may be billed.
  if (readHeader(response, names.upstreamStatus) !== undefined) return false;
  if (category === '' && unbilledWithoutCategory.has(response.status)) return true;
  return unbilledRejections[response.status]?.includes(category) === true;
}
