/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model audio-provider/sound-effects. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:83f9bd5ba0ae440efec422ff54a034526b7c77ee827020c1d2ed3e8d8ebff550, entity tag "83f9bd5ba0ae440efec422ff54a034526b7c77ee827020c1d2ed3e8d8ebff550"
 * The document is private to those who may read it, and so is this file.
 */

import type { JsonObjectSchema, ModelDescriptor, ModelDetails, StandardSchema, ValidationOptions, ValidationResult } from "@switchyard/model-router";

// Types
/** What the model takes. */
export type Input = SoundEffectRequest;

/** What the model gives; the router does not check it. */
export type Output = Uint8Array;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;

export type SoundEffectRequest = {
  /** (minLength: 1, maxLength: 450) */
  text: string;
  /** (format: "double", minimum: 0.5, maximum: 30) */
  duration_seconds?: number | null;
  /** @default false */
  loop?: boolean;
  /** @default "mp3_44100" */
  format?: "mp3_44100" | "wav_48000";
};

// Values
export declare const model: ModelDescriptor<"audio-provider/sound-effects", Input, Output, Alternates>;
export { model as soundEffects };
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
    "audio-provider/sound-effects": { input: Input; output: Output; alternates: Alternates };
  }
}
