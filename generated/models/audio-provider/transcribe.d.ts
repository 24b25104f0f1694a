/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model audio-provider/transcribe. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:fc57f1e7441d4985279eb6c2b5398c61acfb051584951aeeae849e4f8510a148, entity tag "fc57f1e7441d4985279eb6c2b5398c61acfb051584951aeeae849e4f8510a148"
 * The document is private to those who may read it, and so is this file.
 */

import type { JsonObjectSchema, ModelDescriptor, ModelDetails, StandardSchema, ValidationOptions, ValidationResult } from "@switchyard/model-router";

// Types
/** What the model takes. */
export type Input = TranscribeInput;

/** What the model gives; the router does not check it. */
export type Output = Transcript;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;

export type SpeakerRange = {
  /** (integer, minimum: 1) */
  min?: number;
  /** (integer, minimum: 1) */
  max?: number | null;
};

export type TranscribeInput = {
  /** (format: "uri") */
  audio_url: string;
  /**
   * (pattern: "^[a-z]{2}$")
   * @default null
   */
  language?: string | null;
  /** (maxProperties: 100) */
  vocabulary?: { [key: string]: number };
  speakers?: SpeakerRange | null;
  /** @default "word" */
  granularity?: "word" | "segment";
};

export type Transcript = {
  text: string;
  language?: string;
  words: Word[];
  speakers?: { [key: string]: {
    /** (minimum: 0) */
    seconds: number;
  } };
  summary?: string | null;
};

/**
 * The word, its start and end in seconds, then notes.
 * (minItems: 3, maxItems: 4)
 */
export type Word = [string, number, number, WordNote?];

export type WordNote = {
  speaker?: string;
  /** (minimum: 0, maximum: 1) */
  confidence?: number;
};

// Values
export declare const model: ModelDescriptor<"audio-provider/transcribe", Input, Output, Alternates>;
export { model as transcribe };
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
    "audio-provider/transcribe": { input: Input; output: Output; alternates: Alternates };
  }
}
