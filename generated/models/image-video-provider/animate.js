/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model image-video-provider/animate. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:0f3123c86cb9367c8faaa4b1b564167f3f51e23da18ee8c842b383364642f705, entity tag "0f3123c86cb9367c8faaa4b1b564167f3f51e23da18ee8c842b383364642f705"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/4517b24fff6b6e657e364cc28f34cebb.js";
import { standardSchema } from '../validation/standard-schema.js';

export const model = {
  id: "image-video-provider/animate",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "image-video-provider", alternates: [] },
  chargesOnPolicyRejection: "yes",
  schemaDigest: "sha256:0f3123c86cb9367c8faaa4b1b564167f3f51e23da18ee8c842b383364642f705",
};
export { model as animate };

export const details = { title: "image-video-provider/animate", description: "Sets one picture in motion.", inputModalities: ["text", "image"], outputModalities: ["video"], exampleInput: { image_url: "https://assets.example.com/samples/harbour.jpg", prompt: "The boats rock gently.", duration: "5" }, exampleOutput: { video: { url: "https://assets.example.com/image-video-provider/animate/clip.mp4", content_type: "video/mp4", file_size: 1048576 } } };

export const inputJsonSchema = {"type":"object","properties":{"image_url":{"type":"string","format":"uri","minLength":1,"maxLength":2083},"tail_image_url":{"anyOf":[{"type":"string","format":"uri"},{"type":"null"}]},"prompt":{"type":"string","maxLength":2500},"duration":{"type":"string","enum":["5","10"],"default":"5"},"cfg_scale":{"type":"number","minimum":0,"maximum":1,"default":0.5}},"required":["image_url","prompt"]};
export const inputSchema = /* @__PURE__ */ standardSchema(input, inputJsonSchema);
export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
