/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model image-video-provider/animate. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:0f3123c86cb9367c8faaa4b1b564167f3f51e23da18ee8c842b383364642f705, entity tag "0f3123c86cb9367c8faaa4b1b564167f3f51e23da18ee8c842b383364642f705"
 * The document is private to those who may read it, and so is this file.
 */

import type { JsonObjectSchema, ModelDescriptor, ModelDetails, StandardSchema, ValidationOptions, ValidationResult } from "@switchyard/model-router";

// Types
/** What the model takes. */
export type Input = AnimateInput;

/** What the model gives; the router does not check it. */
export type Output = AnimateOutput;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;

export type AnimateInput = {
  /** (format: "uri", minLength: 1, maxLength: 2083) */
  image_url: string;
  /** (format: "uri") */
  tail_image_url?: string | null;
  /** (maxLength: 2500) */
  prompt: string;
  /** @default "5" */
  duration?: "5" | "10";
  /**
   * (minimum: 0, maximum: 1)
   * @default 0.5
   */
  cfg_scale?: number;
};

export type AnimateOutput = { video: File };

export type File = {
  /** (format: "uri") */
  url: string;
  content_type?: string | null;
  /** (integer) */
  file_size?: number | null;
};

// Values
export declare const model: ModelDescriptor<"image-video-provider/animate", Input, Output, Alternates>;
export { model as animate };
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
    "image-video-provider/animate": { input: Input; output: Output; alternates: Alternates };
  }
}
