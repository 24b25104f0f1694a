/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model image-provider/experimental. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:551fe1fb5a6e5759fd019c358cec6a2ab5ce0385e4b070bf75279247762b8438, entity tag "551fe1fb5a6e5759fd019c358cec6a2ab5ce0385e4b070bf75279247762b8438"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/a2c799262a3ce3c19ef5cdd983bf3d12.js";
import { standardSchema } from '../validation/standard-schema.js';

export const model = {
  id: "image-provider/experimental",
  inputAuthored: false,
  outputAuthored: false,
  outputMediaTypes: ["*/*"],
  providers: { default: "image-provider", alternates: [] },
  chargesOnPolicyRejection: "unknown",
  schemaDigest: "sha256:551fe1fb5a6e5759fd019c358cec6a2ab5ce0385e4b070bf75279247762b8438",
};
export { model as experimental };

export const details = { title: "image-provider/experimental", description: "A preview without a description of its own yet.", inputModalities: ["text"], outputModalities: ["image"], exampleInput: { prompt: "A lighthouse." }, exampleOutput: { url: "https://assets.example.com/image-provider/experimental/0.png" } };

export const inputJsonSchema = {"type":"object","additionalProperties":true,"description":"Not described yet; any JSON object is accepted.","examples":[{"prompt":"A lighthouse."}]};
export const inputSchema = /* @__PURE__ */ standardSchema(input, inputJsonSchema);
export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
