/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model image-video-provider/draw-1. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:2e43f3490e2a23d8e57cbf3557be119becb0d1d773791cbffbcc7227701b1871, entity tag "2e43f3490e2a23d8e57cbf3557be119becb0d1d773791cbffbcc7227701b1871"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/715ef3bfd801a46357db7cb5d724dfa9.js";
import { standardSchema } from '../validation/standard-schema.js';

export const model = {
  id: "image-video-provider/draw-1",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "image-video-provider", alternates: [{ provider: "image-provider", modelId: "image-provider/still-2.1" }] },
  chargesOnPolicyRejection: "yes",
  schemaDigest: "sha256:2e43f3490e2a23d8e57cbf3557be119becb0d1d773791cbffbcc7227701b1871",
};
export { model as draw1 };

export const details = { title: "image-video-provider/draw-1", description: "Batches of pictures.", inputModalities: ["text"], outputModalities: ["image"], exampleInput: { prompt: "Four seasons of one oak tree.", image_size: "landscape", num_images: 4, loras: [{ path: "https://assets.example.com/samples/ink.safetensors" }] }, exampleOutput: { images: ["https://assets.example.com/image-video-provider/draw-1/0.webp", "https://assets.example.com/image-video-provider/draw-1/1.webp", "https://assets.example.com/image-video-provider/draw-1/2.webp", "https://assets.example.com/image-video-provider/draw-1/3.webp"], has_nsfw_concepts: [false, false, false, false], prompt: "Four seasons of one oak tree." } };

export const inputJsonSchema = {"type":"object","properties":{"prompt":{"type":"string","minLength":1},"image_size":{"type":"string","enum":["square","portrait","landscape"],"default":"square"},"num_images":{"type":"integer","minimum":1,"maximum":4,"default":1},"seed":{"anyOf":[{"type":"integer"},{"type":"null"}]},"loras":{"type":"array","items":{"$ref":"#/$defs/LoraWeight"},"default":[]},"safety":{"anyOf":[{"type":"string","enum":["strict","relaxed",null]},{"type":"null"}],"default":null}},"required":["prompt"],"$defs":{"LoraWeight":{"type":"object","properties":{"path":{"type":"string","minLength":1},"scale":{"type":"number","minimum":0,"maximum":4,"default":1},"weight_name":{"anyOf":[{"type":"string"},{"type":"null"}]}},"required":["path"]}}};
export const inputSchema = /* @__PURE__ */ standardSchema(input, inputJsonSchema);
export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
