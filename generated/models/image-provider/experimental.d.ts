/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model image-provider/experimental. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:551fe1fb5a6e5759fd019c358cec6a2ab5ce0385e4b070bf75279247762b8438, entity tag "551fe1fb5a6e5759fd019c358cec6a2ab5ce0385e4b070bf75279247762b8438"
 * The document is private to those who may read it, and so is this file.
 */

import type { JsonObjectSchema, ModelDescriptor, ModelDetails, StandardSchema, ValidationOptions, ValidationResult } from "@switchyard/model-router";

// Types
/**
 * What the model takes.
 * Not described yet; any JSON object is accepted.
 * @example {"prompt":"A lighthouse."}
 */
export type Input = { [key: string]: unknown };

/**
 * What the model gives; the router does not check it.
 * Not described yet.
 * @example {"url":"https://assets.example.com/image-provider/experimental/0.png"}
 */
export type Output = { [key: string]: unknown } | string | Uint8Array;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;

// Values
export declare const model: ModelDescriptor<"image-provider/experimental", Input, Output, Alternates>;
export { model as experimental };
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
    "image-provider/experimental": { input: Input; output: Output; alternates: Alternates };
  }
}
