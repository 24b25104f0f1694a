import { nameAgent, readProcess, readVariable } from './base-url.ts';
import { type Clock, readElapsed, systemClock } from './clock.ts';
import { type Access, type Credential, randomKey } from './credential.ts';
import { createDebugLog, type Debug } from './debug-log.ts';
import { notifyAll, type Part } from './observers.ts';
import { present } from './present.ts';
import type { Redactor } from './redactor.ts';
import type { GivenHeaders, Transport } from './transport.ts';

/** The state that every call of a client shares; resolved once from its options. `Identity` names a call in errors. */
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
  /** The repetitions that the calls of the client may make together. */
  readonly budget: { left: number };
  /** Largest body that is read. */
  readonly maxResponseBytes: number;
  /** How long a stream may give nothing. */
  readonly idleTimeoutMs: number;
  /** Makes the error of the client. */
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
  /** For a response that broke off later. */
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
} & ({ readonly kind: 'local' | 'network' | 'aborted' } | { readonly kind: 'timeout'; readonly deadlineMs: number });

/** The options of both clients. */
export type ClientOptions<Observers> = {
  /** Sent with every request. */
  readonly headers?: GivenHeaders | undefined;
  /** Replaces the platform's `fetch`, and is called in the same way: with an address and options. */
  readonly fetch?: Transport | undefined;
  /** How often a call is sent while its outcome is unclear or failed; 4 by default. Waits that the service asks for do not count. */
  readonly maxAttempts?: number | undefined;
  readonly observers?: Observers | undefined;
  /**
   * True writes every attempt to `console.debug`, a function takes the lines; without bodies and credentials. By default the variable
   * `MODEL_ROUTER_DEBUG` or `WORKFLOW_EXECUTION_DEBUG` of the environment decides.
   */
  readonly debug?: Debug | undefined;
  /** Replaces time and chance in tests. */
  readonly clock?: Clock | undefined;
};

/**
 * Reads the options that both clients share; `usual` has the numbers and their defaults. A misspelled option would have no effect that
 * its writer sees, and NaN would compare as false everywhere, so both are refused.
 */
export function readClientOptions<Numbers extends Readonly<Record<string, number>>>(
  name: string,
  usual: Numbers,
  { headers, clock = systemClock, observers, debug, ...given }: Omit<ClientOptions<object>, 'fetch'>,
) {
  const numbers = { ...usual, ...present(given) };
  for (const [option, value] of Object.entries(numbers)) {
    if (!(option in usual)) throw new TypeError(`${option} is not an option of the client`);
    if (!(value >= 1 || (value === 0 && option === 'maxWaitMs')))
      throw new TypeError(`${option} must be a positive number`);
  }
  const parts: Part[] = observers === undefined ? [] : [observers];
  const variable = readVariable(`${name.replace('-', '_').toUpperCase()}_DEBUG`);
  const log = debug ?? !['0', 'false', undefined].includes(variable);
  if (log) parts.push(createDebugLog(name, log));
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

// `undefined` means the same as leaving out, also under `exactOptionalPropertyTypes`.
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
export type Call<Owner extends Client<never>> = {
  readonly id: string;
  readonly client: Owner;
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
  /** Takes them and the latest ones of the client out of a text. */
  readonly redact: Redactor;
  /** The credential of its attempts, read once for all of them. */
  access: Access | undefined;
};

/** The deadline of a method by default, and the names of its options other than those of every call. */
export type Method = { readonly usualMs: number; readonly options?: readonly string[] };

const minuteMs = 60_000;
/** For what takes no longer than a request and its repetitions. */
export const readMs = 2 * minuteMs;
/** For a run: the service may hold one for ten minutes, and it is collected then. */
export const runMs = 20 * minuteMs;
/** For what may wait in a queue. */
export const queueMs = 24 * 60 * minuteMs;

const everyCall = ['signal', 'deadlineMs', 'maxWaitMs', 'maxAttempts', 'attemptTimeoutMs', 'headers'];

/** Begins a call. Throws for options that the method does not have. */
export function startCall<Identity, Owner extends Client<Identity>>(
  client: Owner,
  identity: Identity,
  { usualMs, options: own = [] }: Method,
  options: CallOptions = {},
): Call<Owner> {
  const refuse = (message: string): Error => client.fail(identity, { kind: 'local', message });
  const known = [...everyCall, ...own];
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === null) continue;
    if (!known.includes(name)) throw refuse(`${name} is not an option; there are ${known.join(', ')}`);
    // NaN would compare as false everywhere: no attempt would be the last one.
    if ((name.endsWith('Ms') || name === 'maxAttempts') && !(Number(value) >= 0))
      throw refuse(`the option ${name} must be a number of 0 or more`);
  }
  const { maxAttempts, maxWaitMs, attemptTimeoutMs, headers } = options;
  if (namesKey(headers ?? {})) throw refuse(keyIsOption);
  const signal = options.signal ?? undefined;
  if (signal) shareSignal(signal, refuse);
  const deadlineMs = Number(options.deadlineMs ?? usualMs); // a text would be appended
  const secrets = new Set<string>();
  return {
    ...{ id: randomKey(), client, signal, deadlineMs, secrets },
    endsAt: readElapsed(client.clock) + deadlineMs,
    maxAttempts: maxAttempts ?? client.maxAttempts,
    maxWaitMs: maxWaitMs ?? client.maxWaitMs,
    attemptTimeoutMs: attemptTimeoutMs ?? undefined,
    headers: headers ? { ...client.headers, ...present(headers) } : client.headers,
    redact: (text) => client.credential.redact(text, secrets),
    access: undefined,
  };
}

/** Does one call of a method, whose start and end observers see. */
export async function performCall<Identity extends object, Owner extends Client<Identity>, Result>(
  client: Owner,
  identity: Identity,
  method: Method,
  options: CallOptions | undefined,
  work: (call: Call<Owner>) => Promise<Result>,
): Promise<Result> {
  const call = startCall(client, identity, method, options);
  const startedAt = readElapsed(client.clock);
  const event = { callId: call.id, ...identity };
  notifyAll(client.parts, 'onStart', event);
  let end = {};
  try {
    return await work(call);
  } catch (error) {
    end = { error };
    throw error;
  } finally {
    notifyAll(client.parts, 'onEnd', { ...event, durationMs: readElapsed(client.clock) - startedAt, ...end });
  }
}

/** Node 20 warns of a leak where more than ten calls have one signal. */
function shareSignal(signal: AbortSignal, refuse: (message: string) => Error): void {
  if (typeof signal.addEventListener !== 'function') throw refuse('the option signal must be an AbortSignal');
  try {
    readProcess()?.getBuiltinModule?.('events')?.setMaxListeners(0, signal);
  } catch {
    // The signal is one of another kind.
  }
}

export const keyIsOption = 'a key is an option of its call, not a header';

export function namesKey(headers: object): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'idempotency-key');
}
