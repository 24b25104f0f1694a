import type { ApiName, CredentialName } from './target.ts';

/** Header lines as on the wire: order, case and repetitions kept. */
export type RawHeaders = readonly (readonly [name: string, value: string])[];

/**
 * Whose credential goes into which header. Rules name credentials and never see their values.
 * `wrong` is a well-formed value that no target knows; `lengthened` is the main one with more behind it,
 * `recased` the main one in capitals, `empty` no value at all.
 */
export type CredentialUse = {
  readonly as: 'api-key' | 'bearer';
  readonly who: CredentialName | 'wrong' | 'lengthened' | 'recased' | 'empty';
};

export type ProbeBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly mediaType?: string };

/** What a step wants sent. The sender adds base URL, credential, content type and deadline. */
export type ProbeRequest = {
  readonly api: ApiName;
  readonly method: string;
  /** `/…` below the API's base URL, sent literally; or an absolute URL that an earlier answer gave. */
  readonly to: string;
  /** Default: `main`, as `api-key` on the router and as `bearer` on the workflow API. `[]` sends none. */
  readonly credentials?: readonly CredentialUse[];
  readonly headers?: RawHeaders;
  readonly body?: ProbeBody;
  /** The status a mock shall answer with (`Prefer: code=NNN`); other targets never get it. */
  readonly prefer?: number;
  readonly deadlineMs?: number;
};

/** Sent again until `until` holds, at most so many times, and never past the rule's deadline. */
export type Repeat = {
  readonly until: (exchange: Exchange) => boolean;
  readonly atMost: number;
  readonly everyMs: number;
  /** Without it a condition that never held makes the rule `setup-failed`; with it the judge is asked. */
  readonly mayNeverHold?: true;
};

/**
 * One request of a probe. `request` may read earlier answers (follow their URLs); `undefined` leaves the step out;
 * a `SetupFailure` ends the rule as `setup-failed`.
 */
export type Step = {
  readonly name: string;
  readonly request: (earlier: Evidence) => ProbeRequest | undefined;
  readonly repeat?: Repeat;
  /** Waited on the engine's clock before the step. */
  readonly afterMs?: number;
  /** So much time passes at the target before the step. Needs the capability `clock`; its probe runs alone. */
  readonly passMs?: number;
  /** Sent without waiting for the answer of the step before it, which `request` then does not see. */
  readonly alongside?: true;
  /** Any other status makes the rule `setup-failed`: it judges what comes after this step. */
  readonly mustAnswer?: readonly number[];
  /** Without it a missing answer is a finding of its own and `judge` is not asked. */
  readonly mayStayUnanswered?: true;
};
export type Probe = { readonly steps: readonly Step[] };

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
};
export type NoResponse = {
  readonly kind: 'no-response';
  readonly because: 'refused' | 'timeout' | 'reset' | 'unresolved' | 'tls' | 'malformed' | 'too-large';
  readonly detail: string;
};
type Timing = { readonly startedAtMs: number; readonly durationMs: number };

export type Exchange = {
  readonly step: string;
  /** 1 for the first; more under `repeat`. */
  readonly attempt: number;
  readonly api: ApiName;
  readonly request: WireRequest;
  readonly result: WireResponse | NoResponse;
  readonly timing: Timing;
  /** The URL as the target gave it, when its origin was not the target's own and it was rebased. */
  readonly rebasedFrom?: string;
};
export type Evidence = readonly Exchange[];
