/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model sandbox/outcomes. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:f27547358343d3e35387d06f80bb3f299830e193fa716fb3b885a04fa1d2d2c9, entity tag "f27547358343d3e35387d06f80bb3f299830e193fa716fb3b885a04fa1d2d2c9"
 * The document is private to those who may read it, and so is this file.
 */

import type { JsonObjectSchema, ModelDescriptor, ModelDetails, StandardSchema, ValidationOptions, ValidationResult } from "@switchyard/model-router";

// Types
/** What the model takes. */
export type Input = OutcomeInput;

/** What the model gives; the router does not check it. */
export type Output = unknown;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = "sandbox-two";

/**
 * What the alternate provider does when it is asked; odd_output: its result cannot be converted back.
 * @default "succeed"
 */
export type AlternateOutcome =
  | "succeed"
  | "echo"
  | "odd_output"
  | "content_policy_violation"
  | "provider_error"
  | "uninterpretable"
  | "provider_timeout"
  | "refused_request";

export type AssetWish = {
  /** hosted_24h, hosted_12h: copied to service storage. failed_copy: the copy failed, the provider's reference stays. provider: never copied. inline: bytes in the result. direct_write, inline_video: a member of response.videos, as a link or as bytes. A result with a provider's reference cannot be replayed from a record. */
  hosting: "hosted_24h" | "hosted_12h" | "failed_copy" | "provider" | "inline" | "direct_write" | "inline_video";
  /** @default "image/png" */
  media_type?:
    | "image/png"
    | "image/jpeg"
    | "image/webp"
    | "video/mp4"
    | "audio/wav"
    | "model/gltf-binary"
    | "application/octet-stream";
};

export type Entry = {
  /** (of integers) */
  loc: (string | number)[];
  msg: string;
  type: string;
  ctx?: { [key: string]: unknown };
  input?: unknown;
};

/** Selects what becomes of the run. Every member is optional; an empty object succeeds at once. */
export type OutcomeInput = {
  /**
   * succeed: A result. The default. echo: A result that repeats the body which reached the provider. content_policy_violation: The provider refuses on content-policy grounds. provider_error: The provider reports a failure of its own. uninterpretable: The provider's answer cannot be turned into a result. provider_timeout: The provider does not answer within its deadline. deadline_exceeded: The router stops holding the call. The accepted work ends delay_ms after dispatch and can be collected with the same key, unless collectable is false. refused_input: The provider finds fields at fault, as entries lists them. refused_request: The provider turns the request down as a whole. proxy_answer: The run succeeds, but a proxy answers the caller in the form that proxy_body names. internal_error: The router fails on the way. service_unavailable: A dependency of the router is unavailable.
   * @default "succeed"
   */
  outcome?:
    | "succeed"
    | "echo"
    | "content_policy_violation"
    | "provider_error"
    | "uninterpretable"
    | "provider_timeout"
    | "deadline_exceeded"
    | "refused_input"
    | "refused_request"
    | "proxy_answer"
    | "internal_error"
    | "service_unavailable";
  /**
   * How long the provider takes, in milliseconds.
   * (integer, minimum: 0, maximum: 3600000)
   * @default 0
   */
  delay_ms?: number;
  /**
   * Length of the result's padding. A response of more than 1 MiB is too long for an idempotency record, so its key cannot be replayed.
   * (integer, minimum: 0, maximum: 16777216)
   * @default 0
   */
  size_bytes?: number;
  /**
   * The HTTP status that the provider gives.
   * (integer, minimum: 200, maximum: 599)
   */
  upstream_status?: number;
  /**
   * Sent in the credits header of a result.
   * (integer, minimum: 0, maximum: 1000000)
   */
  credits_used?: number;
  /**
   * A media type other than JSON: the result is then a file of that type, or plain text.
   * (pattern: "^[a-z]+/[a-z0-9][a-z0-9.+-]*$", maxLength: 80)
   */
  media_type?: string;
  /**
   * With refused_input: the entries of the 422, passed through as they are. Without them one is made up.
   * (maxItems: 100)
   */
  entries?: Entry[];
  /**
   * With deadline_exceeded: whether the router kept a handle to the accepted work.
   * @default true
   */
  collectable?: boolean;
  /**
   * With proxy_answer: what the proxy sends.
   * @default "html"
   */
  proxy_body?: "html" | "truncated_json" | "plain_text";
  /**
   * With proxy_answer: the status that the proxy sends.
   * @default 502
   */
  proxy_status?: 200 | 429 | 500 | 502 | 503 | 504;
  /**
   * Assets that the result holds, in this order.
   * (maxItems: 16)
   */
  assets?: AssetWish[];
  alternate_outcome?: AlternateOutcome;
  /**
   * Any text; the alternate takes at most 200 characters.
   * (maxLength: 4000)
   */
  prompt?: string;
  /**
   * Any text; the alternate has no such field.
   * (maxLength: 4000)
   */
  note?: string;
};

// Values
export declare const model: ModelDescriptor<"sandbox/outcomes", Input, Output, Alternates>;
export { model as outcomes };
/** What the document states for people; nobody checked it. */
export declare const details: ModelDetails;
/** For libraries that take Standard Schema; failures are those of `validateInput`. */
export declare const inputSchema: StandardSchema<Input>;
/** The input as one object, in JSON Schema 2020-12 with descriptions: for agents and forms. */
export declare const inputJsonSchema: JsonObjectSchema;
export declare function isInput(value: unknown): value is Input;
/** Failures have the form of the router's own 422, in the words of the sandbox. */
export declare function validateInput(value: unknown, options?: ValidationOptions): ValidationResult<Input>;

declare module "@switchyard/model-router" {
  interface ModelsBySubpath {
    "sandbox/outcomes": { input: Input; output: Output; alternates: Alternates };
  }
}
