/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model video-provider-three/clip-3.1-generate-001. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:8b1bed34ab31377de0536d03956a9d331170a27302d2b5a396cc5e0d7da6c8fe, entity tag "8b1bed34ab31377de0536d03956a9d331170a27302d2b5a396cc5e0d7da6c8fe"
 * The document is private to those who may read it, and so is this file.
 */

import type { JsonObjectSchema, ModelDescriptor, ModelDetails, StandardSchema, ValidationOptions, ValidationResult } from "@switchyard/model-router";

// Types
/**
 * What the model takes.
 * @example {"instances":[{"prompt":"A kite over dunes.","image":{"bytesBase64Encoded":"aGFyYm91cg==","mimeType":"image/png"}}],"parameters":{"durationSeconds":4,"sampleCount":2,"generateAudio":false}}
 */
export type Input = {
  /** (minItems: 1, maxItems: 1) */
  instances: {
    /** (minLength: 1) */
    prompt: string;
    image?: {
      /** (format: "byte") */
      bytesBase64Encoded?: string;
      gcsUri?: string;
      mimeType?: "image/jpeg" | "image/png";
    } & ({ bytesBase64Encoded: string; gcsUri?: never } | { bytesBase64Encoded?: never; gcsUri: string });
    lastFrame?: {
      /** (format: "byte") */
      bytesBase64Encoded?: string;
      gcsUri?: string;
      mimeType?: "image/jpeg" | "image/png";
    } & ({ bytesBase64Encoded: string; gcsUri?: never } | { bytesBase64Encoded?: never; gcsUri: string });
    /** (maxItems: 3) */
    referenceImages?: {
      image: {
        /** (format: "byte") */
        bytesBase64Encoded?: string;
        gcsUri?: string;
        mimeType?: "image/jpeg" | "image/png";
      } & ({ bytesBase64Encoded: string; gcsUri?: never } | { bytesBase64Encoded?: never; gcsUri: string });
      referenceType: "asset" | "style";
      referenceId?: string;
    }[];
  }[];
  parameters?: {
    /** @default "16:9" */
    aspectRatio?: "16:9" | "9:16";
    /** (minimum: 4, maximum: 8) */
    durationSeconds?: number;
    /**
     * (integer, minimum: 1, maximum: 4)
     * @default 1
     */
    sampleCount?: number;
    /** (integer, format: "uint32", minimum: 0) */
    seed?: number;
    generateAudio?: boolean;
    /** Where the provider is to write, in place of inline bytes. */
    storageUri?: string;
  };
};

/**
 * What the model gives; the router does not check it.
 * @example {"name":"operations/clip-17","done":true,"response":{"@type":"clip.response","raiMediaFilteredCount":0,"videos":[{"bytesBase64Encoded":"c2FtcGxlIGNsaXA=","mimeType":"video/mp4"},{"gcsUri":"https://assets.example.com/video-provider-three/clip-3.1-generate-001/sample_1.mp4","mimeType":"video/mp4"}]}}
 */
export type Output = {
  name?: string;
  done: boolean;
  error?: {
    /** (integer) */
    code?: number;
    message?: string;
  };
  response: {
    "@type"?: string;
    /** (integer, minimum: 0) */
    raiMediaFilteredCount?: number;
    raiMediaFilteredReasons?: string[];
    videos?: ClipVideo[];
  };
};

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;

export type ClipVideo = {
  /** (format: "byte") */
  bytesBase64Encoded?: string;
  gcsUri?: string;
  mimeType?: string;
};

// Values
export declare const model: ModelDescriptor<"video-provider-three/clip-3.1-generate-001", Input, Output, Alternates>;
export { model as clip31Generate001 };
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
    "video-provider-three/clip-3.1-generate-001": { input: Input; output: Output; alternates: Alternates };
  }
}
