/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model image-provider/composite_layers. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:8a7b1a46364086df6a420e5b88959a31825dce2657993ad2d80dff038d3c7a3f, entity tag "8a7b1a46364086df6a420e5b88959a31825dce2657993ad2d80dff038d3c7a3f"
 * The document is private to those who may read it, and so is this file.
 */

import type { JsonObjectSchema, ModelDescriptor, ModelDetails, StandardSchema, ValidationOptions, ValidationResult } from "@switchyard/model-router";

// Types
/** What the model takes. */
export type Input = Composite2Input;

/** What the model gives; the router does not check it. */
export type Output = ImageOutput;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;

export type Canvas_0 = {
  /** (integer, minimum: 1, maximum: 8192) */
  width: number;
  /** (integer, minimum: 1, maximum: 8192) */
  height: number;
  /**
   * (pattern: "^#[0-9a-fA-F]{6}$")
   * @default "#ffffff"
   */
  background?: string;
};

export type CaptionLayer = {
  kind: "caption";
  /** (minLength: 1) */
  words: string;
  font?: {
    /** @default "sans" */
    family?: "serif" | "sans" | "mono";
    /**
     * (minimum: 4, maximum: 400)
     * @default 16
     */
    size?: number;
  };
};

export type Composite2Input = {
  /** The sheet that everything lies on. */
  canvas: Canvas_0;
  /** (minItems: 1, maxItems: 50) */
  layers: (PictureLayer | CaptionLayer)[];
  /** Values by name, for captions. */
  variables?: { [key: string]: Part3dVariable };
  /** Laid over everything else. */
  watermark?: PictureLayer | null;
};

export type File = {
  /** (format: "uri") */
  url: string;
};

export type ImageOutput = {
  /** The finished sheet. */
  image: File;
  layer_errors?: { [key: string]: string[] };
};

export type Part3dVariable = { text: string; colour?: string };

export type PictureLayer = {
  kind: "picture";
  source: File;
  /**
   * Two corners.
   * (minItems: 2, maxItems: 2)
   */
  box?: number[][];
};

// Values
export declare const model: ModelDescriptor<"image-provider/composite_layers", Input, Output, Alternates>;
export { model as compositeLayers };
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
    "image-provider/composite_layers": { input: Input; output: Output; alternates: Alternates };
  }
}
