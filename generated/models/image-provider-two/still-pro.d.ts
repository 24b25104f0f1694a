/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model image-provider-two/still-pro. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:653d1ccd0c098d9598bd42969b06ac555d9d0c0962eed9d8598028135914d435, entity tag "653d1ccd0c098d9598bd42969b06ac555d9d0c0962eed9d8598028135914d435"
 * The document is private to those who may read it, and so is this file.
 */

import type { JsonObjectSchema, ModelDescriptor, ModelDetails, StandardSchema, ValidationOptions, ValidationResult } from "@switchyard/model-router";

// Types
/** What the model takes. */
export type Input = StillProInput;

/** What the model gives; the router does not check it. */
export type Output = StillProOutput;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = "image-provider";

export type File = {
  /** (format: "uri") */
  url: string;
  file_name?: string | null;
  /** (integer, minimum: 0) */
  file_size?: number | null;
};

export type Reference = {
  /** (format: "uri", maxLength: 2083) */
  image_url: string;
  /**
   * (exclusiveMinimum: 0, maximum: 1)
   * @default 1
   */
  weight?: number;
};

export type StillProInput = {
  /** (minLength: 1, maxLength: 2500) */
  prompt: string;
  /** @default "1:1" */
  aspect_ratio?: "1:1" | "4:3" | "3:4" | "16:9" | "9:16";
  /**
   * (integer, minimum: 1, maximum: 8)
   * @default 1
   */
  num_images?: number;
  /** (integer, minimum: 0) */
  seed?: number;
  /**
   * (minimum: 0, maximum: 1)
   * @default 0.5
   */
  style_strength?: number;
  /** (maxItems: 3) */
  reference_images?: Reference[];
};

export type StillProOutput = {
  images: File[];
  description?: string | null;
  nsfw_flags?: boolean[];
};

// Values
export declare const model: ModelDescriptor<"image-provider-two/still-pro", Input, Output, Alternates>;
export { model as stillPro };
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
    "image-provider-two/still-pro": { input: Input; output: Output; alternates: Alternates };
  }
}
