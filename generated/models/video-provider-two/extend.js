/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model video-provider-two/extend. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:1e85be0ca724a8b26a34f4787cfa2551328a61ba032973f5e72f2fc8666c4047, entity tag "1e85be0ca724a8b26a34f4787cfa2551328a61ba032973f5e72f2fc8666c4047"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/0bb8a65b36257f57508b9c5e778fe2b5.js";
import { standardSchema } from '../validation/standard-schema.js';

export const model = {
  id: "video-provider-two/extend",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "video-provider-two", alternates: [{ provider: "video-provider", modelId: "video-provider/motion4_turbo" }] },
  chargesOnPolicyRejection: "no",
  schemaDigest: "sha256:1e85be0ca724a8b26a34f4787cfa2551328a61ba032973f5e72f2fc8666c4047",
};
export { model as extend };

export const details = { title: "video-provider-two/extend", description: "Makes a clip longer at its end.", inputModalities: ["text", "video"], outputModalities: ["video"], exampleInput: { video: { id: "v-778" }, prompt: "The walker reaches the sea.", prompt_image: "https://assets.example.com/samples/sea.png" }, exampleOutput: { Resp: { id: 9812, url: "https://assets.example.com/video-provider-two/extend/long.mp4", size: 734003 } } };

export const inputJsonSchema = {"type":"object","properties":{"video":{"oneOf":[{"type":"object","properties":{"id":{"type":"string","minLength":1}},"additionalProperties":false,"required":["id"]},{"type":"object","properties":{"url":{"type":"string","format":"uri"}},"additionalProperties":false,"required":["url"]}]},"prompt":{"type":"string","maxLength":2000},"prompt_image":{"type":"string","format":"uri"},"duration":{"type":"integer","minimum":1,"maximum":10,"default":5},"motion_mode":{"anyOf":[{"type":"string","enum":["normal","fast",null]},{"type":"null"}]}},"required":["video"]};
export const inputSchema = /* @__PURE__ */ standardSchema(input, inputJsonSchema);
export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
