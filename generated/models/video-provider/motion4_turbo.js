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

import { validator as input } from "../validators/01bbf4015942bcdbd0057b0a533bce04.js";
import { standardSchema } from '../validation/standard-schema.js';

export const model = {
  id: "video-provider/motion4_turbo",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "video-provider", alternates: [{ provider: "video-provider-two", modelId: "video-provider-two/extend" }] },
  chargesOnPolicyRejection: "yes",
  schemaDigest: "sha256:9091468f659ada88c9fe962be98e0308b1822f17b78de80528c9357c23849439",
};
export { model as motion4Turbo };

export const details = { title: "video-provider/motion4_turbo", description: "Short clips from words, pictures or both.", inputModalities: ["text", "image"], outputModalities: ["video"], exampleInput: { mode: "generate", prompt_text: "Rain begins to fall on a tin roof.", duration: 5, focus: [0.5, 0.25], keyframes: [[0, { url: "https://assets.example.com/samples/roof.png" }], [5, { url: "https://assets.example.com/samples/rain.png" }, "slow"]] }, exampleOutput: { id: "clip-0001", status: "SUCCEEDED", output: ["https://assets.example.com/video-provider/motion4_turbo/clip.mp4"], last_frame_url: "https://assets.example.com/video-provider/motion4_turbo/last.png", failure: null } };

export const inputJsonSchema = {"type":"object","properties":{"mode":{"enum":["generate"],"description":"Always `generate`."},"prompt_text":{"type":["string","null"],"maxLength":1000},"prompt_image":{"type":"string","format":"uri"},"ratio":{"type":"string","enum":["1280:720","720:1280","960:960"],"default":"1280:720"},"duration":{"type":"integer","enum":[5,10],"default":5},"focus":{"type":"array","minItems":2,"prefixItems":[{"type":"number","minimum":0,"maximum":1},{"type":"number","minimum":0,"maximum":1}],"items":false,"description":"Where to look, from the upper left corner."},"keyframes":{"type":"array","maxItems":8,"items":{"type":"array","minItems":2,"prefixItems":[{"type":"number","minimum":0},{"$ref":"#/$defs/Frame"},{"type":["string","null"]}]}},"moderation":{"type":"object","properties":{"public_figures":{"type":"string","enum":["auto","low"],"default":"auto"}},"additionalProperties":false}},"required":["mode"],"examples":[{"mode":"generate","prompt_text":"Rain begins to fall on a tin roof.","duration":5,"focus":[0.5,0.25],"keyframes":[[0,{"url":"https://assets.example.com/samples/roof.png"}],[5,{"url":"https://assets.example.com/samples/rain.png"},"slow"]]}],"$defs":{"Frame":{"type":"object","properties":{"url":{"type":"string","format":"uri"},"strength":{"type":"number","minimum":0,"maximum":1,"default":1}},"additionalProperties":false,"required":["url"]}}};
export const inputSchema = /* @__PURE__ */ standardSchema(input, inputJsonSchema);
export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
