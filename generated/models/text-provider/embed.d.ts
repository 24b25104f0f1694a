/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model text-provider/embed. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:fcaa51a32e18ec2b1f269843e147710477952f0e2112f56ad5bd631040e84269, entity tag "fcaa51a32e18ec2b1f269843e147710477952f0e2112f56ad5bd631040e84269"
 * The document is private to those who may read it, and so is this file.
 */

import type { JsonObjectSchema, ModelDescriptor, ModelDetails, StandardSchema, ValidationOptions, ValidationResult } from "@switchyard/model-router";

// Types
/**
 * What the model takes.
 * @example {"input":["quay","berth"],"dimensions":256}
 */
export type Input = {
  /**
   * - string, minLength: 1
   * - array, minItems: 1, maxItems: 64
   */
  input: string | string[];
  /** @default 512 */
  dimensions?: 256 | 512 | 1024;
  /** @default "float" */
  encoding?: "float" | "base64";
};

/** What the model gives; the router does not check it. */
export type Output = {
  vectors: (number[] | string)[];
  /** (integer) */
  dimensions?: number;
};

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;

// Values
export declare const model: ModelDescriptor<"text-provider/embed", Input, Output, Alternates>;
export { model as embed };
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
    "text-provider/embed": { input: Input; output: Output; alternates: Alternates };
  }
}
