import pMap from 'p-map';
import { SetupFailure } from '../contract/errors.ts';
import { hasSucceeded, isReplay, isScripted, readHeader, readMember, selectStep } from '../contract/evidence.ts';
import type { Evidence, Exchange, NoResponse, Probe, ProbeRequest, Step, WireRequest } from '../contract/probe.ts';
import { type Reason, wordReason } from '../contract/reasons.ts';
import type { Rule } from '../contract/rule.ts';
import { mayStartRun } from '../contract/steps.ts';
import type { Check } from './check.ts';
import type { Substitute } from './discovered-model.ts';
import { countOutages, isOutage, outagesInARow } from './outages.ts';
import { expectsRejection } from './run-budget.ts';
import {
  computeBackoff,
  describeRequest,
  isTooLong,
  type Prepared,
  prepareRequest,
  readHint,
  type Sent,
  send,
} from './send.ts';
import { whyUnshown } from './unshown.ts';

export type Stop =
  | { readonly kind: 'setup-failed'; readonly reason: string }
  /** The budget of the check did not allow a request, or the target put it off. */
  | { readonly kind: 'not-applicable'; readonly because: string; readonly why?: Reason }
  | { readonly kind: 'unanswered'; readonly step: string; readonly result: NoResponse };
/** A call that could start a run met an outage and cannot be sent again as it is: the probe starts anew. */
type Interrupted = { readonly kind: 'interrupted'; readonly by: Exchange; readonly waitMs: number };
export type ProbeRun = Readonly<Awaited<ReturnType<typeof performProbe>>>;

export type Sender = Pick<Check, 'target' | 'ports' | 'limits' | 'endsAtMs' | 'log' | 'runs' | 'standIns'>;
export type Purpose = {
  /** On the ports' clock: nothing is sent after it. */
  readonly endsAtMs: number;
  /** The rule that the probe is sent for. A `free` one expects every call to be rejected that could start a run. */
  readonly rule?: Pick<Rule, 'id' | 'cost'>;
  readonly onReading?: () => void;
};

/** State of a probe under way. Time that passes at the target does not count against the rule's deadline. */
type ProbeState = Purpose & {
  readonly sender: Sender;
  readonly evidence: Exchange[];
  readonly substitute: Substitute;
  endsAtMs: number;
  /** Why what is found counts against no target: a call was answered for a reason that no rule is about. */
  unshown: string | undefined;
};

export async function performProbe(probe: Probe, sender: Sender, purpose: Purpose) {
  const { clock } = sender.ports;
  let { endsAtMs } = purpose;
  for (let restarts = 0; ; restarts += 1) {
    const substitute = sender.standIns?.() ?? ((wanted: ProbeRequest) => wanted);
    const state: ProbeState = { ...purpose, endsAtMs, sender, evidence: [], substitute, unshown: undefined };
    const stop = await performGroups(probe, state);
    // Clear unused scripted failures so they don't leak into the next rule.
    if (probe.some(({ script }) => script !== undefined)) await sender.ports.hooks?.clearScript();
    const { unshown } = state;
    const evidence: Evidence = state.evidence;
    if (stop?.kind !== 'interrupted') return { evidence, stop, unshown };
    endsAtMs = state.endsAtMs;
    if (restarts === outagesInARow - 1)
      return { evidence, stop: { kind: 'not-applicable', because: describeOutage(stop.by) } satisfies Stop, unshown };
    await clock.sleep(stop.waitMs);
  }
}

async function performGroups(probe: Probe, state: ProbeState): Promise<Stop | Interrupted | undefined> {
  for (const group of groupSteps(probe)) {
    const isTimed = group.length > 1;
    // Each of their responses may be as long as the bound on one.
    const stops = await pMap(group, (step) => performStep(step, isTimed, state).catch(readStop), { concurrency: 8 });
    const stop = stops.find((one) => one?.kind === 'interrupted') ?? stops.find((one) => one !== undefined);
    if (stop !== undefined) return stop;
  }
  return undefined;
}

function describeOutage(exchange: Exchange): string {
  return `outage: ${describeRequest(exchange)} at step "${exchange.step}" was answered 503 service_unavailable`;
}

function readStop(error: unknown): Stop {
  if (error instanceof SetupFailure) return { kind: 'setup-failed', reason: error.message };
  throw error;
}

/** Steps that go out together: each with those that follow it `alongside`. */
function groupSteps(steps: readonly Step[]): readonly (readonly Step[])[] {
  const groups: Step[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (step.alongside && last !== undefined) last.push(step);
    else groups.push([step]);
  }
  return groups;
}

/** `isTimed`: the step is sent together with others, so a later repetition of it shows something else. */
async function performStep(step: Step, isTimed: boolean, state: ProbeState): Promise<Stop | Interrupted | undefined> {
  const atMost = step.repeat?.atMost ?? 1;
  const { ports, limits } = state.sender;
  const startedAtMs = ports.clock.now();
  const isHeld = (): boolean =>
    step.repeat?.waitsForRun === true && isLive(state) && ports.clock.now() - startedAtMs < limits.ruleMs;
  let because = `did not meet its condition in ${atMost} attempts`;
  let deadEnds = 0;
  for (let attempt = 1; deadEnds < deadEndsAtMost && (attempt <= atMost || isHeld()); attempt += 1) {
    if (attempt > atMost) extend(state, slowPollMs + limits.requestMs);
    const ended = await performAttempt(step, { attempt, isTimed }, state);
    if (ended === 'done') return undefined;
    if (ended !== 'again') return ended;
    const deadEnd = findDeadEnd(selectStep(state.evidence, step.name).at(-1), state.sender.log.exchanges);
    if (deadEnd !== undefined) [because, deadEnds] = [deadEnd, deadEnds + 1];
  }
  return step.repeat?.mayNeverHold ? undefined : setupFailed(step, because);
}

/** A server that is wrong about the state of a request may still bring it to its end. */
const deadEndsAtMost = 12;

/** A request that has ended has the status COMPLETED, whatever its end: there is no terminal state beside it (MR-QUE-33). */
const terminal = /(?:cancell?ed|failed|failure|error|expired|aborted|rejected|timed_?out)$/i;

/** Why a queued request whose status is this will not become COMPLETED; undefined while it may. */
function findDeadEnd(exchange: Exchange | undefined, log: Evidence): string | undefined {
  const status = exchange && readStatus(exchange);
  if (exchange?.result.kind !== 'response' || status === undefined || status === 'COMPLETED') return undefined;
  const error = readMember(exchange.result, '/error_type');
  if (typeof error === 'string') return `has the error_type ${error} and the status ${status}`;
  const words = new Set(log.flatMap((one) => readStatus(one) ?? []));
  words.delete('COMPLETED');
  // The two names beside COMPLETED are not given (OP-001), their number is.
  const isBeside = terminal.test(status) || [...words].indexOf(status) > 1;
  return isBeside ? `has the status ${status}, which is beside the three` : undefined;
}

function readStatus({ api, request, result }: Exchange): string | undefined {
  if (api !== 'router' || result.kind === 'no-response' || !request.url.includes('/requests')) return undefined;
  // Collect's 200 is the result of the model, whose members are its own.
  if (result.status > 202 || readMember(result, '/status_url') === undefined) return undefined;
  const status = readMember(result, '/status');
  return typeof status === 'string' ? status : undefined;
}

const slowPollMs = 2_000;

/** The time of its runs is no rule's. */
function isLive({ sender }: ProbeState): boolean {
  return sender.target.kind === 'live';
}

/** Gives a rule more time, up to the end of the check. */
function extend(state: ProbeState, ms: number): void {
  const { endsAtMs, ports } = state.sender;
  if (isLive(state)) state.endsAtMs = Math.min(endsAtMs, Math.max(state.endsAtMs, ports.clock.now() + ms));
}

type Attempt = { readonly attempt: number; readonly isTimed: boolean };
type Ended = Stop | Interrupted | 'done' | 'again';

async function performAttempt(step: Step, { attempt, isTimed }: Attempt, state: ProbeState): Promise<Ended> {
  const { sender } = state;
  const { clock } = sender.ports;
  if (attempt === 1 && step.passMs !== undefined) await passTime(step.passMs, state);
  if (attempt === 1 && step.script !== undefined) await sender.ports.hooks?.script(step.script);
  const everyMs = attempt > (step.repeat?.atMost ?? 1) ? slowPollMs : step.repeat?.everyMs;
  const waitMs = attempt === 1 ? Math.max(step.afterMs ?? 0, computeHintedWait(step, state)) : (everyMs ?? 0);
  const neededMs = waitMs + (step.mayBeLeftOut ? sender.limits.requestMs : 0);
  if (clock.now() + neededMs >= state.endsAtMs) return outOfTime(step, attempt);
  if (waitMs > 0) await clock.sleep(waitMs);
  state.onReading?.();
  const asked = step.request(state.evidence);
  if (asked === undefined) return 'done';
  const prepared = prepareRequest(sender.target, withKeyOfRejection(step, state.substitute(asked), state));
  return exchangeOnce(step, prepared, { attempt, isTimed }, state);
}

/** On a live target a call that has to be rejected gets a key of its own, so that it can be sent again after an outage. */
function withKeyOfRejection(step: Step, wanted: ProbeRequest, { rule, sender }: ProbeState): ProbeRequest {
  const { headers = [] } = wanted;
  const isKeyed = headers.some(([name]) => name.toLowerCase() === 'idempotency-key');
  const isDue = sender.target.kind === 'live' && wanted.method === 'POST' && expectsRejection(step, rule);
  return isDue && !isKeyed ? { ...wanted, headers: [...headers, ['Idempotency-Key', crypto.randomUUID()]] } : wanted;
}

const longestHintMs = 10_000;

function computeHintedWait({ afterHintOf }: Step, { evidence }: ProbeState): number {
  const last = afterHintOf === undefined ? undefined : selectStep(evidence, afterHintOf).at(-1);
  return last === undefined ? 0 : Math.min(readHint(last), longestHintMs);
}

async function exchangeOnce(
  step: Step,
  prepared: Prepared,
  { attempt, isTimed }: Attempt,
  state: ProbeState,
): Promise<Ended> {
  const { sender, evidence } = state;
  const { clock } = sender.ports;
  const shared = findShared(step, prepared, sender);
  if (shared !== undefined) {
    evidence.push(shared);
    return stopAfter(step, shared, state) ?? 'done';
  }
  let before: Exchange | undefined;
  for (;;) {
    const full = sender.log.whyFull();
    if (full !== undefined) return { kind: 'not-applicable', because: full };
    const sent = await sendReserved(step, prepared, attempt, state);
    if ('code' in sent) {
      const refused = wordReason(sent, sender.target.kind);
      if (step.mayBeLeftOut && before === undefined) return 'done';
      const because = before === undefined ? refused : `${describeOutage(before)}; ${refused}`;
      return { kind: 'not-applicable', because, why: sent };
    }
    const { exchange, putOff } = sent;
    state.onReading?.();
    const next = putOff === undefined ? afterOutage(step, exchange, { isTimed, before }, state) : 'evidence';
    if (next === 'evidence') {
      if (step.sharedRun !== undefined) shareable.set(exchange, step.sharedRun);
      evidence.push(exchange);
      sender.log.add(exchange);
      return putOff === undefined ? conclude(step, exchange, state) : { kind: 'not-applicable', because: putOff };
    }
    const waitMs = computeBackoff(exchange, countOutages(exchange, sender.log.exchanges));
    const isLate = isTooLong(waitMs, sender.log.exchanges) || clock.now() + waitMs >= state.endsAtMs;
    if (next === 'over' || isLate) {
      sender.log.add(exchange);
      return { kind: 'not-applicable', because: describeOutage(exchange) };
    }
    sender.log.add({ ...exchange, repeatedAfterMs: waitMs });
    if (next === 'restart') return { kind: 'interrupted', by: exchange, waitMs };
    await clock.sleep(waitMs);
    before = exchange;
  }
}

/** Sends a call; one that could start a run of a live target is reserved before, and may be held. Returns a reason where it must not be sent. */
async function sendReserved(
  step: Step,
  prepared: Prepared,
  attempt: number,
  state: ProbeState,
): Promise<Sent | Reason> {
  const { sender, rule } = state;
  const { clock } = sender.ports;
  const { name, states } = step;
  const who = { ruleId: rule?.id ?? 'discovery', step: name, expectsRejection: expectsRejection(step, rule) };
  const reservation = sender.runs.reserve({ ...who, ...(states && { states }), ...prepared });
  if (typeof reservation === 'object') return reservation;
  const heldMs = reservation !== undefined && isLive(state) ? sender.limits.heldMs : undefined;
  const [startedAtMs, wouldEndAtMs] = [clock.now(), state.endsAtMs];
  if (heldMs !== undefined) extend(state, heldMs);
  const deadlineMs = heldMs ?? sender.limits.requestMs;
  const sent = await send(prepared, { step, attempt, sender, deadlineMs, endsAtMs: state.endsAtMs });
  if (reservation !== undefined) sender.runs.settle(reservation, sent.exchange);
  if (heldMs !== undefined) state.endsAtMs = wouldEndAtMs + clock.now() - startedAtMs;
  return sent;
}

type Outage = { readonly isTimed: boolean; readonly before: Exchange | undefined };

/**
 * Decides what follows the response to a call of a live target that could start a run. `resend`: the same call with the
 * same key. `restart`: the probe begins anew with new keys. `over`: the outage has lasted since an earlier rule.
 */
function afterOutage(
  step: Step,
  exchange: Exchange,
  { isTimed, before }: Outage,
  { sender }: ProbeState,
): 'evidence' | 'resend' | 'restart' | 'over' {
  const { request, api, result } = exchange;
  const { exchanges } = sender.log;
  if (sender.target.kind !== 'live' || !mayStartRun({ api, method: request.method }, request)) return 'evidence';
  const key = readHeader(request, 'Idempotency-Key');
  if (!isOutage(exchange) || isScripted(step, exchange)) {
    // The run of the call that met the outage, or of an earlier one? A rule about the order of calls cannot tell.
    const isOwnReplay = before !== undefined && result.kind === 'response' && isReplay(result);
    const hasResult = exchanges.some((one) => hasSucceeded(one) && readHeader(one.request, 'Idempotency-Key') === key);
    return isOwnReplay && !hasResult ? 'restart' : 'evidence';
  }
  const inARow = countOutages(exchange, exchanges) + 1;
  if (inARow > outagesInARow) return 'over';
  if (inARow === outagesInARow) return 'evidence';
  return key !== undefined && !isTimed ? 'resend' : 'restart';
}

function conclude(step: Step, exchange: Exchange, state: ProbeState): Stop | 'done' | 'again' {
  if (isLive(state)) state.unshown ??= whyUnshown(step, exchange, state);
  const isOver = step.repeat?.until(exchange, state.evidence) ?? true;
  return stopAfter(step, exchange, state) ?? (isOver ? 'done' : 'again');
}

function outOfTime(step: Step, attempt: number): Stop | 'done' {
  if (step.mayBeLeftOut || (attempt > 1 && step.repeat?.mayNeverHold)) return 'done';
  return setupFailed(step, "had no time left before the rule's deadline");
}

/** Throws `SetupFailure` when the target's clock is not to be moved. */
async function passTime(ms: number, state: ProbeState): Promise<void> {
  const { clock, hooks } = state.sender.ports;
  if (hooks === undefined) throw new SetupFailure('the clock of the target cannot be moved');
  const before = clock.now();
  await hooks.pass(ms);
  // In one process both clocks are the same one.
  state.endsAtMs += clock.now() - before;
}

/** By the name under which they are shared. */
const shareable = new WeakMap<Exchange, string>();
const originals = new WeakMap<Exchange, Exchange>();

/** The exchange in the log of one that stands in evidence under another step's name. */
export function findOriginal(exchange: Exchange): Exchange {
  return originals.get(exchange) ?? exchange;
}

export function renameStep(exchange: Exchange, step: string): Exchange {
  const renamed = { ...exchange, step };
  originals.set(renamed, exchange);
  return renamed;
}

/** A success of an earlier step that shares its run with this one, under this step's name. */
function findShared(step: Step, { request }: Prepared, { target, log }: Sender): Exchange | undefined {
  if (target.kind !== 'live' || step.sharedRun === undefined) return undefined;
  const call = describeCall(request);
  const original = log.exchanges.find(
    (exchange) =>
      shareable.get(exchange) === step.sharedRun &&
      exchange.result.kind === 'response' &&
      exchange.result.status < 300 &&
      describeCall(exchange.request) === call,
  );
  return original === undefined ? undefined : renameStep(original, step.name);
}

/** What has to be the same for a run to be shared: all but the value of the key. */
function describeCall({ method, url, headers, body }: WireRequest): string {
  const lines = headers.map(([name, value]) => `${name}: ${/^idempotency-key$/i.test(name) ? '' : value}`);
  return [method, url, ...lines, new TextDecoder().decode(body)].join('\n');
}

function stopAfter(step: Step, { result }: Exchange, { sender, endsAtMs }: ProbeState): Stop | undefined {
  if (result.kind === 'no-response') {
    if (step.mayStayUnanswered) return undefined;
    // The target had less time than a request has.
    if (result.because === 'timeout' && sender.ports.clock.now() >= endsAtMs)
      return setupFailed(step, 'was cut off by the deadline of its rule or of the check');
    if (step.mustAnswer === undefined) return { kind: 'unanswered', step: step.name, result };
    return setupFailed(step, `was not answered: ${result.because}: ${result.detail}`);
  }
  if (step.mustAnswer === undefined || step.mustAnswer.includes(result.status)) return undefined;
  return setupFailed(step, `answered ${result.status}, needed ${step.mustAnswer.join(' or ')}`);
}

function setupFailed(step: Step, problem: string): Stop {
  return { kind: 'setup-failed', reason: `step "${step.name}" ${problem}` };
}
