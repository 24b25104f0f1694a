import type { CredentialName, Hook } from '../requires.ts';
import type { ApiName } from './target.ts';

/** Header lines as on the wire: order, case and repetitions kept. */
export type RawHeaders = readonly (readonly [name: string, value: string])[];

/**
 * A credential and its header; `usual` is the one of the target's `scheme`. Rules name credentials and never see their values. `wrong` is well formed and unknown to
 * every target; `lengthened` is the main one with a character appended, `shortened` the main one without
 * its last character, `recased` the main one in capitals, `empty` no value.
 */
export type CredentialUse = {
  readonly as: 'api-key' | 'bearer' | 'usual';
  readonly who: CredentialName | 'wrong' | 'lengthened' | 'shortened' | 'recased' | 'empty';
};

export type ProbeBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly mediaType?: string };

/** A request before it is sent. The engine adds base URL, credential, content type and deadline. */
export type ProbeRequest = {
  readonly api: ApiName;
  readonly method: string;
  /** `/…` below the API's base URL, sent literally; or an absolute URL from an earlier response. */
  readonly to: string;
  /** Default: `main` in the usual header. `[]` sends none. */
  readonly credentials?: readonly CredentialUse[];
  readonly headers?: RawHeaders;
  readonly body?: ProbeBody;
  /** The status that a mock should respond with (`Prefer: code=NNN`); not sent to other targets. */
  readonly prefer?: number;
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
  /** Milliseconds from the request to the first bytes, where a socket has shown them. */
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
  /** Those that the request names; absent where it takes the usual one. */
  readonly credentials?: readonly CredentialUse[];
  /** The URL as the target gave it, when its origin was another one and the request went to the target instead. */
  readonly rebasedFrom?: string;
  /** Wait (ms) before a read that was temporarily rejected was sent again. The rejected read is not evidence of its rule. */
  readonly repeatedAfterMs?: number;
  /** The exchange in the log, where this one has the name that a scenario gave it. */
  readonly origin?: Exchange;
};
export type Evidence = readonly Exchange[];

/** Sends one request and returns the raw response. Never throws for what a target does, never waits past the deadline. */
export type Exchanger = (request: WireRequest, deadlineMs: number) => Promise<WireResponse | NoResponse>;

/** Milliseconds. In process a wait moves the sandbox's own clock instead of taking time. */
export type Clock = { now(): number; sleep(ms: number): Promise<void> };

export type Ports = {
  readonly exchange: Exchanger;
  readonly clock: Clock;
  readonly hooks?: Hooks;
  /** Probes that run side by side; default 1, in the order of the plan. */
  readonly concurrency?: number;
};

export type ScriptedFailure = { readonly operation: string } & (
  | { readonly error_type: 'internal_error' | 'service_unavailable' }
  | { readonly code: 'upstream_error' }
);

/** Speaks to the hooks of a target. All throw `SetupFailure` when the hook does not do its work. */
export type Hooks = {
  offered(): Promise<readonly Hook[]>;
  pass(ms: number): Promise<void>;
  /** True if only `pass` advances the clock; absent if every wait of a run advances it. */
  isStopped?(): Promise<boolean>;
  script(failure: ScriptedFailure): Promise<void>;
  /** Drops what was scripted and not met. */
  clearScript(): Promise<void>;
};
