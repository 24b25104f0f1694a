/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model video-provider/motion4_turbo. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:9091468f659ada88c9fe962be98e0308b1822f17b78de80528c9357c23849439, entity tag "9091468f659ada88c9fe962be98e0308b1822f17b78de80528c9357c23849439"
 * The document is private to those who may read it, and so is this file.
 */

import type { JsonObjectSchema, ModelDescriptor, ModelDetails, StandardSchema, ValidationOptions, ValidationResult } from "@switchyard/model-router";

// Types
/**
 * What the model takes.
 * @example {"mode":"generate","prompt_text":"Rain begins to fall on a tin roof.","duration":5,"focus":[0.5,0.25],"keyframes":[[0,{"url":"https://assets.example.com/samples/roof.png"}],[5,{"url":"https://assets.example.com/samples/rain.png"},"slow"]]}
 */
export type Input = {
  /** Always `generate`. */
  mode: "generate";
  /** (maxLength: 1000) */
  prompt_text?: string | null;
  /** (format: "uri") */
  prompt_image?: string;
  /** @default "1280:720" */
  ratio?: "1280:720" | "720:1280" | "960:960";
  /** @default 5 */
  duration?: 5 | 10;
  /**
   * Where to look, from the upper left corner.
   * (minItems: 2)
   */
  focus?: [number, number];
  /** (maxItems: 8) */
  keyframes?: [number, Frame, (string | null)?, ...unknown[]][];
  moderation?: {
    /** @default "auto" */
    public_figures?: "auto" | "low";
  };
} & ({ prompt_text: string | null } | { prompt_image: string });

/** What the model gives; the router does not check it. */
export type Output = ClipResult;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = "video-provider-two";

export type ClipResult = {
  id: string;
  status: "SUCCEEDED";
  /** (minItems: 1) */
  output: [string, ...string[]];
  /** (format: "uri") */
  last_frame_url?: string;
  failure?: { code: string } | null;
};

export type Frame = {
  /** (format: "uri") */
  url: string;
  /**
   * (minimum: 0, maximum: 1)
   * @default 1
   */
  strength?: number;
};

// Values
export declare const model: ModelDescriptor<"video-provider/motion4_turbo", Input, Output, Alternates>;
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
    "video-provider/motion4_turbo": { input: Input; output: Output; alternates: Alternates };
  }
}
