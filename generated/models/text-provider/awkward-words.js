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

import { validator as input } from "../validators/8f0a1bfbc0eb6385fef10ce9126e882a.js";
import { standardSchema } from '../validation/standard-schema.js';

export const model = {
  id: "text-provider/awkward-words",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "text-provider", alternates: [] },
  chargesOnPolicyRejection: "unknown",
  schemaDigest: "sha256:39fb4cff2270e99874e83c7fc9d6fbe28530ec8026d2eb0f8f9dd2b349c65eeb",
};
export { model as awkwardWords };

export const details = { title: "text-provider/awkward-words", description: "Ends the comment */ export const owned = 1; /* and `${process.exit(7)}` \"double\" 'single' \\ back\nnew line\r\nreturn\u2028separator\u2029paragraph <script>alert(1)</script> {@link x} // eslint-disable @ts-nocheck \u0000\u202e end", inputModalities: ["text"], outputModalities: ["text"], exampleInput: { default: "*/ owned()", "a/b~c": "`${owned}`", "it's \"quoted\"": 1, "line\nbreak": ["\u2028"], "*/ alert(1) /*": true, "3d": { "x-y": null }, constructor: "plain", toString: "text" }, exampleOutput: { function: "return", constructor: "plain", __esModule: false } };

export const inputJsonSchema = { type: "object", properties: { default: { type: "string", description: "Ends the comment */ export const owned = 1; /* and `${process.exit(7)}` \"double\" 'single' \\ back\nnew line\r\nreturn\u2028separator\u2029paragraph <script>alert(1)</script> {@link x} // eslint-disable @ts-nocheck \u0000\u202e end", default: "*/ owned()" }, "a/b~c": { type: "string", enum: ["`${owned}`", "*/", "__proto__", "'; owned(); '", "\\", "\n", "\u2028", "</script>", ""], description: "Slash and tilde in the key.", default: "`${owned}`" }, "it's \"quoted\"": { type: "integer", minimum: 0, description: "Quotes in the key. */ //" }, "line\nbreak": { type: "array", items: { type: "string" }, description: "A line break in the key." }, "*/ alert(1) /*": { type: "boolean", default: true }, "${key}": { type: "string", pattern: "^[`$]*/\\*?$" }, "3d": { $ref: "#/$defs/Part3d" }, constructor: { type: "string", description: "The name of an inherited member." }, toString: { type: "string" }, new: { type: "boolean", description: "*/ deprecated", deprecated: true }, "ümläut 😀": { type: "string", examples: ["\u2029"] } }, required: ["default"], $defs: { Part3d: { type: "object", properties: { "x-y": { anyOf: [{ type: "number" }, { type: "null" }] } }, description: "`${1}` */" } } };
export const inputSchema = /* @__PURE__ */ standardSchema(input, inputJsonSchema);
export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
