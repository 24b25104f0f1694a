import { readProcess, readVariable } from './base-url.ts';
import { type Clock, readElapsed, systemClock, type TimeLimit } from './clock.ts';
import { type Access, type Credential, randomKey } from './credential.ts';
import { createDebugLog, type Debug, type GivenHeaders, notifyAll, type Part, type Transport } from './observers.ts';
import { omitUndefined } from './omit-undefined.ts';
import type { Redactor } from './redactor.ts';

export type Client<Identity> = {
  /** Base URL without a trailing slash, and without the prefix that all paths share. */
  readonly baseUrl: string;
  readonly credential: Credential;
  readonly headers: GivenHeaders;
  readonly fetch: Transport | undefined;
  readonly clock: Clock;
  readonly parts: Part[];
  readonly maxAttempts: number;
  readonly maxWaitMs: number;
  /** Tokens left for the retries of all calls: at most `maxBudget`; a retry costs `retryCost`. */
  readonly budget: { left: number };
  readonly maxResponseBytes: number;
  readonly fail: (identity: Identity, failure: Failure) => Error;
};

export type CallState = {
  readonly attempts?: number;
  /** True if an attempt may have started a run. */
  readonly mayHaveRun?: boolean;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
};
export type Failure = CallState & {
  readonly message: string;
  readonly cause?: unknown;
  readonly isRetryable?: boolean;
} & ({ readonly kind: 'local' | 'network' | 'aborted' } | { readonly kind: 'timeout'; readonly deadlineMs: number });

export type ClientOptions<Observers> = {
  readonly headers?: GivenHeaders | undefined;
  /** Replaces the platform's `fetch`. Called as `fetch(url, init)`. */
  readonly fetch?: Transport | undefined;
  /** Maximum number of failed or unclear attempts. Retries that the service requests don't count. Default: 4. */
  readonly maxAttempts?: number | undefined;
  readonly observers?: Observers | undefined;
  /** Logs every attempt, without bodies. Default: the variable `MODEL_ROUTER_DEBUG` or `WORKFLOW_EXECUTION_DEBUG`. */
  readonly debug?: Debug | undefined;
  /** Replaces time and randomness in tests. */
  readonly clock?: Clock | undefined;
};

/** Reads the options that both clients share. `defaults`: the numeric options. Throws for invalid and unknown ones. */
export function readClientOptions<Numbers extends Readonly<Record<string, number>>>(
  name: string,
  defaults: Numbers,
  { headers, fetch, clock = systemClock, observers, debug, ...given }: ClientOptions<object>,
) {
  const numbers = { ...defaults, ...omitUndefined(given) };
  for (const [option, value] of Object.entries(numbers)) {
    if (!(option in defaults))
      throw new TypeError(`${option} is not an option; numeric options: ${Object.keys(defaults).join(', ')}`);
    if (!(value >= 1 || (value === 0 && option === 'maxWaitMs')))
      throw new TypeError(`${option} must be a positive number`);
  }
  // Browsers would send a preflight request for this header.
  const isBrowser = 'document' in globalThis || 'importScripts' in globalThis;
  const all = { ...(isBrowser ? {} : { 'User-Agent': `${name}-client` }), ...omitUndefined(headers ?? {}) };
  if (hasKeyHeader(all)) throw new TypeError(keyHeaderMessage);
  const parts: Part[] = observers === undefined ? [] : [observers];
  const variable = readVariable(`${name.replace('-', '_').toUpperCase()}_DEBUG`);
  const log = debug ?? !['0', 'false', undefined].includes(variable);
  if (log) parts.push(createDebugLog(name, log));
  return { ...numbers, headers: all, fetch, clock, parts, budget: { left: maxBudget } };
}

// A retry budget like the standard mode of the AWS SDKs: 35 retries, and one more for every 14 calls that succeed at the
// first attempt. It limits the additional requests while the server is down.
export const maxBudget = 500;
export const retryCost = 14;

// `undefined` is the same as omitting an option, also with `exactOptionalPropertyTypes`.
export type CallOptions = {
  /** Stops waiting and retrying. Accepted work may continue and may be billed. */
  readonly signal?: AbortSignal | undefined;
  /** Deadline for the whole call, including all waits. */
  readonly deadlineMs?: number | undefined;
  /** Overrides the client's option for this call. */
  readonly maxWaitMs?: number | undefined;
  readonly maxAttempts?: number | undefined;
  /** Timeout of a single attempt. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Added to the client's headers. */
  readonly headers?: GivenHeaders | undefined;
};

export type Call<Owner extends Client<never>> = TimeLimit & {
  readonly id: string;
  readonly client: Owner;
  readonly deadlineMs: number;
  readonly maxAttempts: number;
  readonly maxWaitMs: number;
  readonly attemptTimeoutMs: number | undefined;
  readonly headers: GivenHeaders;
  readonly secrets: Set<string>;
  /** Removes `secrets`, and the latest secrets of the client, from a text. */
  readonly redact: Redactor;
  /** Credential of all attempts, read once. */
  access: Access | undefined;
};

export type Method = { readonly defaultMs: number; readonly options?: readonly string[] };

export const readDeadlineMs = 120_000;
/** 20 minutes: the service holds a run for at most 10 minutes, and its result may have to be collected afterwards. */
export const runDeadlineMs = 1_200_000;
export const queueDeadlineMs = 86_400_000;

const optionsOfEveryCall = ['signal', 'deadlineMs', 'maxWaitMs', 'maxAttempts', 'attemptTimeoutMs', 'headers'];

/** Starts a call. Throws for options that the method doesn't have. */
export function startCall<Identity, Owner extends Client<Identity>>(
  client: Owner,
  identity: Identity,
  { defaultMs, options: ownOptions = [] }: Method,
  options: CallOptions = {},
): Call<Owner> {
  const refuse = (message: string): Error => client.fail(identity, { kind: 'local', message });
  const knownOptions = [...optionsOfEveryCall, ...ownOptions];
  const givenOptions: CallOptions = omitUndefined(options);
  for (const [name, value] of Object.entries(givenOptions)) {
    if (value === null) continue;
    if (!knownOptions.includes(name)) throw refuse(`${name} is not an option; options: ${knownOptions.join(', ')}`);
    // Rejects NaN: comparisons with it are always false, so no attempt would be the last one.
    if ((name.endsWith('Ms') || name === 'maxAttempts') && !(Number(value) >= 0))
      throw refuse(`the option ${name} must be a number, 0 or more`);
  }
  const headers = givenOptions.headers ?? {};
  if (hasKeyHeader(headers)) throw refuse(keyHeaderMessage);
  const signal = givenOptions.signal ?? undefined;
  if (signal && typeof signal.addEventListener !== 'function') throw refuse('the option signal must be an AbortSignal');
  if (signal) allowManyListeners(signal);
  const deadlineMs = Number(givenOptions.deadlineMs ?? defaultMs); // A string would be concatenated.
  const secrets = new Set<string>();
  return {
    id: randomKey(),
    client,
    clock: client.clock,
    signal,
    deadlineMs,
    endsAt: readElapsed(client.clock) + deadlineMs,
    maxAttempts: givenOptions.maxAttempts ?? client.maxAttempts,
    maxWaitMs: givenOptions.maxWaitMs ?? client.maxWaitMs,
    attemptTimeoutMs: givenOptions.attemptTimeoutMs ?? undefined,
    headers: { ...client.headers, ...omitUndefined(headers) },
    secrets,
    redact: (text) => client.credential.redact(text, secrets),
    access: undefined,
  };
}

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

/** Node 20 warns about a leak if more than ten calls share a signal. */
function allowManyListeners(signal: AbortSignal): void {
  try {
    readProcess()?.getBuiltinModule?.('events')?.setMaxListeners(0, signal);
  } catch {
    // The signal is not from Node.
  }
}

const keyHeaderMessage = 'set the option idempotencyKey, not a header';

const hasKeyHeader = (headers: object): boolean =>
  Object.keys(headers).some((name) => name.toLowerCase() === 'idempotency-key');
