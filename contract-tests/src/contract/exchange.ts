import type { CredentialName, Hook } from '../requires.ts';
import type { ApiName } from './target.ts';

/** Header lines in the original order and case, with repetitions. */
export type RawHeaders = readonly (readonly [name: string, value: string])[];

/**
 * A credential and the header to send it in; `usual` is the header of the target's `scheme`. Rules refer to credentials
 * by name and never see their values. `wrong`: well-formed, but unknown to every target. `lengthened`: `main` with a
 * character appended. `shortened`: `main` without its last character. `recased`: `main` in capitals. `empty`: no value.
 */
export type CredentialUse = {
  readonly as: 'api-key' | 'bearer' | 'usual';
  readonly who: CredentialName | 'wrong' | 'lengthened' | 'shortened' | 'recased' | 'empty';
};

export type RequestBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly mediaType?: string };

/** Request of a scenario. The engine adds the base URL, credential, content type and deadline. */
export type ScenarioRequest = {
  readonly api: ApiName;
  readonly method: string;
  /** A path to append literally to the base URL of the API, or an absolute URL from an earlier response. */
  readonly to: string;
  /** Default: `main` in its usual header. `[]` sends no credential. */
  readonly credentials?: readonly CredentialUse[] | undefined;
  readonly headers?: RawHeaders;
  readonly body?: RequestBody | undefined;
  /** Status that a mock should return (`Prefer: code=NNN`); not sent to other targets. */
  readonly prefer?: number | undefined;
};

export type WireRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: RawHeaders;
  readonly body: Uint8Array | undefined;
};
export type WireResponse = {
  readonly kind: 'response';
  readonly status: number;
  readonly headers: RawHeaders;
  readonly body: Uint8Array;
  /** Milliseconds from the request to the first bytes, if the transport is a socket. */
  readonly waitMs?: number;
};
export type NoResponse = {
  readonly kind: 'no-response';
  readonly because: 'refused' | 'timeout' | 'reset' | 'unresolved' | 'tls' | 'malformed' | 'too-large' | 'proxy';
  readonly detail: string;
};

export type Exchange = {
  readonly step: string;
  readonly attempt: number;
  readonly api: ApiName;
  readonly request: WireRequest;
  readonly result: WireResponse | NoResponse;
  readonly timing: { readonly startedAtMs: number; readonly durationMs: number };
  /** Credentials that the scenario set for the request; absent if it used the default. */
  readonly credentials?: readonly CredentialUse[] | undefined;
  /** URL from the target, if its origin differs and the request was sent to the target's own address instead. */
  readonly rebasedFrom?: string | undefined;
  /** Wait in ms before a temporarily rejected read was sent again. Rules ignore the rejected read. */
  readonly repeatedAfterMs?: number;
  /** The logged exchange, if this one is a copy with the step name that a scenario gave to its response. */
  readonly origin?: Exchange;
};
export type Evidence = readonly Exchange[];

/** Sends one request. Never throws because of the target, and never waits past the deadline. */
export type Exchanger = (request: WireRequest, deadlineMs: number) => Promise<WireResponse | NoResponse>;

/** Clock in milliseconds. For an in-process sandbox, a wait advances the sandbox's clock and takes no real time. */
export type Clock = { now(): number; sleep(ms: number): Promise<void> };

export type Ports = {
  readonly exchange: Exchanger;
  readonly clock: Clock;
  readonly hooks?: Hooks;
  /** Maximum number of scenarios that run in parallel. Default: 1, in the order of the plan. */
  readonly concurrency?: number;
};

export type ScriptedFailure = { readonly operation: string } & (
  | { readonly error_type: 'internal_error' | 'service_unavailable' }
  | { readonly code: 'upstream_error' }
);

/** Client for the test hooks of a target. All methods throw `SetupFailure` if the hook fails. */
export type Hooks = {
  offered(): Promise<readonly Hook[]>;
  pass(ms: number): Promise<void>;
  /** True if only `pass` advances the clock; absent if every wait does. */
  isStopped?(): Promise<boolean>;
  script(failure: ScriptedFailure): Promise<void>;
  clearScript(): Promise<void>;
};
