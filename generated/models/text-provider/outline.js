/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model text-provider/outline. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:cba51bfe32e74cc084be5474a53f6757b3eefe85ab4492e8e5ed38e5d0b6ad38, entity tag "cba51bfe32e74cc084be5474a53f6757b3eefe85ab4492e8e5ed38e5d0b6ad38"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/0cbd5ac6651fb0cbd22f44a2a714794e.js";
import { standardSchema } from '../validation/standard-schema.js';

export const model = {
  id: "text-provider/outline",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "text-provider", alternates: [] },
  chargesOnPolicyRejection: "no",
  schemaDigest: "sha256:cba51bfe32e74cc084be5474a53f6757b3eefe85ab4492e8e5ed38e5d0b6ad38",
};
export { model as outline };

export const details = { title: "text-provider/outline", description: "Cuts a long text into a tree of headings.", inputModalities: ["text"], outputModalities: ["text"], exampleInput: { text: "First we sow. Then we reap.", depth: 2, numbered: "roman" }, exampleOutput: { heading: "Farming", summary: null, children: [{ heading: "Sowing", children: [] }, { heading: "Reaping", children: [], next: { heading: "Threshing", children: [] } }] } };

export const inputJsonSchema = {"type":"object","properties":{"text":{"type":"string","minLength":1},"depth":{"type":"integer","minimum":1,"maximum":6,"default":3},"language":{"anyOf":[{"type":"string"},{"type":"null"}],"default":"en"},"numbered":{"oneOf":[{"type":"boolean"},{"type":"string","enum":["roman","arabic"]}],"default":false}},"required":["text"],"examples":[{"text":"First we sow. Then we reap.","depth":2,"numbered":"roman"}]};
export const inputSchema = /* @__PURE__ */ standardSchema(input, inputJsonSchema);
export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
