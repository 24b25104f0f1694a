/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model image-provider/composite_layers. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:8a7b1a46364086df6a420e5b88959a31825dce2657993ad2d80dff038d3c7a3f, entity tag "8a7b1a46364086df6a420e5b88959a31825dce2657993ad2d80dff038d3c7a3f"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/62f73bebf13f4c2dca9c140a1efccd98.js";
import { standardSchema } from '../validation/standard-schema.js';

export const model = {
  id: "image-provider/composite_layers",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "image-provider", alternates: [] },
  chargesOnPolicyRejection: "unknown",
  schemaDigest: "sha256:8a7b1a46364086df6a420e5b88959a31825dce2657993ad2d80dff038d3c7a3f",
};
export { model as compositeLayers };

export const details = { title: "image-provider/composite_layers", description: "Lays pictures and text over each other.", inputModalities: ["text", "image"], outputModalities: ["image"], exampleInput: { canvas: { width: 800, height: 600, background: "#ffffff" }, layers: [{ kind: "picture", source: { url: "https://assets.example.com/samples/logo.png" }, box: [[10, 10], [210, 110]] }, { kind: "caption", words: "Open on Sunday", font: { family: "serif", size: 32 } }], variables: { shop: { text: "Corner", colour: "#aa0000" } } }, exampleOutput: { image: { url: "https://assets.example.com/image-provider/composite_layers/out.png" }, layer_errors: { "1": ["font replaced"] } } };

export const inputJsonSchema = {"type":"object","properties":{"canvas":{"$ref":"#/$defs/Canvas_0","description":"The sheet that everything lies on."},"layers":{"type":"array","minItems":1,"maxItems":50,"items":{"oneOf":[{"$ref":"#/$defs/PictureLayer"},{"$ref":"#/$defs/CaptionLayer"}]}},"variables":{"type":"object","additionalProperties":{"$ref":"#/$defs/Part3dVariable"},"description":"Values by name, for captions."},"watermark":{"anyOf":[{"allOf":[{"$ref":"#/$defs/PictureLayer"}]},{"type":"null"}],"description":"Laid over everything else."}},"required":["canvas","layers"],"$defs":{"Canvas_0":{"type":"object","properties":{"width":{"type":"integer","minimum":1,"maximum":8192},"height":{"type":"integer","minimum":1,"maximum":8192},"background":{"type":"string","pattern":"^#[0-9a-fA-F]{6}$","default":"#ffffff"}},"additionalProperties":false,"required":["width","height"]},"PictureLayer":{"type":"object","properties":{"kind":{"type":"string","enum":["picture"]},"source":{"$ref":"#/$defs/File"},"box":{"type":"array","minItems":2,"maxItems":2,"items":{"type":"array","minItems":2,"maxItems":2,"items":{"type":"number"}},"description":"Two corners."}},"required":["kind","source"]},"CaptionLayer":{"type":"object","properties":{"kind":{"type":"string","enum":["caption"]},"words":{"type":"string","minLength":1},"font":{"type":"object","properties":{"family":{"type":"string","enum":["serif","sans","mono"],"default":"sans"},"size":{"type":"number","minimum":4,"maximum":400,"default":16}},"additionalProperties":false}},"required":["kind","words"]},"Part3dVariable":{"type":"object","properties":{"text":{"type":"string"},"colour":{"type":"string"}},"required":["text"]},"File":{"type":"object","properties":{"url":{"type":"string","format":"uri"}},"required":["url"]}}};
export const inputSchema = /* @__PURE__ */ standardSchema(input, inputJsonSchema);
export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
