/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model video-provider/two-extend. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:0ee2b3156d03587c6b41897ed163d242af136fad28a3c8886ccf669422435844, entity tag "0ee2b3156d03587c6b41897ed163d242af136fad28a3c8886ccf669422435844"
 * The document is private to those who may read it, and so is this file.
 */

import type { JsonObjectSchema, ModelDescriptor, ModelDetails, StandardSchema, ValidationOptions, ValidationResult } from "@switchyard/model-router";

// Types
/**
 * What the model takes.
 * (minProperties: 1)
 * @example {"video_url":"https://assets.example.com/samples/walk.mp4","before_seconds":2}
 */
export type Input = {
  /** (format: "uri") */
  video_url: string;
  /**
   * (integer, minimum: 0, maximum: 10)
   * @default 0
   */
  before_seconds?: number;
  /**
   * (integer, minimum: 0, maximum: 10)
   * @default 4
   */
  after_seconds?: number;
};

/**
 * What the model gives; the router does not check it.
 * @example {"video_url":"https://assets.example.com/video-provider/two-extend/long.mp4","seconds":14}
 */
export type Output = {
  /** (format: "uri") */
  video_url: string;
  seconds?: number;
};

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;

// Values
export declare const model: ModelDescriptor<"video-provider/two-extend", Input, Output, Alternates>;
export { model as twoExtend };
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
    "video-provider/two-extend": { input: Input; output: Output; alternates: Alternates };
  }
}
