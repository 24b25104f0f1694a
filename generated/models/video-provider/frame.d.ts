/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model video-provider/frame. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:ef9a2b0b812e3a23649401aaa4e253caf3b5045e568eea4282aeeb185973d77a, entity tag "ef9a2b0b812e3a23649401aaa4e253caf3b5045e568eea4282aeeb185973d77a"
 * The document is private to those who may read it, and so is this file.
 */

import type { JsonObjectSchema, ModelDescriptor, ModelDetails, StandardSchema, ValidationOptions, ValidationResult } from "@switchyard/model-router";

// Types
/** What the model takes. */
export type Input = {
  /** (minLength: 3, maxLength: 1500) */
  prompt: string;
  /**
   * (integer, minimum: 1, maximum: 4)
   * @default 1
   */
  count?: number;
};

/** What the model gives; the router does not check it. */
export type Output = { id: string; output: string[] };

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;

// Values
export declare const model: ModelDescriptor<"video-provider/frame", Input, Output, Alternates>;
export { model as frame };
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
    "video-provider/frame": { input: Input; output: Output; alternates: Alternates };
  }
}
