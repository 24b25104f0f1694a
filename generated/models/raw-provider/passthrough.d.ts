/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model raw-provider/passthrough. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:3d223f3b091e2c64d08df4312549b614ec019bec4e4196e8dac6af4016eebdb7, entity tag "3d223f3b091e2c64d08df4312549b614ec019bec4e4196e8dac6af4016eebdb7"
 * The document is private to those who may read it, and so is this file.
 */

import type { JsonObjectSchema, ModelDescriptor, ModelDetails, StandardSchema, ValidationOptions, ValidationResult } from "@switchyard/model-router";

// Types
/**
 * What the model takes.
 * @example {"prompt":"Hello","options":{"trace":true}}
 */
export type Input = {
  /** (minLength: 1) */
  prompt: string;
  options?: { [key: string]: unknown };
};

/**
 * What the model gives; the router does not check it.
 * Not described yet; look at the media type first.
 * @example {"answer":"Hello back"}
 */
export type Output = { [key: string]: unknown } | string | Uint8Array;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;

// Values
export declare const model: ModelDescriptor<"raw-provider/passthrough", Input, Output, Alternates>;
export { model as passthrough };
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
    "raw-provider/passthrough": { input: Input; output: Output; alternates: Alternates };
  }
}
