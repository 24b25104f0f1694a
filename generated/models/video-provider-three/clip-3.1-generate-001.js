/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model video-provider-three/clip-3.1-generate-001. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:8b1bed34ab31377de0536d03956a9d331170a27302d2b5a396cc5e0d7da6c8fe, entity tag "8b1bed34ab31377de0536d03956a9d331170a27302d2b5a396cc5e0d7da6c8fe"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/8253edbe7af98ae6cf62c35c19f3167b.js";
import { standardSchema } from '../validation/standard-schema.js';

export const model = {
  id: "video-provider-three/clip-3.1-generate-001",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "video-provider-three", alternates: [] },
  chargesOnPolicyRejection: "unknown",
  schemaDigest: "sha256:8b1bed34ab31377de0536d03956a9d331170a27302d2b5a396cc5e0d7da6c8fe",
};
export { model as clip31Generate001 };

export const details = { title: "video-provider-three/clip-3.1-generate-001", description: "Clips whose bytes come inline or as a link.", inputModalities: ["text", "image"], outputModalities: ["video"], exampleInput: { instances: [{ prompt: "A kite over dunes.", image: { bytesBase64Encoded: "aGFyYm91cg==", mimeType: "image/png" } }], parameters: { durationSeconds: 4, sampleCount: 2, generateAudio: false } }, exampleOutput: { name: "operations/clip-17", done: true, response: { "@type": "clip.response", raiMediaFilteredCount: 0, videos: [{ bytesBase64Encoded: "c2FtcGxlIGNsaXA=", mimeType: "video/mp4" }, { gcsUri: "https://assets.example.com/video-provider-three/clip-3.1-generate-001/sample_1.mp4", mimeType: "video/mp4" }] } } };

export const inputJsonSchema = {"type":"object","properties":{"instances":{"type":"array","minItems":1,"maxItems":1,"items":{"type":"object","properties":{"prompt":{"type":"string","minLength":1},"image":{"type":"object","properties":{"bytesBase64Encoded":{"type":"string","format":"byte"},"gcsUri":{"type":"string"},"mimeType":{"type":"string","enum":["image/jpeg","image/png"]}},"oneOf":[{"required":["bytesBase64Encoded"]},{"required":["gcsUri"]}]},"lastFrame":{"type":"object","properties":{"bytesBase64Encoded":{"type":"string","format":"byte"},"gcsUri":{"type":"string"},"mimeType":{"type":"string","enum":["image/jpeg","image/png"]}},"oneOf":[{"required":["bytesBase64Encoded"]},{"required":["gcsUri"]}]},"referenceImages":{"type":"array","maxItems":3,"items":{"type":"object","properties":{"image":{"type":"object","properties":{"bytesBase64Encoded":{"type":"string","format":"byte"},"gcsUri":{"type":"string"},"mimeType":{"type":"string","enum":["image/jpeg","image/png"]}},"oneOf":[{"required":["bytesBase64Encoded"]},{"required":["gcsUri"]}]},"referenceType":{"type":"string","enum":["asset","style"]},"referenceId":{"type":"string"}},"required":["image","referenceType"]}}},"required":["prompt"]}},"parameters":{"type":"object","properties":{"aspectRatio":{"type":"string","enum":["16:9","9:16"],"default":"16:9"},"durationSeconds":{"type":"number","minimum":4,"maximum":8},"sampleCount":{"type":"integer","minimum":1,"maximum":4,"default":1},"seed":{"type":"integer","format":"uint32","minimum":0},"generateAudio":{"type":"boolean"},"storageUri":{"type":"string","description":"Where the provider is to write, in place of inline bytes."}}}},"required":["instances"],"examples":[{"instances":[{"prompt":"A kite over dunes.","image":{"bytesBase64Encoded":"aGFyYm91cg==","mimeType":"image/png"}}],"parameters":{"durationSeconds":4,"sampleCount":2,"generateAudio":false}}]};
export const inputSchema = /* @__PURE__ */ standardSchema(input, inputJsonSchema);
export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
