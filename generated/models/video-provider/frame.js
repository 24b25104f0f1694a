/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model video-provider/frame. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:ef9a2b0b812e3a23649401aaa4e253caf3b5045e568eea4282aeeb185973d77a, entity tag "ef9a2b0b812e3a23649401aaa4e253caf3b5045e568eea4282aeeb185973d77a"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/3db7f38cb27e81b0ce2bf5c33f03b263.js";
import { standardSchema } from '../validation/standard-schema.js';

export const model = {
  id: "video-provider/frame",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "video-provider", alternates: [] },
  chargesOnPolicyRejection: "no",
  schemaDigest: "sha256:ef9a2b0b812e3a23649401aaa4e253caf3b5045e568eea4282aeeb185973d77a",
};
export { model as frame };

export const details = { title: "video-provider/frame", description: "Single pictures from the maker of the motion models; its results are not copied to service storage.", inputModalities: ["text"], outputModalities: ["image"], exampleInput: { prompt: "A harbour at dawn", count: 1 }, exampleOutput: { id: "frame-0001", output: ["https://assets.example.com/video-provider/frame/0.png"] } };

export const inputJsonSchema = {"type":"object","properties":{"prompt":{"type":"string","minLength":3,"maxLength":1500},"count":{"type":"integer","minimum":1,"maximum":4,"default":1}},"additionalProperties":false,"required":["prompt"]};
export const inputSchema = /* @__PURE__ */ standardSchema(input, inputJsonSchema);
export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
