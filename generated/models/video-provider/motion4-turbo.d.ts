/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model video-provider/motion4-turbo. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:e89f8e5851f0aced559a949e0f7864beaca6bb02d994810e6890ef0990a4f0e8, entity tag "e89f8e5851f0aced559a949e0f7864beaca6bb02d994810e6890ef0990a4f0e8"
 * The document is private to those who may read it, and so is this file.
 */

import type { JsonObjectSchema, ModelDescriptor, ModelDetails, StandardSchema, ValidationOptions, ValidationResult } from "@switchyard/model-router";

// Types
/** What the model takes. */
export type Input = MotionRequest;

/** What the model gives; the router does not check it. */
export type Output = MotionResponse;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;

export type Asset = {
  /** (format: "uri") */
  url: string;
  /** (format: "date-time") */
  expires_hint?: string | null;
};

export type Camera = FixedCamera | PresetCamera | PathCamera;

export type FixedCamera = { type: "fixed" };

export type MotionRequest = {
  /** (minLength: 3, maxLength: 1500) */
  prompt: string;
  camera?: Camera;
  /**
   * (integer, minimum: 2, maximum: 12)
   * @default 6
   */
  duration?: number;
  /** @default 24 */
  fps?: 24 | 30;
};

export type MotionResponse = {
  task: { id: string; state: "done" };
  video: {
    /** (format: "uri") */
    url: string;
    /** (format: "date-time") */
    expires_hint?: string | null;
    /** (minimum: 0) */
    seconds: number;
  };
  last_frame?: Asset;
};

export type PathCamera = {
  type: "path";
  /** (minItems: 2) */
  points: Point[];
};

export type Point = {
  x: number;
  y: number;
  z: number;
};

export type PresetCamera = {
  type: "pan" | "tilt" | "zoom";
  /**
   * (minimum: -1, maximum: 1)
   * @default 0
   */
  speed?: number;
};

// Values
export declare const model: ModelDescriptor<"video-provider/motion4-turbo", Input, Output, Alternates>;
export { model as motion4Turbo };
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
    "video-provider/motion4-turbo": { input: Input; output: Output; alternates: Alternates };
  }
}
