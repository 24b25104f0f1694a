import type { JsonObject } from '../../../specs/src/index.ts';
import type { AssetFamily } from '../assets/hosted-assets.ts';
import type { Bytes } from '../digest.ts';
import type { Output } from '../models/produce-output.ts';
import type { ServedModel } from '../models/served-model.ts';
import type { ValidationEntry } from '../models/validation-entries.ts';

/** A run as the caller sent it: `bytes` is what an unconverted call forwards, `input` the same parsed and validated. */
export type RunBody = { bytes: Bytes; input: JsonObject };

/** `strict` forwards the body to an alternate as it is, `converted` as the alternate can take it (MR-RUN-18, MR-RUN-20). */
export type Ask = { by: ServedModel; manner: 'native' | 'converted' | 'strict' };
/** The provider that a run is sent to, and those that it is sent to when that one fails. */
export type ProviderChoice = Ask & {
  /** In the order they are tried; empty without `fallback_provider`, and under strict mode (OP-049, OP-249). */
  fallbacks: readonly ServedModel[];
};

/**
 * `origin` is where the caller reached the sandbox: hosted assets are linked there. `startsAt` is the time of the request to the
 * provider (ms); links are signed when it responds.
 */
export type ProviderContext = {
  seed: number;
  origin: string;
  startsAt: number;
  /** The models whose assets are hosted. */
  families: readonly AssetFamily[];
  /** The behaviour that a test set for a model; it replaces or wraps the model's usual behaviour. */
  attempt?: (model: string, input: JsonObject, usual: () => Attempt) => Attempt;
};

/** The request that a provider received; the digest covers the body exactly as forwarded (MR-RUN-17). */
export type Received = { provider: string; model: string; bytes: number; sha256: string };

/** Facts about one attempt, and about all attempts of a run together. */
type AttemptFacts = {
  /** From dispatch to the response, in milliseconds. */
  durationMs: number;
  /** The HTTP status of the provider that responded; absent where none did (OP-033). */
  upstreamStatus?: number | undefined;
  /** Set when the router stops holding before there is a response, at any hold time: with or without a handle. */
  deadline?: 'collectable' | 'lost' | undefined;
  /** The reply that a proxy between router and caller sends instead of the first reply; the record keeps the original. */
  intercepted?: Intercepted | undefined;
};
export type Intercepted = { status: number; mediaType: string; body: string };

/** Facts about every response. */
export type ProviderFacts = AttemptFacts & {
  /** The provider's slug. */
  servedBy: string;
  /** A retry with another provider happened and succeeded (MR-HDR-11). */
  isFallback: boolean;
  /** One sentence for each field lost in the conversion for `servedBy`. */
  dropped: readonly string[];
  /** One for each attempt, in order. */
  received: readonly Received[];
  /** True if this call is billed; a policy rejection may be (MR-CAT-36). */
  isBilled: boolean;
  /** The output could not be converted back, so the body is the alternate's own: to be logged (MR-RUN-25, MR-RUN-26). */
  isRawOutput: boolean;
};

export type ProviderOutcome =
  | {
      kind: 'result';
      bytes: Bytes;
      mediaType: string;
      creditsUsed?: number | undefined;
      /** A record must not replay it if it is too long, or has an asset that expires (MR-IDM-52, OP-224). */
      replay: 'safe' | 'unsafe-asset' | 'oversized';
    }
  | Failure;
export type ProviderResponse = ProviderFacts & ProviderOutcome;

/** The response of one provider; a result is still a value here. */
export type Attempt = AttemptFacts & { outcome: AttemptOutcome };
export type AttemptOutcome =
  | Failure
  | ({ kind: 'output'; creditsUsed?: number | undefined; holdsProviderUrl?: boolean } & Output);

/** The attempt of a provider that answers at once. */
export function outputAttempt(output: Output): Attempt {
  return { durationMs: 0, upstreamStatus: 200, outcome: { kind: 'output', ...output } };
}

/** Failures of a run, with the HTTP status of the provider; no status if no provider responded (OP-033). */
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
/** `entries` are those of a `refused_input`, as a 422 lists them (OP-207); `message` is the detail of a `provider_error`. */
type Failure = {
  kind: FailureName;
  entries?: readonly ValidationEntry[] | undefined;
  message?: string | undefined;
};

export function isFailureName(name: unknown): name is FailureName {
  return typeof name === 'string' && Object.hasOwn(failures, name);
}

/** A reply of a proxy between router and caller, without the API's envelope (MR-ERR-23). */
export function proxyResponse(form: string, status: number): Intercepted {
  switch (form) {
    case 'truncated_json':
      return { status, mediaType: 'application/json', body: '{"detail": "The upstream connection was cl' };
    case 'plain_text':
      return { status, mediaType: 'text/plain', body: 'upstream connect error or disconnect before headers\n' };
    default: {
      const head = `<html><head><title>${status}</title></head>`;
      const body = `<!DOCTYPE html>\n${head}\n<body><center><h1>${status}</h1></center><hr><center>proxy</center></body></html>\n`;
      return { status, mediaType: 'text/html', body };
    }
  }
}
