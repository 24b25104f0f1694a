/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model raw-provider/open-input. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:736a9668323a9bf63e2b5c316097b59052a2cc8433b1858de2eea10ba1a21ad0, entity tag "736a9668323a9bf63e2b5c316097b59052a2cc8433b1858de2eea10ba1a21ad0"
 * The document is private to those who may read it, and so is this file.
 */

import type { JsonObjectSchema, ModelDescriptor, ModelDetails, StandardSchema, ValidationOptions, ValidationResult } from "@switchyard/model-router";

// Types
/**
 * What the model takes.
 * Not described yet; any JSON object is accepted.
 * @example {"text":"Hello"}
 */
export type Input = { [key: string]: unknown };

/**
 * What the model gives; the router does not check it.
 * @example {"text":"Hello back","tokens":2}
 */
export type Output = {
  text: string;
  /** (integer, minimum: 0) */
  tokens?: number;
};

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;

// Values
export declare const model: ModelDescriptor<"raw-provider/open-input", Input, Output, Alternates>;
export { model as openInput };
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
    "raw-provider/open-input": { input: Input; output: Output; alternates: Alternates };
  }
}
