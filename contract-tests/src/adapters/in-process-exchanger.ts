import type { Exchanger, Ports } from '../ports.ts';
import type { NoResponse, WireRequest, WireResponse } from '../probe.ts';
import { withContentDecoded } from './content-coding.ts';
import { answerOfReading, isOver, readRawAnswer } from './raw-answer.ts';
import { nextTurn } from './system-clock.ts';

export type InProcessOptions = {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Moves the target's own clock while an answer is awaited; without it the wait is real. */
  readonly advance?: (ms: number) => void;
  /** What the target would write to a socket in place of a response that cannot hold it. */
  readonly wireOf?: WireOf;
};
export type WireOf = (response: Response) => { readonly bytes: Uint8Array | string; readonly then: string } | undefined;

const turnsBeforeAdvance = 50;
/** A large body takes turns to be read, and none of them is a wait. */
const bytesPerTurn = 2048;
const advanceByMs = 250;

/** Over `(Request) → Promise<Response>`. Repeated header lines come back joined: a web-standard Response keeps no lines. */
export function inProcessExchanger({ fetch, advance, wireOf }: InProcessOptions): Exchanger {
  return withContentDecoded(async (request, deadlineMs) => {
    const answer = answerOf(fetch, request, wireOf);
    if (advance === undefined) return await answer;
    return await Promise.race([answer, timeOut(answer, { advance, deadlineMs, turns: turnsFor(request) })]);
  });
}

/** The clock of a target that lives in this process and stands still until it is moved. */
export type MovableClock = { now(): number; advance(ms: number): void };

/** Ports for a proof: every wait moves the target's clock instead of taking time. */
export function inProcessPorts(fetch: InProcessOptions['fetch'], clock: MovableClock, wireOf?: WireOf): Ports {
  const advance = (ms: number): void => clock.advance(ms);
  return {
    exchange: inProcessExchanger({ fetch, advance, ...(wireOf === undefined ? {} : { wireOf }) }),
    clock: { now: () => clock.now(), sleep: (ms) => Promise.resolve(advance(ms)) },
    time: { isMovable: () => Promise.resolve(true), pass: (ms) => Promise.resolve(advance(ms)) },
  };
}

type Wait = { readonly advance: (ms: number) => void; readonly deadlineMs: number; readonly turns: number };

function turnsFor({ body }: WireRequest): number {
  return turnsBeforeAdvance + Math.ceil((body?.length ?? 0) / bytesPerTurn);
}

async function timeOut(answer: Promise<unknown>, { advance, deadlineMs, turns }: Wait): Promise<NoResponse> {
  let isPending = true;
  const settle = answer.finally(() => {
    isPending = false;
  });
  for (let waitedMs = 0; waitedMs <= deadlineMs; waitedMs += advanceByMs) {
    for (let turn = 0; isPending && turn < turns; turn += 1) await nextTurn();
    if (!isPending) break;
    advance(advanceByMs);
  }
  if (!isPending) await settle;
  return { kind: 'no-response', because: 'timeout', detail: `no answer within ${deadlineMs} ms` };
}

async function answerOf(
  fetch: InProcessOptions['fetch'],
  request: WireRequest,
  wireOf: WireOf | undefined,
): Promise<WireResponse | NoResponse> {
  try {
    const headers = new Headers(request.headers.map(([name, value]): [string, string] => [name, value]));
    // A copy: the body's buffer may be shared, which the web types refuse.
    const body = request.body === undefined ? null : new Uint8Array(request.body);
    const response = await fetch(new Request(request.url, { method: request.method, headers, body }));
    const wire = wireOf?.(response);
    if (wire !== undefined) return await answerOnWire(wire);
    return {
      kind: 'response',
      status: response.status,
      headers: [...response.headers],
      body: new Uint8Array(await response.arrayBuffer()),
    };
  } catch (error) {
    return { kind: 'no-response', because: 'reset', detail: error instanceof Error ? error.message : String(error) };
  }
}

function answerOnWire({ bytes, then }: NonNullable<ReturnType<WireOf>>): Promise<WireResponse | NoResponse> {
  const reading = readRawAnswer(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes, then !== 'stall');
  // A connection that stalls says nothing more; whoever waits has a deadline.
  if (then === 'stall' && !isOver(reading)) return new Promise(() => undefined);
  return Promise.resolve(answerOfReading(reading));
}
