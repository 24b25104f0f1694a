/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model image-provider/still-2.1. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:e6f191e11831aa3bb895dfdaa9d7f22e3e19871de1a93c5610484bc3c5e7fea8, entity tag "e6f191e11831aa3bb895dfdaa9d7f22e3e19871de1a93c5610484bc3c5e7fea8"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/a63a090eff42b02ddc4b40dac71883c6.js";
import { standardSchema } from '../validation/standard-schema.js';

export const model = {
  id: "image-provider/still-2.1",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "image-provider", alternates: [{ provider: "image-provider-two", modelId: "image-provider-two/still-pro" }, { provider: "image-video-provider", modelId: "image-video-provider/draw-1" }] },
  chargesOnPolicyRejection: "yes",
  schemaDigest: "sha256:e6f191e11831aa3bb895dfdaa9d7f22e3e19871de1a93c5610484bc3c5e7fea8",
};
export { model as still21 };

export const details = { title: "image-provider/still-2.1", description: "Still images from a text prompt.", inputModalities: ["text"], outputModalities: ["image"], exampleInput: { prompt: "A paper boat on a still lake at dawn.", image_size: { width: 1024, height: 768 }, num_images: 2, seed: null }, exampleOutput: { id: "5d0d8a5e-3a52-4f37-9a37-0f0c5d0b3c11", images: [{ url: "https://assets.example.com/image-provider/still-2.1/0.png", width: 1024, height: 768, content_type: "image/png" }, { url: "https://assets.example.com/image-provider/still-2.1/1.png", width: 1024, height: 768, content_type: null }], draft_cache: { url: "https://assets.example.com/image-provider/still-2.1/draft.bin" }, seed: 41, timings: { queue: 0.2, render: 3.75 } } };

export const inputJsonSchema = {"type":"object","properties":{"prompt":{"type":"string","minLength":1,"maxLength":4000,"description":"What the picture shows."},"negative_prompt":{"anyOf":[{"type":"string","maxLength":2000},{"type":"null"}],"description":"What the picture must not show."},"image_size":{"oneOf":[{"type":"string","enum":["square","portrait_4_3","landscape_16_9"]},{"$ref":"#/$defs/ExactSize"}],"description":"A named size, or an exact one.","default":"square"},"num_images":{"type":"integer","minimum":1,"maximum":4,"default":1},"guidance_scale":{"type":"number","maximum":20,"exclusiveMinimum":0,"default":3.5},"seed":{"anyOf":[{"type":"integer","format":"int64","minimum":0,"maximum":4294967295},{"type":"null"}]},"output_format":{"type":"string","enum":["jpeg","png","webp"],"default":"png"},"draft":{"type":"boolean","description":"Keep a draft that a later call can refine.","default":false},"sync_mode":{"type":"boolean","description":"Has no effect any more.","default":false,"deprecated":true}},"required":["prompt"],"examples":[{"prompt":"A paper boat on a still lake at dawn.","image_size":{"width":1024,"height":768},"num_images":2,"seed":null}],"$defs":{"ExactSize":{"type":"object","properties":{"width":{"type":"integer","minimum":256,"maximum":4096,"multipleOf":8},"height":{"type":"integer","minimum":256,"maximum":4096,"multipleOf":8}},"additionalProperties":false,"required":["width","height"]}}};
export const inputSchema = /* @__PURE__ */ standardSchema(input, inputJsonSchema);
export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
