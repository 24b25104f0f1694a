/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model text-provider/awkward-words. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:39fb4cff2270e99874e83c7fc9d6fbe28530ec8026d2eb0f8f9dd2b349c65eeb, entity tag "39fb4cff2270e99874e83c7fc9d6fbe28530ec8026d2eb0f8f9dd2b349c65eeb"
 * The document is private to those who may read it, and so is this file.
 */

import type { JsonObjectSchema, ModelDescriptor, ModelDetails, StandardSchema, ValidationOptions, ValidationResult } from "@switchyard/model-router";

// Types
/** What the model takes. */
export type Input = class2;

/** What the model gives; the router does not check it. */
export type Output = Record2;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;

/** `${1}` *\/ */
export type Part3d = { "x-y"?: number | null };

export type Record2 = {
  function: return2;
  constructor?: string | Object["constructor"];
  __esModule?: boolean;
};

export type class2 = {
  /**
   * Ends the comment *\/ export const owned = 1; /* and `${process.exit(7)}` "double" 'single' \ back
   * new line
   * returnseparatorparagraph <script>alert(1)</script> {@link x} // eslint-disable @ts-nocheck   end
   * @default "*\/ owned()"
   */
  default: string;
  /**
   * Slash and tilde in the key.
   * @default "`${owned}`"
   */
  "a/b~c"?: "`${owned}`" | "*/" | "__proto__" | "'; owned(); '" | "\\" | "\n" | "\u2028" | "</script>" | "";
  /**
   * Quotes in the key. *\/ //
   * (integer, minimum: 0)
   */
  "it's \"quoted\""?: number;
  /** A line break in the key. */
  "line\nbreak"?: string[];
  /** @default true */
  "*/ alert(1) /*"?: boolean;
  /** (pattern: "^[`$]*\/\\*?$") */
  "${key}"?: string;
  "3d"?: Part3d;
  /** The name of an inherited member. */
  constructor?: string | Object["constructor"];
  toString?: string | Object["toString"];
  /**
   * *\/ deprecated
   * @deprecated
   */
  new?: boolean;
  /** @example "" */
  "ümläut 😀"?: string;
};

/**
 * Ends the comment *\/ export const owned = 1; /* and `${process.exit(7)}` "double" 'single' \ back
 * new line
 * returnseparatorparagraph <script>alert(1)</script> {@link x} // eslint-disable @ts-nocheck   end
 */
export type return2 = "return" | "await" | "*/";

// Values
export declare const model: ModelDescriptor<"text-provider/awkward-words", Input, Output, Alternates>;
export { model as awkwardWords };
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
    "text-provider/awkward-words": { input: Input; output: Output; alternates: Alternates };
  }
}
