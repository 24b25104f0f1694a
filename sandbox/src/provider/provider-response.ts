import type { JsonObject } from '../../../specs/src/index.ts';
import type { AssetFamily } from '../assets/hosted-assets.ts';
import type { Bytes } from '../digest.ts';
import type { Reply } from '../http/messages.ts';
import type { Output, ServedModel } from '../models/served-model.ts';
import type { ValidationEntry } from '../models/validation-entries.ts';

/** The body of a run. `bytes`: forwarded by calls without conversion. `input`: the same, parsed and validated. */
export type RunBody = { bytes: Bytes; input: JsonObject };

/** `strict` forwards the body unchanged to an alternate; `converted` adapts it to the alternate (MR-RUN-18, MR-RUN-20). */
export type ProviderSelection = { servingModel: ServedModel; mode: 'native' | 'converted' | 'strict' };
/** The provider of a run, and the fallbacks to try if it fails. */
export type ProviderChoice = ProviderSelection & {
  /** In order of use; empty without `fallback_provider` and in strict mode (OP-049, OP-249). */
  fallbacks: readonly ServedModel[];
};

/** `origin` is the origin of the caller's request. `startsAt`: time of the request to the provider (ms). */
export type ProviderContext = {
  seed: number;
  origin: string;
  startsAt: number;
  /** Models with hosted assets. */
  families: readonly AssetFamily[];
  /** Behaviour that a test set for a model, which replaces or wraps the usual one. */
  attempt?: (model: string, input: JsonObject, usual: () => Attempt) => Attempt;
};

/** A request that a provider received. The digest is that of the exact forwarded body (MR-RUN-17). */
export type ReceivedRequest = { provider: string; model: string; bytes: number; sha256: string };

/** Facts about the response of one attempt, or of all attempts of a run together. */
type ResponseFacts = {
  /** Milliseconds from dispatch to the response. */
  durationMs: number;
  /** HTTP status of the provider's response; absent if there was none (OP-033). */
  upstreamStatus?: number | undefined;
  /** Set if the router times out before there is a response, regardless of the hold time. `lost`: the provider's handle is lost, too. */
  deadline?: 'collectable' | 'lost' | undefined;
  /** Reply that a proxy between router and caller sends instead of the first reply. The record keeps the original. */
  intercepted?: Reply | undefined;
};

/** The response of one provider. */
export type Attempt = ResponseFacts & {
  outcome: ({ kind: 'output'; creditsUsed?: number | undefined; holdsProviderUrl?: boolean } & Output) | Failure;
};

/** The response of a run, after all attempts and the conversion of a result to the called model's contract. */
export type ProviderResponse = ResponseFacts & {
  servedBy: string;
  /** True if a retry with another provider succeeded (MR-HDR-11). */
  isFallback: boolean;
  /** One sentence for each field that was lost in the conversion for `servedBy`. */
  dropped: readonly string[];
  received: readonly ReceivedRequest[];
  /** True if this call is billed; a policy rejection may be billed, too (MR-CAT-36). */
  isBilled: boolean;
  /** True if the output could not be converted from the alternate's format, which must be logged (MR-RUN-25, MR-RUN-26). */
  isRawOutput: boolean;
} & (Result | Failure);

type Result = {
  kind: 'result';
  bytes: Bytes;
  mediaType: string;
  creditsUsed?: number | undefined;
  /** A record must not be replayed if it is too long, or has an asset that expires (MR-IDM-52, OP-224). */
  replay: 'safe' | 'unsafe-asset' | 'oversized';
};

export function outputAttempt(output: Output): Attempt {
  return { durationMs: 0, upstreamStatus: 200, outcome: { kind: 'output', ...output } };
}

/** Failures of a run, with the provider's HTTP status; undefined if no provider responded (OP-033). */
export const failures = {
  content_policy_violation: 400,
  provider_error: 500,
  uninterpretable: 200,
  provider_timeout: undefined,
  refused_input: 422,
  refused_request: 400,
  internal_error: undefined,
  service_unavailable: undefined,
} as const;
export type FailureName = keyof typeof failures;
/** `entries`: entries of the 422 for a `refused_input` (OP-207). `message`: detail of a `provider_error`. */
type Failure = {
  kind: FailureName;
  entries?: readonly ValidationEntry[] | undefined;
  message?: string | undefined;
};

export function isFailureName(name: unknown): name is FailureName {
  return typeof name === 'string' && Object.hasOwn(failures, name);
}
