/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model raw-provider/open-input. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:736a9668323a9bf63e2b5c316097b59052a2cc8433b1858de2eea10ba1a21ad0, entity tag "736a9668323a9bf63e2b5c316097b59052a2cc8433b1858de2eea10ba1a21ad0"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/a2c799262a3ce3c19ef5cdd983bf3d12.js";
import { standardSchema } from '../validation/standard-schema.js';

export const model = {
  id: "raw-provider/open-input",
  inputAuthored: false,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "raw-provider", alternates: [] },
  chargesOnPolicyRejection: "yes",
  schemaDigest: "sha256:736a9668323a9bf63e2b5c316097b59052a2cc8433b1858de2eea10ba1a21ad0",
};
export { model as openInput };

export const details = { title: "raw-provider/open-input", description: "Takes whatever the provider takes.", inputModalities: ["text"], outputModalities: ["text"], exampleInput: { text: "Hello" }, exampleOutput: { text: "Hello back", tokens: 2 } };

export const inputJsonSchema = {"type":"object","additionalProperties":true,"description":"Not described yet; any JSON object is accepted.","examples":[{"text":"Hello"}]};
export const inputSchema = /* @__PURE__ */ standardSchema(input, inputJsonSchema);
export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
