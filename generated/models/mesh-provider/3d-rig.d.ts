/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model mesh-provider/3d-rig. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:5dcf79c5077492c92af0550b7fdf2209cca8e52b55cf71800a08432874a90cd9, entity tag "5dcf79c5077492c92af0550b7fdf2209cca8e52b55cf71800a08432874a90cd9"
 * The document is private to those who may read it, and so is this file.
 */

import type { JsonObjectSchema, ModelDescriptor, ModelDetails, StandardSchema, ValidationOptions, ValidationResult } from "@switchyard/model-router";

// Types
/** What the model takes. */
export type Input = RigInput;

/** What the model gives; the router does not check it. */
export type Output = RigOutput;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;

export type File = {
  /** (format: "uri") */
  url: string;
  file_name?: string | null;
};

export type RigInput = {
  /** (format: "uri") */
  model_url?: string;
  /** (format: "uuid4") */
  input_task_id?: string;
  /** (format: "uri") */
  texture_url?: string;
  /**
   * (exclusiveMinimum: 0, maximum: 10)
   * @default 1.7
   */
  height_meters?: number;
  bones?: { [key: string]: {
    /** (minimum: 0) */
    length: number;
    [Symbol.iterator]?: never;
  } };
} & ({ model_url: string } | { input_task_id: string });

export type RigOutput = { model_glb: File; animations?: { [key: string]: File } };

// Values
export declare const model: ModelDescriptor<"mesh-provider/3d-rig", Input, Output, Alternates>;
export { model as modelOf3dRig };
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
    "mesh-provider/3d-rig": { input: Input; output: Output; alternates: Alternates };
  }
}
