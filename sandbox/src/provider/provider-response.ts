import type { JsonObject } from '../../../specs/src/index.ts';
import type { AssetFamily } from '../assets/hosted-assets.ts';
import type { Bytes } from '../digest.ts';
import type { Reply } from '../http/messages.ts';
import type { Output, ServedModel } from '../models/served-model.ts';
import type { ValidationEntry } from '../models/validation-entries.ts';

/** The body of a run. `bytes`: as sent, and forwarded unless it is converted. `input`: the same, parsed. */
export type RunBody = { bytes: Bytes; input: JsonObject };

/**
 * The model that serves a run. `native`: the called model. An alternate gets the body unchanged (`strict`) or converted to its input
 * (`converted`) (MR-RUN-18, MR-RUN-20).
 */
export type ProviderSelection = { servingModel: ServedModel; mode: 'native' | 'converted' | 'strict' };
/** The model that serves a run, and the models to try if it fails. */
export type ProviderChoice = ProviderSelection & {
  /** In order of use; empty without `fallback_provider` and in strict mode (OP-049, OP-249). */
  fallbacks: readonly ServedModel[];
};

/** What a provider's response depends on. `origin`: origin of the caller's request. `startsAt`: time of the provider's request (ms). */
export type ProviderContext = {
  seed: number;
  origin: string;
  startsAt: number;
  /** Models with hosted assets. */
  families: readonly AssetFamily[];
  /** Runs an attempt with the behaviour that a test has set for the model; `usual` runs it without. */
  attempt?: (model: string, input: JsonObject, usual: () => Attempt) => Attempt;
};

/** A request that a provider received. `sha256`: digest of the forwarded body (MR-RUN-17). */
export type ReceivedRequest = { provider: string; model: string; bytes: number; sha256: string };

/** Facts about the response of one attempt, or of a whole run with all its attempts. */
type ResponseFacts = {
  /** Milliseconds from dispatch to the response. */
  durationMs: number;
  /** HTTP status of the provider's response; absent if there was none (OP-033). */
  upstreamStatus?: number | undefined;
  /**
   * Set if the router stops waiting before the provider responds, even within the hold time. `lost`: the router has also lost the
   * id with which it could fetch the result later.
   */
  deadline?: 'collectable' | 'lost' | undefined;
  /** Reply that a proxy sends to the caller instead of the router's reply, which is only recorded. */
  intercepted?: Reply | undefined;
};

/** The response of one provider. */
export type Attempt = ResponseFacts & {
  outcome: ({ kind: 'output'; creditsUsed?: number | undefined; holdsProviderUrl?: boolean } & Output) | Failure;
};

/** The response of a run after all attempts. A result of an alternate has been converted to the output of the called model. */
export type ProviderResponse = ResponseFacts & {
  servedBy: string;
  /** True if a retry with another provider succeeded (MR-HDR-11). */
  isFallback: boolean;
  /** One sentence for each field of the input that `servedBy` did not get. */
  dropped: readonly string[];
  received: readonly ReceivedRequest[];
  /** True if the run is billed. Some models also bill policy rejections (MR-CAT-36). */
  isBilled: boolean;
  /** True if the output of an alternate could not be converted, which must be logged (MR-RUN-25, MR-RUN-26). */
  isRawOutput: boolean;
} & (Result | Failure);

type Result = {
  kind: 'result';
  bytes: Bytes;
  mediaType: string;
  creditsUsed?: number | undefined;
  /** `safe` if the result may be replayed, or else why not: a link to an asset that expires, or its length (MR-IDM-52, OP-224). */
  replay: 'safe' | 'unsafe-asset' | 'oversized';
};

/** Creates the response of a provider that succeeded at once. */
export function outputAttempt(output: Output): Attempt {
  return { durationMs: 0, upstreamStatus: 200, outcome: { kind: 'output', ...output } };
}

/** All failures of a run, with the HTTP status of the provider; undefined if the provider didn't respond (OP-033). */
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
/** A failed run. `entries`: entries of the 422 for a `refused_input` (OP-207). `message`: detail of a `provider_error`. */
type Failure = {
  kind: FailureName;
  entries?: readonly ValidationEntry[] | undefined;
  message?: string | undefined;
};

export function isFailureName(name: unknown): name is FailureName {
  return typeof name === 'string' && Object.hasOwn(failures, name);
}
