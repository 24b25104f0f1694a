/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model image-provider/restyle. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:284fc3f510772cc1b0259aae55bb0fe77f025871885ee88ca7a46ff13b163341, entity tag "284fc3f510772cc1b0259aae55bb0fe77f025871885ee88ca7a46ff13b163341"
 * The document is private to those who may read it, and so is this file.
 */

import type { JsonObjectSchema, ModelDescriptor, ModelDetails, StandardSchema, ValidationOptions, ValidationResult } from "@switchyard/model-router";

// Types
/** What the model takes. */
export type Input = RestyleRequest;

/** What the model gives; the router does not check it. */
export type Output = RestyleResponse;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;

export type RestyleRequest = {
  /**
   * A picture that is already on the web.
   * (format: "uri")
   */
  image_url?: string;
  /**
   * The picture itself.
   * (format: "byte")
   */
  image_base64?: string;
  style: "watercolour" | "charcoal" | "pixel" | "comic";
  /**
   * (minimum: 0, maximum: 1)
   * @default 0.75
   */
  strength?: number;
  mask?:
    | {
        /** (format: "uri") */
        url: string;
        /** @default false */
        invert?: boolean;
      }
    | null;
} & ({ image_url: string; image_base64?: never } | { image_url?: never; image_base64: string });

export type RestyleResponse = {
  status: string;
  /** (minimum: 0, maximum: 1) */
  progress?: number | null;
  result: Sample;
};

export type Sample = {
  /** (format: "uri") */
  sample: string;
  /** (integer, format: "int64") */
  seed?: number;
  /** (format: "double") */
  cost?: number | null;
};

// Values
export declare const model: ModelDescriptor<"image-provider/restyle", Input, Output, Alternates>;
export { model as restyle };
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
    "image-provider/restyle": { input: Input; output: Output; alternates: Alternates };
  }
}
