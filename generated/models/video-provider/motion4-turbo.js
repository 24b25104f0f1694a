/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model video-provider/motion4-turbo. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:e89f8e5851f0aced559a949e0f7864beaca6bb02d994810e6890ef0990a4f0e8, entity tag "e89f8e5851f0aced559a949e0f7864beaca6bb02d994810e6890ef0990a4f0e8"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/ce8d1a9fbca7ac783a1b34f9643a7f3d.js";
import { standardSchema } from '../validation/standard-schema.js';

export const model = {
  id: "video-provider/motion4-turbo",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "video-provider", alternates: [] },
  chargesOnPolicyRejection: "yes",
  schemaDigest: "sha256:e89f8e5851f0aced559a949e0f7864beaca6bb02d994810e6890ef0990a4f0e8",
};
export { model as motion4Turbo };

export const details = { title: "video-provider/motion4-turbo", description: "The edition before motion4_turbo.", inputModalities: ["text"], outputModalities: ["video"], exampleInput: { prompt: "A slow walk through a birch wood.", camera: { type: "path", points: [{ x: 0, y: 0, z: 0 }, { x: 0, y: 0, z: 4.5 }] }, duration: 8 }, exampleOutput: { task: { id: "t-100", state: "done" }, video: { url: "https://assets.example.com/video-provider/motion4-turbo/clip.mp4", seconds: 8 }, last_frame: { url: "https://assets.example.com/video-provider/motion4-turbo/last.png" } } };

export const inputJsonSchema = {"type":"object","properties":{"prompt":{"type":"string","minLength":3,"maxLength":1500},"camera":{"$ref":"#/$defs/Camera"},"duration":{"type":"integer","minimum":2,"maximum":12,"default":6},"fps":{"type":"integer","enum":[24,30],"default":24}},"additionalProperties":false,"required":["prompt"],"$defs":{"Camera":{"oneOf":[{"$ref":"#/$defs/FixedCamera"},{"$ref":"#/$defs/PresetCamera"},{"$ref":"#/$defs/PathCamera"}]},"FixedCamera":{"type":"object","properties":{"type":{"type":"string","enum":["fixed"]}},"additionalProperties":false,"required":["type"]},"PresetCamera":{"type":"object","properties":{"type":{"type":"string","enum":["pan","tilt","zoom"]},"speed":{"type":"number","minimum":-1,"maximum":1,"default":0}},"additionalProperties":false,"required":["type"]},"PathCamera":{"type":"object","properties":{"type":{"type":"string","enum":["path"]},"points":{"type":"array","minItems":2,"items":{"$ref":"#/$defs/Point"}}},"additionalProperties":false,"required":["type","points"]},"Point":{"type":"object","properties":{"x":{"type":"number"},"y":{"type":"number"},"z":{"type":"number"}},"required":["x","y","z"]}}};
export const inputSchema = /* @__PURE__ */ standardSchema(input, inputJsonSchema);
export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
