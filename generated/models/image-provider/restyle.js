/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model image-provider/restyle. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:284fc3f510772cc1b0259aae55bb0fe77f025871885ee88ca7a46ff13b163341, entity tag "284fc3f510772cc1b0259aae55bb0fe77f025871885ee88ca7a46ff13b163341"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/11f3c4066057dea89b8e83234e49be38.js";
import { standardSchema } from '../validation/standard-schema.js';

export const model = {
  id: "image-provider/restyle",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "image-provider", alternates: [] },
  chargesOnPolicyRejection: "no",
  schemaDigest: "sha256:284fc3f510772cc1b0259aae55bb0fe77f025871885ee88ca7a46ff13b163341",
};
export { model as restyle };

export const details = { title: "image-provider/restyle", description: "Redraws a picture in another style.", inputModalities: ["text", "image"], outputModalities: ["image"], exampleInput: { image_url: "https://assets.example.com/samples/harbour.jpg", style: "watercolour", strength: 0.4 }, exampleOutput: { status: "ready", result: { sample: "https://assets.example.com/image-provider/restyle/result.png", seed: 7 } } };

export const inputJsonSchema = {"type":"object","properties":{"image_url":{"type":"string","format":"uri","description":"A picture that is already on the web."},"image_base64":{"type":"string","format":"byte","description":"The picture itself."},"style":{"type":"string","enum":["watercolour","charcoal","pixel","comic"]},"strength":{"type":"number","minimum":0,"maximum":1,"default":0.75},"mask":{"anyOf":[{"type":"object","properties":{"url":{"type":"string","format":"uri"},"invert":{"type":"boolean","default":false}},"additionalProperties":false,"required":["url"]},{"type":"null"}]}},"required":["style"]};
export const inputSchema = /* @__PURE__ */ standardSchema(input, inputJsonSchema);
export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
