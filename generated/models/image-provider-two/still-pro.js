/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model image-provider-two/still-pro. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:653d1ccd0c098d9598bd42969b06ac555d9d0c0962eed9d8598028135914d435, entity tag "653d1ccd0c098d9598bd42969b06ac555d9d0c0962eed9d8598028135914d435"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/1322ebf757e30f2efdb9972fd218f5fc.js";
import { standardSchema } from '../validation/standard-schema.js';

export const model = {
  id: "image-provider-two/still-pro",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "image-provider-two", alternates: [{ provider: "image-provider", modelId: "image-provider/still-2.1" }] },
  chargesOnPolicyRejection: "no",
  schemaDigest: "sha256:653d1ccd0c098d9598bd42969b06ac555d9d0c0962eed9d8598028135914d435",
};
export { model as stillPro };

export const details = { title: "image-provider-two/still-pro", description: "Still images from a text prompt, with reference pictures.", inputModalities: ["text", "image"], outputModalities: ["image"], exampleInput: { prompt: "A red bicycle against a white wall.", aspect_ratio: "4:3", num_images: 1, reference_images: [{ image_url: "https://assets.example.com/samples/bicycle.png", weight: 0.6 }] }, exampleOutput: { images: [{ url: "https://assets.example.com/image-provider-two/still-pro/a.jpeg", file_name: "a.jpeg", file_size: 48211 }], description: null, nsfw_flags: [false] } };

export const inputJsonSchema = {"type":"object","properties":{"prompt":{"type":"string","minLength":1,"maxLength":2500},"aspect_ratio":{"type":"string","enum":["1:1","4:3","3:4","16:9","9:16"],"default":"1:1"},"num_images":{"type":"integer","minimum":1,"maximum":8,"default":1},"seed":{"type":"integer","minimum":0},"style_strength":{"type":"number","minimum":0,"maximum":1,"default":0.5},"reference_images":{"type":"array","maxItems":3,"items":{"$ref":"#/$defs/Reference"}}},"required":["prompt"],"$defs":{"Reference":{"type":"object","properties":{"image_url":{"type":"string","format":"uri","maxLength":2083},"weight":{"type":"number","exclusiveMinimum":0,"maximum":1,"default":1}},"required":["image_url"]}}};
export const inputSchema = /* @__PURE__ */ standardSchema(input, inputJsonSchema);
export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
