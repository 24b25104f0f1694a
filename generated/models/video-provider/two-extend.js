/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model video-provider/two-extend. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:0ee2b3156d03587c6b41897ed163d242af136fad28a3c8886ccf669422435844, entity tag "0ee2b3156d03587c6b41897ed163d242af136fad28a3c8886ccf669422435844"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/eadd330a4bf1ee536ba7b45408828dce.js";
import { standardSchema } from '../validation/standard-schema.js';

export const model = {
  id: "video-provider/two-extend",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "video-provider", alternates: [] },
  chargesOnPolicyRejection: "unknown",
  schemaDigest: "sha256:0ee2b3156d03587c6b41897ed163d242af136fad28a3c8886ccf669422435844",
};
export { model as twoExtend };

export const details = { title: "video-provider/two-extend", description: "Makes a clip longer, at both ends.", inputModalities: ["video"], outputModalities: ["video"], exampleInput: { video_url: "https://assets.example.com/samples/walk.mp4", before_seconds: 2 }, exampleOutput: { video_url: "https://assets.example.com/video-provider/two-extend/long.mp4", seconds: 14 } };

export const inputJsonSchema = {"type":"object","minProperties":1,"properties":{"video_url":{"type":"string","format":"uri"},"before_seconds":{"type":"integer","minimum":0,"maximum":10,"default":0},"after_seconds":{"type":"integer","minimum":0,"maximum":10,"default":4}},"required":["video_url"],"examples":[{"video_url":"https://assets.example.com/samples/walk.mp4","before_seconds":2}]};
export const inputSchema = /* @__PURE__ */ standardSchema(input, inputJsonSchema);
export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
