import { nameAgent } from './base-url.ts';
import { type Clock, readElapsed, systemClock } from './clock.ts';
import type { Credential } from './credential.ts';
import { randomKey } from './credential.ts';
import { notifyAll, type Part } from './observers.ts';
import { present } from './present.ts';
import type { GivenHeaders, Transport } from './transport.ts';

/** What is said of a failure beside its message. */
export type FailureFacts = {
  readonly cause?: unknown;
  /** Work may be under way. */
  readonly isOpen?: boolean | undefined;
  /** Takes secrets out of the message. */
  readonly redact?: (text: string) => string;
  readonly [fact: string]: unknown;
};

/** What every call of one client shares; resolved once from its options. */
export type Connection = {
  /** Without a slash at its end, and without the part that every path begins with. */
  readonly baseUrl: string;
  readonly credential: Credential;
  readonly headers: GivenHeaders;
  readonly fetch: Transport;
  readonly clock: Clock;
  /** Middleware and observers; the list grows with what the program adds later. */
  readonly parts: Part[];
  readonly maxAttempts: number;
  /** How long a call may wait before it is admitted. */
  readonly maxWaitMs: number;
  /** What the calls of the client may repeat together. */
  readonly budget: { left: number };
  /** More of a body is not read. */
  readonly maxResponseBytes: number;
  /** How long a stream may give nothing. */
  readonly idleTimeoutMs: number;
  /** The error of the client for a call; `local` where no kind is given. */
  readonly fail: (call: object, message: string, facts?: FailureFacts) => Error;
};

/** What both clients take. */
export type ClientOptions<Observers> = {
  /** Sent with every request. */
  readonly headers?: GivenHeaders | undefined;
  /** Replaces the platform's `fetch`, and is called as that is: with an address and options. */
  readonly fetch?: Transport | undefined;
  /** How often a call is sent while its outcome is unclear or failed; 4 by default. Waits that the service asks for do not count. */
  readonly maxAttempts?: number | undefined;
  readonly observers?: Observers | undefined;
  /** @deprecated Use `observers`. */
  readonly hooks?: Observers | undefined;
  /** Replaces time and chance in tests. */
  readonly clock?: Clock | undefined;
};

/**
 * The part of a connection that both clients make alike, with the numbers that are `usual`. A misspelled option would change nothing,
 * and nobody would see it; not a number would compare as false everywhere: no attempt would be the last one.
 */
export function connectAs<Numbers extends Readonly<Record<string, number>>>(
  name: string,
  usual: Numbers,
  { headers, clock = systemClock, observers, hooks, ...given }: Omit<ClientOptions<object>, 'fetch'>,
): Numbers & Pick<Connection, 'headers' | 'clock' | 'parts' | 'budget'> {
  const numbers = { ...usual, ...present(given) };
  for (const [option, value] of Object.entries(numbers)) {
    if (!(option in usual)) throw new TypeError(`${option} is no option of the client`);
    if (!(value >= 1 || (value === 0 && option === 'maxWaitMs')))
      throw new TypeError(`${option} is no positive number`);
  }
  return {
    ...numbers,
    headers: { ...nameAgent(name), ...present(headers ?? {}) },
    clock,
    parts: [observers ?? hooks ?? {}],
    budget: { left: mostBudget },
  };
}

// As in the standard mode of the AWS SDKs: 35 repetitions, and one more for every 14 calls that need none. So a dead server is hardly
// sent more than what the program calls.
export const mostBudget = 500;
export const repetitionPrice = 14;

// `undefined` is as good as leaving out, also under `exactOptionalPropertyTypes`.
export type CallOptions = {
  /** Ends waiting and repeating. Work that was accepted may go on and may be billed. */
  readonly signal?: AbortSignal | undefined;
  /** For the whole call with all its waits, in milliseconds. */
  readonly deadlineMs?: number | undefined;
  /** As in the options of the client, for this call. */
  readonly maxWaitMs?: number | undefined;
  readonly maxAttempts?: number | undefined;
  /** For one attempt, in milliseconds. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Added to those of the client. */
  readonly headers?: GivenHeaders | undefined;
};

/** What one call of a method works with: what its client shares, and its options. */
export type WorkOf<Shared, Options> = Shared &
  Options & {
    readonly callId: string;
    readonly signal: AbortSignal | undefined;
    readonly deadlineMs: number;
    /** By the elapsed time of the clock; nothing is sent or waited for after it. */
    readonly endsAt: number;
    readonly attemptTimeoutMs?: number | undefined;
  };

/** What is special about a method. */
export type Method = {
  /** The names of its options beside those of every call, with a space between. */
  readonly takes?: string;
  /** Its deadline where none is given; a day by default. */
  readonly usualMs?: number;
};

/** What takes no longer than a request and its repetitions. */
export const reads = { usualMs: 5 * 60_000 };

const everyCall = 'signal deadlineMs maxWaitMs maxAttempts attemptTimeoutMs headers';

/** Checks the options of a call: a misspelled one would change nothing, and nobody would see it. */
export function startWork<Shared extends Connection, Options>(
  shared: Shared,
  facts: object,
  options: (CallOptions & Options) | undefined,
  { takes = '', usualMs = 24 * 60 * 60_000 }: Method = {},
): WorkOf<Shared, Options> {
  const headers = options?.headers ?? {};
  if (namesKey(headers)) throw shared.fail(facts, keyIsOption);
  // The shared part first: engines copy it as a whole then, which is the most expensive step of a call.
  const work: Record<string, unknown> & { deadlineMs: number } = {
    ...shared,
    signal: undefined,
    deadlineMs: usualMs,
    callId: randomKey(),
  };
  for (const [name, value] of Object.entries(options ?? {})) {
    if (value === undefined || value === null) continue;
    const known = `${everyCall} ${takes}`.trim().split(' ');
    if (!known.includes(name)) throw shared.fail(facts, `${name} is no option; there are ${known.join(', ')}`);
    // It would compare as false everywhere: no attempt would be the last one.
    if (Number.isNaN(value)) throw new TypeError(`${name} is no number`);
    work[name] = name === 'headers' ? { ...shared.headers, ...present(headers) } : value;
  }
  shareSignal(options?.signal);
  work['endsAt'] = readElapsed(shared.clock) + Number(work.deadlineMs); // a text would be appended
  return work as WorkOf<Shared, Options>; // each name is that of an option
}

/** Node 20 warns of a leak where more than ten calls have one signal. */
function shareSignal(signal: AbortSignal | undefined): void {
  type Events = { setMaxListeners(count: number, signal: AbortSignal): void };
  const { process } = globalThis as unknown as { process: { getBuiltinModule(name: 'events'): Events } };
  try {
    if (signal !== undefined) process.getBuiltinModule('events').setMaxListeners(0, signal);
  } catch {
    // It is no Node, or no signal of its kind.
  }
}

export const keyIsOption = 'a key is an option of its call, not a header';

export function namesKey(headers: object): boolean {
  return /^idempotency-key$/im.test(Object.keys(headers).join('\n'));
}

/** Does the calls of methods, whose start and end observers see. `facts` is what events and errors say of a call. */
export const watchCalls =
  <Shared extends Connection>(shared: Shared) =>
  async <Facts extends object, Options, Result>(
    facts: Facts,
    options: (CallOptions & Options) | undefined,
    run: (work: WorkOf<Shared, Options>, facts: Facts) => Promise<Result>,
    method?: Method,
  ): Promise<Result> => {
    const work = startWork(shared, facts, options, method);
    const { clock, parts, callId } = work;
    const startedAt = readElapsed(clock);
    const event = { callId, ...facts };
    notifyAll(parts, 'onStart', event);
    let end = {};
    try {
      return await run(work, facts);
    } catch (error) {
      end = { error };
      throw error;
    } finally {
      notifyAll(parts, 'onEnd', { ...event, durationMs: readElapsed(clock) - startedAt, ...end });
    }
  };
