/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model image-video-provider/draw-1. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:2e43f3490e2a23d8e57cbf3557be119becb0d1d773791cbffbcc7227701b1871, entity tag "2e43f3490e2a23d8e57cbf3557be119becb0d1d773791cbffbcc7227701b1871"
 * The document is private to those who may read it, and so is this file.
 */

import type { JsonObjectSchema, ModelDescriptor, ModelDetails, StandardSchema, ValidationOptions, ValidationResult } from "@switchyard/model-router";

// Types
/** What the model takes. */
export type Input = DrawInput;

/** What the model gives; the router does not check it. */
export type Output = DrawOutput;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = "image-provider";

export type DrawInput = {
  /** (minLength: 1) */
  prompt: string;
  /** @default "square" */
  image_size?: "square" | "portrait" | "landscape";
  /**
   * (integer, minimum: 1, maximum: 4)
   * @default 1
   */
  num_images?: number;
  /** (integer) */
  seed?: number | null;
  /** @default [] */
  loras?: LoraWeight[];
  /** @default null */
  safety?: "strict" | "relaxed" | null;
};

export type DrawOutput = {
  /** One hosted address a picture. */
  images: string[];
  has_nsfw_concepts?: boolean[];
  prompt?: string;
};

export type LoraWeight = {
  /** (minLength: 1) */
  path: string;
  /**
   * (minimum: 0, maximum: 4)
   * @default 1
   */
  scale?: number;
  weight_name?: string | null;
};

// Values
export declare const model: ModelDescriptor<"image-video-provider/draw-1", Input, Output, Alternates>;
export { model as draw1 };
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
    "image-video-provider/draw-1": { input: Input; output: Output; alternates: Alternates };
  }
}
