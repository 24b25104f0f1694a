/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model text-provider/4b-instruct. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:aaba7f1c623b89f20255f1ec10cbd21638620a8c3a73c11b419a019b32d40caf, entity tag "aaba7f1c623b89f20255f1ec10cbd21638620a8c3a73c11b419a019b32d40caf"
 * The document is private to those who may read it, and so is this file.
 */

import type { JsonObjectSchema, ModelDescriptor, ModelDetails, StandardSchema, ValidationOptions, ValidationResult } from "@switchyard/model-router";

// Types
/** What the model takes. */
export type Input = ChatRequest;

/** What the model gives; the router does not check it. */
export type Output = ChatResponse;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;

export type AssistantMessage = {
  role: "assistant";
  content?: string | null;
  tool_calls?: ToolCall[];
};

export type ChatRequest = {
  /** (minItems: 1) */
  messages: (SystemMessage | UserMessage | AssistantMessage)[];
  /**
   * (minimum: 0, maximum: 2)
   * @default 1
   */
  temperature?: number | null;
  /** (integer, minimum: 1, maximum: 8192) */
  max_tokens?: number;
  /** - array, minItems: 1, maxItems: 4 */
  stop?: string | string[] | null;
  /** (uniqueItems: true) */
  tools?: Tool[];
  logit_bias?: { [key: string]: number };
  /** @deprecated */
  stream?: false;
  /**
   * Who asks.
   * (maxLength: 32)
   */
  user?: string;
};

export type ChatResponse = {
  id: string;
  model?: string;
  /** (minItems: 1) */
  choices: [{
    /** (integer, minimum: 0) */
    index: number;
    message: AssistantMessage;
    finish_reason: "stop" | "length" | "tool_calls" | null;
  }, ...{
    /** (integer, minimum: 0) */
    index: number;
    message: AssistantMessage;
    finish_reason: "stop" | "length" | "tool_calls" | null;
  }[]];
  usage?: {
    /** (integer, minimum: 0) */
    input_tokens: number;
    /** (integer, minimum: 0) */
    output_tokens: number;
  };
};

/** (minLength: 1, pattern: "^[A-Za-z0-9_-]+$") */
export type Name = string;

export type ParameterShape = {
  type: "object" | "array" | "string" | "number" | "boolean";
  properties?: { [key: string]: ParameterShape };
  items?: ParameterShape;
  required?: string[];
};

export type Part =
  | { type: "text"; text: string }
  | {
      type: "image";
      /** (format: "uri") */
      url: string;
      /** @default "low" */
      detail?: "low" | "high";
    };

export type SystemMessage = { role: "system"; content: string };

export type Tool = {
  name: Name;
  description?: string;
  parameters: ParameterShape;
};

export type ToolCall = { name: string; arguments: { [key: string]: unknown } };

export type UserMessage = {
  role: "user";
  /** - array, minItems: 1 */
  content: string | Part[];
  name?: Name;
};

// Values
export declare const model: ModelDescriptor<"text-provider/4b-instruct", Input, Output, Alternates>;
export { model as modelOf4bInstruct };
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
    "text-provider/4b-instruct": { input: Input; output: Output; alternates: Alternates };
  }
}
