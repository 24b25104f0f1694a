/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model video-provider/motion4_turbo. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:9091468f659ada88c9fe962be98e0308b1822f17b78de80528c9357c23849439, entity tag "9091468f659ada88c9fe962be98e0308b1822f17b78de80528c9357c23849439"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/6bfc2d2908ec7a652c72a27fe86d15fb.js";
import { standardSchema } from '../validation/standard-schema.js';

export const model = {
  id: "video-provider/motion4_turbo",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "video-provider", alternates: [{ provider: "video-provider-two", modelId: "video-provider-two/extend" }] },
  chargesOnPolicyRejection: "yes",
  schemaDigest: "sha256:9091468f659ada88c9fe962be98e0308b1822f17b78de80528c9357c23849439",
  loadValidator: (file = "../validators/6bfc2d2908ec7a652c72a27fe86d15fb.js") => import(/* webpackIgnore: true */ /* @vite-ignore */ file),
};
export { model as motion4Turbo };

export const details = { title: "video-provider/motion4_turbo", description: "Short clips from words, pictures or both.", inputModalities: ["text", "image"], outputModalities: ["video"], exampleInput: { mode: "generate", prompt_text: "Rain begins to fall on a tin roof.", duration: 5, focus: [0.5, 0.25], keyframes: [[0, { url: "https://assets.example.com/samples/roof.png" }], [5, { url: "https://assets.example.com/samples/rain.png" }, "slow"]] }, exampleOutput: { id: "clip-0001", status: "SUCCEEDED", output: ["https://assets.example.com/video-provider/motion4_turbo/clip.mp4"], last_frame_url: "https://assets.example.com/video-provider/motion4_turbo/last.png", failure: null } };

export const inputSchema = /* @__PURE__ */ standardSchema(input);
export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
