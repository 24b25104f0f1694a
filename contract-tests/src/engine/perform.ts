import { SetupFailure } from '../definitions/errors.ts';
import type { Ports } from '../definitions/ports.ts';
import type { Evidence, Exchange, NoResponse, Probe, ProbeRequest, Step } from '../definitions/probe.ts';
import type { Target } from '../definitions/target.ts';
import type { ExchangeLog } from './exchange-log.ts';
import { sendPatiently } from './transient-reads.ts';
import { wireRequestOf } from './wire-request.ts';

/** Why a probe ended before its last step. */
export type Stop =
  | { readonly kind: 'setup-failed'; readonly reason: string }
  | { readonly kind: 'unanswered'; readonly step: string; readonly result: NoResponse };
export type ProbeRun = { readonly evidence: Evidence; readonly stop: Stop | undefined };

export type Sender = {
  readonly target: Target;
  readonly ports: Ports;
  /** For a request that declares no deadline of its own. */
  readonly requestDeadlineMs: number;
  readonly log: ExchangeLog;
  /** Called before a probe reads what the target has sent. */
  readonly onReading?: () => void;
};

/** State of a running probe. Time that passes at the target does not count against the rule's deadline. */
type ProbeState = { readonly sender: Sender; readonly evidence: Exchange[]; endsAtMs: number };

/** Sends the steps of a probe in order; nothing is sent after `endsAtMs` of the ports' clock. */
export async function performProbe(probe: Probe, sender: Sender, endsAtMs: number): Promise<ProbeRun> {
  const evidence: Exchange[] = [];
  const state: ProbeState = { sender, evidence, endsAtMs };
  const stop = await performGroups(probe, state);
  // What no call met must not meet a call of another rule.
  if (probe.some(({ script }) => script !== undefined)) await sender.ports.hooks?.clearScript();
  return { evidence, stop };
}

async function performGroups(probe: Probe, state: ProbeState): Promise<Stop | undefined> {
  for (const group of groupsOf(probe)) {
    const stops = await Promise.all(group.map((step) => performStep(step, state)));
    const stop = stops.find((one) => one !== undefined);
    if (stop !== undefined) return stop;
  }
  return undefined;
}

/** Steps that go out together: each with those that follow it `alongside`. */
function groupsOf(steps: readonly Step[]): readonly (readonly Step[])[] {
  const groups: Step[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (step.alongside && last !== undefined) last.push(step);
    else groups.push([step]);
  }
  return groups;
}

async function performStep(step: Step, state: ProbeState): Promise<Stop | undefined> {
  const atMost = step.repeat?.atMost ?? 1;
  for (let attempt = 1; attempt <= atMost; attempt += 1) {
    const ended = await performAttempt(step, attempt, state);
    if (ended === 'done') return undefined;
    if (ended !== 'again') return ended;
  }
  return step.repeat?.mayNeverHold ? undefined : setupFailed(step, `did not meet its condition in ${atMost} attempts`);
}

async function performAttempt(step: Step, attempt: number, state: ProbeState): Promise<Stop | 'done' | 'again'> {
  const { sender, evidence } = state;
  const { clock } = sender.ports;
  if (attempt === 1 && step.passMs !== undefined) await passTime(step.passMs, state);
  if (attempt === 1 && step.script !== undefined) await sender.ports.hooks?.script(step.script);
  const waitMs = (attempt === 1 ? step.afterMs : step.repeat?.everyMs) ?? 0;
  const neededMs = waitMs + (step.mayBeLeftOut ? sender.requestDeadlineMs : 0);
  if (clock.now() + neededMs >= state.endsAtMs) return outOfTime(step, attempt);
  if (waitMs > 0) await clock.sleep(waitMs);
  sender.onReading?.();
  const prepared = prepare(step, evidence, sender.target);
  if (prepared instanceof SetupFailure) return { kind: 'setup-failed', reason: prepared.message };
  if (prepared === undefined) return 'done';
  const once = (): Promise<Exchange> => send(prepared, { state, step: step.name, attempt });
  const exchange = await sendPatiently(prepared.wanted, {
    send: once,
    clock,
    endsAtMs: state.endsAtMs,
    log: sender.log,
  });
  evidence.push(exchange);
  sender.log.add(exchange);
  sender.onReading?.();
  return (
    stopAfter(step, exchange, state) ?? (step.repeat === undefined || step.repeat.until(exchange) ? 'done' : 'again')
  );
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

type Prepared = ReturnType<typeof wireRequestOf> & { readonly wanted: ProbeRequest };

function prepare(step: Step, evidence: Evidence, target: Target): Prepared | SetupFailure | undefined {
  try {
    const wanted = step.request(evidence);
    return wanted === undefined ? undefined : { wanted, ...wireRequestOf(target, wanted) };
  } catch (error) {
    if (error instanceof SetupFailure) return error;
    throw error;
  }
}

type Sending = { readonly state: ProbeState; readonly step: string; readonly attempt: number };

/** The only place that sends. */
async function send({ wanted, request, address }: Prepared, { state, step, attempt }: Sending): Promise<Exchange> {
  const { ports, requestDeadlineMs, log } = state.sender;
  const startedAtMs = ports.clock.now();
  const deadlineMs = Math.min(wanted.deadlineMs ?? requestDeadlineMs, state.endsAtMs - startedAtMs);
  const result = log.heldBytes() > logLimitBytes ? logIsFull : await ports.exchange(request, deadlineMs);
  return {
    step,
    attempt,
    api: wanted.api,
    request,
    result,
    timing: { startedAtMs, durationMs: ports.clock.now() - startedAtMs },
    ...(address.rebasedFrom === undefined ? {} : { rebasedFrom: address.rebasedFrom }),
  };
}

// Every response is kept until the end of the run.
const logLimitBytes = 64 * 1024 * 1024;
const logIsFull: NoResponse = {
  kind: 'no-response',
  because: 'too-large',
  detail: `not sent: the responses of this run exceed ${logLimitBytes} bytes together`,
};

function stopAfter(step: Step, { result }: Exchange, { sender, endsAtMs }: ProbeState): Stop | undefined {
  if (result.kind === 'no-response') {
    if (step.mayStayUnanswered) return undefined;
    // The target had less time than a request has.
    if (result.because === 'timeout' && sender.ports.clock.now() >= endsAtMs)
      return setupFailed(step, 'was cut off by the deadline of its rule or of the run');
    if (step.mustAnswer === undefined) return { kind: 'unanswered', step: step.name, result };
    return setupFailed(step, `was not answered: ${result.because}: ${result.detail}`);
  }
  if (step.mustAnswer === undefined || step.mustAnswer.includes(result.status)) return undefined;
  return setupFailed(step, `answered ${result.status}, needed ${step.mustAnswer.join(' or ')}`);
}

function setupFailed(step: Step, problem: string): Stop {
  return { kind: 'setup-failed', reason: `step "${step.name}" ${problem}` };
}
