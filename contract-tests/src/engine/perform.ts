import { SetupFailure } from '../errors.ts';
import type { Ports } from '../ports.ts';
import type { Evidence, Exchange, NoResponse, Probe, ProbeRequest, Step } from '../probe.ts';
import type { Target } from '../target.ts';
import { wireRequestOf } from './wire-request.ts';

/** Why a probe ended before its last step. */
export type Stop =
  | { readonly kind: 'setup-failed'; readonly reason: string }
  | { readonly kind: 'unanswered'; readonly step: string; readonly result: NoResponse };
export type Performance = { readonly evidence: Evidence; readonly stop: Stop | undefined };

export type Sender = {
  readonly target: Target;
  readonly ports: Ports;
  /** For a request that declares no deadline of its own. */
  readonly requestDeadlineMs: number;
};

/** Sends the steps of a probe in order; nothing is sent after `endsAtMs` of the ports' clock. */
export async function performProbe(probe: Probe, sender: Sender, endsAtMs: number): Promise<Performance> {
  const evidence: Exchange[] = [];
  for (const step of probe.steps) {
    const stop = await performStep(step, evidence, { sender, endsAtMs });
    if (stop !== undefined) return { evidence, stop };
  }
  return { evidence, stop: undefined };
}

type Limits = { readonly sender: Sender; readonly endsAtMs: number };

async function performStep(step: Step, evidence: Exchange[], limits: Limits): Promise<Stop | undefined> {
  const atMost = step.repeat?.atMost ?? 1;
  for (let attempt = 1; attempt <= atMost; attempt += 1) {
    const came = await performAttempt(step, evidence, { ...limits, step: step.name, attempt });
    if (came === 'done') return undefined;
    if (came !== 'again') return came;
  }
  return step.repeat?.mayNeverHold ? undefined : neverHeld(step, atMost);
}

type Sending = Limits & { readonly step: string; readonly attempt: number };

async function performAttempt(step: Step, evidence: Exchange[], sending: Sending): Promise<Stop | 'done' | 'again'> {
  const { clock } = sending.sender.ports;
  const waitMs = (sending.attempt === 1 ? step.afterMs : step.repeat?.everyMs) ?? 0;
  if (clock.now() + waitMs >= sending.endsAtMs) return pastDeadline(step, sending.attempt);
  if (waitMs > 0) await clock.sleep(waitMs);
  const prepared = prepare(step, evidence, sending.sender.target);
  if (prepared instanceof SetupFailure) return { kind: 'setup-failed', reason: prepared.message };
  if (prepared === undefined) return 'done';
  const exchange = await send(prepared, sending);
  evidence.push(exchange);
  return stopAfter(step, exchange) ?? (step.repeat === undefined || step.repeat.until(exchange) ? 'done' : 'again');
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

/** The only place that sends. */
async function send({ wanted, request, address }: Prepared, sending: Sending): Promise<Exchange> {
  const { ports, requestDeadlineMs } = sending.sender;
  const startedAtMs = ports.clock.now();
  const deadlineMs = Math.min(wanted.deadlineMs ?? requestDeadlineMs, sending.endsAtMs - startedAtMs);
  const result = await ports.exchange(request, deadlineMs);
  return {
    step: sending.step,
    attempt: sending.attempt,
    api: wanted.api,
    request,
    result,
    timing: { startedAtMs, durationMs: ports.clock.now() - startedAtMs },
    ...(address.rebasedFrom === undefined ? {} : { rebasedFrom: address.rebasedFrom }),
  };
}

function stopAfter(step: Step, { result }: Exchange): Stop | undefined {
  if (result.kind === 'no-response') {
    if (step.mayStayUnanswered) return undefined;
    if (step.mustAnswer === undefined) return { kind: 'unanswered', step: step.name, result };
    return {
      kind: 'setup-failed',
      reason: `step "${step.name}" was not answered: ${result.because}: ${result.detail}`,
    };
  }
  if (step.mustAnswer === undefined || step.mustAnswer.includes(result.status)) return undefined;
  return {
    kind: 'setup-failed',
    reason: `step "${step.name}" answered ${result.status}, needed ${step.mustAnswer.join(' or ')}`,
  };
}

function pastDeadline(step: Step, attempt: number): Stop | 'done' {
  if (attempt > 1 && step.repeat?.mayNeverHold) return 'done';
  return { kind: 'setup-failed', reason: `step "${step.name}" had no time left before the rule's deadline` };
}

function neverHeld(step: Step, atMost: number): Stop {
  return { kind: 'setup-failed', reason: `step "${step.name}" did not come to its condition in ${atMost} attempts` };
}
