/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model text-provider/outline. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:cba51bfe32e74cc084be5474a53f6757b3eefe85ab4492e8e5ed38e5d0b6ad38, entity tag "cba51bfe32e74cc084be5474a53f6757b3eefe85ab4492e8e5ed38e5d0b6ad38"
 * The document is private to those who may read it, and so is this file.
 */

import type { JsonObjectSchema, ModelDescriptor, ModelDetails, StandardSchema, ValidationOptions, ValidationResult } from "@switchyard/model-router";

// Types
/**
 * What the model takes.
 * @example {"text":"First we sow. Then we reap.","depth":2,"numbered":"roman"}
 */
export type Input = {
  /** (minLength: 1) */
  text: string;
  /**
   * (integer, minimum: 1, maximum: 6)
   * @default 3
   */
  depth?: number;
  /** @default "en" */
  language?: string | null;
  /** @default false */
  numbered?: boolean | "roman" | "arabic";
};

/** What the model gives; the router does not check it. */
export type Output = Section;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;

export type Section = {
  heading: string;
  summary?: string | null;
  children: Section[];
  next?: Section | null;
};

// Values
export declare const model: ModelDescriptor<"text-provider/outline", Input, Output, Alternates>;
export { model as outline };
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
    "text-provider/outline": { input: Input; output: Output; alternates: Alternates };
  }
}
