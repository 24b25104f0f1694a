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
  /** Gets every exchange, whoever caused it, in the order in which they end. */
  readonly journal: Exchange[];
};

/** Where a probe stands; time that passes at the target is no time of the rule's. */
type Course = { readonly sender: Sender; readonly evidence: Exchange[]; endsAtMs: number };

/** Sends the steps of a probe in order; nothing is sent after `endsAtMs` of the ports' clock. */
export async function performProbe(probe: Probe, sender: Sender, endsAtMs: number): Promise<Performance> {
  const evidence: Exchange[] = [];
  const course: Course = { sender, evidence, endsAtMs };
  for (const group of groupsOf(probe.steps)) {
    const stops = await Promise.all(group.map((step) => performStep(step, course)));
    const stop = stops.find((one) => one !== undefined);
    if (stop !== undefined) return { evidence, stop };
  }
  return { evidence, stop: undefined };
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

async function performStep(step: Step, course: Course): Promise<Stop | undefined> {
  const atMost = step.repeat?.atMost ?? 1;
  for (let attempt = 1; attempt <= atMost; attempt += 1) {
    const came = await performAttempt(step, attempt, course);
    if (came === 'done') return undefined;
    if (came !== 'again') return came;
  }
  return step.repeat?.mayNeverHold ? undefined : neverHeld(step, atMost);
}

async function performAttempt(step: Step, attempt: number, course: Course): Promise<Stop | 'done' | 'again'> {
  const { sender, evidence } = course;
  const { clock } = sender.ports;
  if (attempt === 1 && step.passMs !== undefined) await passTime(step.passMs, course);
  const waitMs = (attempt === 1 ? step.afterMs : step.repeat?.everyMs) ?? 0;
  if (clock.now() + waitMs >= course.endsAtMs) return pastDeadline(step, attempt);
  if (waitMs > 0) await clock.sleep(waitMs);
  const prepared = prepare(step, evidence, sender.target);
  if (prepared instanceof SetupFailure) return { kind: 'setup-failed', reason: prepared.message };
  if (prepared === undefined) return 'done';
  const exchange = await send(prepared, { course, step: step.name, attempt });
  evidence.push(exchange);
  sender.journal.push(exchange);
  return stopAfter(step, exchange) ?? (step.repeat === undefined || step.repeat.until(exchange) ? 'done' : 'again');
}

/** Throws `SetupFailure` when the target's clock is not to be moved. */
async function passTime(ms: number, course: Course): Promise<void> {
  const { clock, time } = course.sender.ports;
  if (time === undefined) throw new SetupFailure('the clock of the target cannot be moved');
  const before = clock.now();
  await time.pass(ms);
  // In one process both clocks are the same one.
  course.endsAtMs += clock.now() - before;
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

type Sending = { readonly course: Course; readonly step: string; readonly attempt: number };

/** The only place that sends. */
async function send({ wanted, request, address }: Prepared, { course, step, attempt }: Sending): Promise<Exchange> {
  const { ports, requestDeadlineMs, journal } = course.sender;
  const startedAtMs = ports.clock.now();
  const deadlineMs = Math.min(wanted.deadlineMs ?? requestDeadlineMs, course.endsAtMs - startedAtMs);
  const result = isFull(journal) ? tooMuch : await ports.exchange(request, deadlineMs);
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

const journalCeilingBytes = 128 * 1024 * 1024;
const tooMuch: NoResponse = {
  kind: 'no-response',
  because: 'too-large',
  detail: `not sent: the answers of this run are longer than ${journalCeilingBytes} bytes together`,
};

/** Every answer is kept until the end of the run, so a target that sends too much is given up. */
function isFull(journal: readonly Exchange[]): boolean {
  const known = received.get(journal) ?? { exchanges: 0, bytes: 0 };
  received.set(journal, known);
  for (const { result } of journal.slice(known.exchanges)) {
    known.bytes += result.kind === 'response' ? result.body.length : 0;
  }
  known.exchanges = journal.length;
  return known.bytes > journalCeilingBytes;
}

// A journal only grows; to add it all up again for each of a thousand requests took a tenth of a run.
const received = new WeakMap<readonly Exchange[], { exchanges: number; bytes: number }>();

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
