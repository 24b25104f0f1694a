/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model raw-provider/passthrough. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:3d223f3b091e2c64d08df4312549b614ec019bec4e4196e8dac6af4016eebdb7, entity tag "3d223f3b091e2c64d08df4312549b614ec019bec4e4196e8dac6af4016eebdb7"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/0d4f5c9c7e07a0151214e0a069875a85.js";
import { standardSchema } from '../validation/standard-schema.js';

export const model = {
  id: "raw-provider/passthrough",
  inputAuthored: true,
  outputAuthored: false,
  outputMediaTypes: ["*/*"],
  providers: { default: "raw-provider", alternates: [] },
  chargesOnPolicyRejection: "unknown",
  schemaDigest: "sha256:3d223f3b091e2c64d08df4312549b614ec019bec4e4196e8dac6af4016eebdb7",
};
export { model as passthrough };

export const details = { title: "raw-provider/passthrough", description: "Hands the provider's answer on as it came.", inputModalities: ["text"], outputModalities: ["text"], exampleInput: { prompt: "Hello", options: { trace: true } }, exampleOutput: { answer: "Hello back" } };

export const inputJsonSchema = {"type":"object","properties":{"prompt":{"type":"string","minLength":1},"options":{"type":"object","additionalProperties":true}},"required":["prompt"],"examples":[{"prompt":"Hello","options":{"trace":true}}]};
export const inputSchema = /* @__PURE__ */ standardSchema(input, inputJsonSchema);
export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
