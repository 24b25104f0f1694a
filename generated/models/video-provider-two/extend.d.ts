/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model video-provider-two/extend. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:1e85be0ca724a8b26a34f4787cfa2551328a61ba032973f5e72f2fc8666c4047, entity tag "1e85be0ca724a8b26a34f4787cfa2551328a61ba032973f5e72f2fc8666c4047"
 * The document is private to those who may read it, and so is this file.
 */

import type { JsonObjectSchema, ModelDescriptor, ModelDetails, StandardSchema, ValidationOptions, ValidationResult } from "@switchyard/model-router";

// Types
/** What the model takes. */
export type Input = ExtendRequest;

/** What the model gives; the router does not check it. */
export type Output = ExtendResponse;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = "video-provider";

export type ExtendRequest = {
  video: {
    /** (minLength: 1) */
    id?: string;
    /** (format: "uri") */
    url?: string;
  } & ({ id: string; url?: never } | { id?: never; url: string });
  /** (maxLength: 2000) */
  prompt?: string;
  /** (format: "uri") */
  prompt_image?: string;
  /**
   * (integer, minimum: 1, maximum: 10)
   * @default 5
   */
  duration?: number;
  motion_mode?: "normal" | "fast" | null;
};

export type ExtendResponse = {
  Resp: {
    /** (integer, format: "int64") */
    id?: number;
    /** (format: "uri") */
    url: string;
    /** (integer, minimum: 0) */
    size?: number;
  };
  /** (integer) */
  ErrCode?: number;
  ErrMsg?: string;
};

// Values
export declare const model: ModelDescriptor<"video-provider-two/extend", Input, Output, Alternates>;
export { model as extend };
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
    "video-provider-two/extend": { input: Input; output: Output; alternates: Alternates };
  }
}
