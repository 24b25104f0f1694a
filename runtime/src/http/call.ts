import { nameAgent } from './base-url.ts';
import { type Clock, readElapsed, systemClock } from './clock.ts';
import { type Access, type Credential, randomKey } from './credential.ts';
import { notifyAll, type Part } from './observers.ts';
import { present } from './present.ts';
import type { Redactor } from './redactor.ts';
import type { GivenHeaders, Transport } from './transport.ts';

/** What every call of one client shares; resolved once from its options. `Identity` is who calls what, for errors. */
export type Client<Identity> = {
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
  /** The error of the client. */
  readonly fail: (identity: Identity, failure: Failure) => Error;
};

/** Why a call failed that no answer decided. */
export type Failure = {
  readonly message: string;
  readonly cause?: unknown;
  /** How often it was sent. */
  readonly attempts?: number;
  readonly isRetryable?: boolean;
  /** Work may be under way at the service. */
  readonly isOpen?: boolean;
  /** Of a response that broke off later. */
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
} & ({ readonly kind: 'local' | 'network' | 'aborted' } | { readonly kind: 'timeout'; readonly deadlineMs: number });

/** What both clients take. */
export type ClientOptions<Observers> = {
  /** Sent with every request. */
  readonly headers?: GivenHeaders | undefined;
  /** Replaces the platform's `fetch`, and is called as that is: with an address and options. */
  readonly fetch?: Transport | undefined;
  /** How often a call is sent while its outcome is unclear or failed; 4 by default. Waits that the service asks for do not count. */
  readonly maxAttempts?: number | undefined;
  readonly observers?: Observers | undefined;
  /** Replaces time and chance in tests. */
  readonly clock?: Clock | undefined;
};

/**
 * The part of a client that both make alike, with the numbers that are `usual`. A misspelled option would change nothing, and its writer
 * would not see it; not a number would compare as false everywhere: no attempt would be the last one.
 */
export function readClientOptions<Numbers extends Readonly<Record<string, number>>>(
  name: string,
  usual: Numbers,
  { headers, clock = systemClock, observers, ...given }: Omit<ClientOptions<object>, 'fetch'>,
) {
  const numbers = { ...usual, ...present(given) };
  for (const [option, value] of Object.entries(numbers)) {
    if (!(option in usual)) throw new TypeError(`${option} is no option of the client`);
    if (!(value >= 1 || (value === 0 && option === 'maxWaitMs')))
      throw new TypeError(`${option} is no positive number`);
  }
  const parts: Part[] = [observers ?? {}];
  return {
    ...numbers,
    headers: { ...nameAgent(name), ...present(headers ?? {}) },
    clock,
    parts,
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
  /** For the whole call with all its waits. */
  readonly deadlineMs?: number | undefined;
  /** As in the options of the client, for this call. */
  readonly maxWaitMs?: number | undefined;
  readonly maxAttempts?: number | undefined;
  /** For one attempt. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Added to those of the client. */
  readonly headers?: GivenHeaders | undefined;
};

/** One call of a method. */
export type Call<Of extends Client<never>> = {
  readonly id: string;
  readonly client: Of;
  /** What events say of it. */
  readonly facts: object;
  readonly signal: AbortSignal | undefined;
  readonly deadlineMs: number;
  /** By the elapsed time of the clock; nothing is sent or waited for after it. */
  readonly endsAt: number;
  readonly maxAttempts: number;
  readonly maxWaitMs: number;
  readonly attemptTimeoutMs: number | undefined;
  readonly headers: GivenHeaders;
  /** The secrets that its attempts sent. */
  readonly secrets: Set<string>;
  /** Takes them out of a text, and the latest ones of the client. */
  readonly redact: Redactor;
  /** What its attempts are let in by, read once for all of them. */
  access: Access | undefined;
};

/** What is special about a method. */
export type Method = {
  /** The names of its options beside those of every call. */
  readonly options?: readonly string[];
  /** Its deadline where none is given. */
  readonly usualMs: number;
};

const minuteMs = 60_000;
/** What takes no longer than a request and its repetitions. */
export const readMs = 2 * minuteMs;
/** A run: the service may hold one for ten minutes, and it is collected then. */
export const runMs = 20 * minuteMs;
/** What may wait in a queue. */
export const queueMs = 24 * 60 * minuteMs;

const everyCall = ['signal', 'deadlineMs', 'maxWaitMs', 'maxAttempts', 'attemptTimeoutMs', 'headers'];

/** Begins a call, and refuses options that it does not have: a misspelled one would change nothing, and its writer would not see it. */
export function startCall<Identity extends object, Of extends Client<Identity>>(
  client: Of,
  identity: Identity,
  options: CallOptions = {},
  { options: own = [], usualMs }: Method,
): Call<Of> {
  const refuse = (message: string): Error => client.fail(identity, { kind: 'local', message });
  const known = [...everyCall, ...own];
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === null) continue;
    if (!known.includes(name)) throw refuse(`${name} is no option; there are ${known.join(', ')}`);
    // It would compare as false everywhere: no attempt would be the last one.
    if (name.endsWith('Ms') || name === 'maxAttempts')
      if (!(Number(value) >= 0)) throw refuse(`the option ${name} is no number that is 0 or more`);
  }
  const { deadlineMs, maxAttempts, maxWaitMs, attemptTimeoutMs, headers, signal } = options;
  if (namesKey(headers ?? {})) throw refuse(keyIsOption);
  if (signal && typeof signal.addEventListener !== 'function') throw refuse('the option signal is no AbortSignal');
  if (signal) shareSignal(signal);
  const wholeMs = Number(deadlineMs ?? usualMs); // a text would be appended
  const secrets = new Set<string>();
  return {
    id: randomKey(),
    client,
    facts: identity,
    signal: signal ?? undefined,
    deadlineMs: wholeMs,
    endsAt: readElapsed(client.clock) + wholeMs,
    maxAttempts: maxAttempts ?? client.maxAttempts,
    maxWaitMs: maxWaitMs ?? client.maxWaitMs,
    attemptTimeoutMs: attemptTimeoutMs ?? undefined,
    headers: headers ? { ...client.headers, ...present(headers) } : client.headers,
    secrets,
    redact: (text) => client.credential.redact(text, secrets),
    access: undefined,
  };
}

/** Does a call, whose start and end observers see. `begin` gives it. */
export async function watchCall<Begun extends Call<Client<never>>, Result>(
  begin: () => Begun,
  work: (call: Begun) => Promise<Result>,
): Promise<Result> {
  const call = begin();
  const { clock, parts } = call.client;
  const startedAt = readElapsed(clock);
  const event = { callId: call.id, ...call.facts };
  notifyAll(parts, 'onStart', event);
  let end = {};
  try {
    return await work(call);
  } catch (error) {
    end = { error };
    throw error;
  } finally {
    notifyAll(parts, 'onEnd', { ...event, durationMs: readElapsed(clock) - startedAt, ...end });
  }
}

/** Node 20 warns of a leak where more than ten calls have one signal. */
function shareSignal(signal: AbortSignal): void {
  type Events = { setMaxListeners(count: number, signal: AbortSignal): void };
  const { process } = globalThis as { process?: { getBuiltinModule?(name: 'events'): Events } };
  try {
    process?.getBuiltinModule?.('events').setMaxListeners(0, signal);
  } catch {
    // It is no Node, or no signal of its kind.
  }
}

export const keyIsOption = 'a key is an option of its call, not a header';

export function namesKey(headers: object): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'idempotency-key');
}
