/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model image-provider/still-2.1. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:e6f191e11831aa3bb895dfdaa9d7f22e3e19871de1a93c5610484bc3c5e7fea8, entity tag "e6f191e11831aa3bb895dfdaa9d7f22e3e19871de1a93c5610484bc3c5e7fea8"
 * The document is private to those who may read it, and so is this file.
 */

import type { JsonObjectSchema, ModelDescriptor, ModelDetails, StandardSchema, ValidationOptions, ValidationResult } from "@switchyard/model-router";

// Types
/**
 * What the model takes.
 * @example {"prompt":"A paper boat on a still lake at dawn.","image_size":{"width":1024,"height":768},"num_images":2,"seed":null}
 */
export type Input = {
  /**
   * What the picture shows.
   * (minLength: 1, maxLength: 4000)
   */
  prompt: string;
  /**
   * What the picture must not show.
   * (maxLength: 2000)
   */
  negative_prompt?: string | null;
  /**
   * A named size, or an exact one.
   * @default "square"
   */
  image_size?: "square" | "portrait_4_3" | "landscape_16_9" | ExactSize;
  /**
   * (integer, minimum: 1, maximum: 4)
   * @default 1
   */
  num_images?: number;
  /**
   * (exclusiveMinimum: 0, maximum: 20)
   * @default 3.5
   */
  guidance_scale?: number;
  /** (integer, format: "int64", minimum: 0, maximum: 4294967295) */
  seed?: number | null;
  /** @default "png" */
  output_format?: "jpeg" | "png" | "webp";
  /**
   * Keep a draft that a later call can refine.
   * @default false
   */
  draft?: boolean;
  /**
   * Has no effect any more.
   * @default false
   * @deprecated
   */
  sync_mode?: boolean;
};

/**
 * What the model gives; the router does not check it.
 * @example {"id":"5d0d8a5e-3a52-4f37-9a37-0f0c5d0b3c11","images":[{"url":"https://assets.example.com/image-provider/still-2.1/0.png","width":1024,"height":768,"content_type":"image/png"},{"url":"https://assets.example.com/image-provider/still-2.1/1.png","width":1024,"height":768,"content_type":null}],"draft_cache":{"url":"https://assets.example.com/image-provider/still-2.1/draft.bin"},"seed":41,"timings":{"queue":0.2,"render":3.75}}
 */
export type Output = {
  /** (format: "uuid") */
  id?: string;
  /** (minItems: 1, maxItems: 4) */
  images: [File, ...File[]];
  draft_cache?: File;
  /** (integer, format: "int64") */
  seed: number;
  /** Seconds by stage. */
  timings?: { [key: string]: number };
};

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = "image-provider-two" | "image-video-provider";

export type ExactSize = {
  /** (integer, minimum: 256, maximum: 4096, multipleOf: 8) */
  width: number;
  /** (integer, minimum: 256, maximum: 4096, multipleOf: 8) */
  height: number;
};

export type File = {
  /**
   * Where the file can be fetched.
   * (format: "uri")
   */
  url: string;
  /** (integer, minimum: 1) */
  width?: number;
  /** (integer, minimum: 1) */
  height?: number;
  content_type?: string | null;
};

// Values
export declare const model: ModelDescriptor<"image-provider/still-2.1", Input, Output, Alternates>;
export { model as still21 };
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
    "image-provider/still-2.1": { input: Input; output: Output; alternates: Alternates };
  }
}
