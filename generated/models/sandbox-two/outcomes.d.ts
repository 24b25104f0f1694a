/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model sandbox-two/outcomes. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:09ff5c3255ae666dcb10dd17907fa034ef0bf84c17535e179c6fdb42f0e42df4, entity tag "09ff5c3255ae666dcb10dd17907fa034ef0bf84c17535e179c6fdb42f0e42df4"
 * The document is private to those who may read it, and so is this file.
 */

import type { JsonObjectSchema, ModelDescriptor, ModelDetails, StandardSchema, ValidationOptions, ValidationResult } from "@switchyard/model-router";

// Types
/** What the model takes. */
export type Input = OutcomeInput;

/** What the model gives; the router does not check it. */
export type Output = OutcomeOutput;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = "sandbox";

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

/** The alternate of sandbox/outcomes. Every member is optional. */
export type OutcomeInput = {
  alternate_outcome?: AlternateOutcome;
  /**
   * (integer, minimum: 0, maximum: 60000)
   * @default 0
   */
  delay_ms?: number;
  /** (maxLength: 200) */
  prompt?: string;
};

/** With the alternate outcome odd_output, outcome is missing and state stands in its place. */
export type OutcomeOutput = {
  outcome?: string;
  state?: string;
  served_by: string;
  received: Received;
  engine?: string;
};

/** What reached the provider. */
export type Received = {
  provider: string;
  model: string;
  /**
   * Length of the body as it was forwarded.
   * (integer, minimum: 0)
   */
  bytes: number;
  /**
   * Digest over the body as it was forwarded.
   * (pattern: "^[0-9a-f]{64}$")
   */
  sha256: string;
  /** The body itself, byte for byte; with the outcome echo only. */
  text?: string;
};

// Values
export declare const model: ModelDescriptor<"sandbox-two/outcomes", Input, Output, Alternates>;
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
    "sandbox-two/outcomes": { input: Input; output: Output; alternates: Alternates };
  }
}
