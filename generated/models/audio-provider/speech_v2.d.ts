/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model audio-provider/speech_v2. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:3231db9fda330e15728219af48446bcd9e96f9a1894e97d80869eeb646b607bc, entity tag "3231db9fda330e15728219af48446bcd9e96f9a1894e97d80869eeb646b607bc"
 * The document is private to those who may read it, and so is this file.
 */

import type { JsonObjectSchema, ModelDescriptor, ModelDetails, StandardSchema, ValidationOptions, ValidationResult } from "@switchyard/model-router";

// Types
/**
 * What the model takes.
 * @example {"text":"The ferry leaves at nine.","voice":"alto","voice_settings":null}
 */
export type Input = {
  /** (minLength: 1, maxLength: 5000) */
  text: string;
  /**
   * (pattern: "^[a-z][a-z0-9-]*$")
   * @default "alto"
   */
  voice?: string;
  /** (minLength: 2, maxLength: 5) */
  language_code?: string | null;
  /**
   * (minimum: 0.5, maximum: 2)
   * @default 1
   */
  speed?: number;
  voice_settings?:
    | {
        /**
         * (minimum: 0, maximum: 1)
         * @default 0.5
         */
        stability?: number | null;
        /** (minimum: 0, maximum: 1) */
        similarity?: number | null;
      }
    | null;
};

/**
 * What the model gives; the router does not check it.
 * Raw audio; the answer's own media type says which kind.
 * (format: "binary")
 * @example "(binary audio bytes)"
 */
export type Output = Uint8Array | string;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;

// Values
export declare const model: ModelDescriptor<"audio-provider/speech_v2", Input, Output, Alternates>;
export { model as speechV2 };
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
    "audio-provider/speech_v2": { input: Input; output: Output; alternates: Alternates };
  }
}
