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

import { validator as input } from "../validators/bf8a1bb40da5076f5f5b18c7d9f302ba.js";
import { standardSchema } from '../validation/standard-schema.js';

export const model = {
  id: "image-provider/composite_layers",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "image-provider", alternates: [] },
  chargesOnPolicyRejection: "unknown",
  schemaDigest: "sha256:8a7b1a46364086df6a420e5b88959a31825dce2657993ad2d80dff038d3c7a3f",
  loadValidator: (file = "../validators/bf8a1bb40da5076f5f5b18c7d9f302ba.js") => import(/* webpackIgnore: true */ /* @vite-ignore */ file),
};
export { model as compositeLayers };

export const details = { title: "image-provider/composite_layers", description: "Lays pictures and text over each other.", inputModalities: ["text", "image"], outputModalities: ["image"], exampleInput: { canvas: { width: 800, height: 600, background: "#ffffff" }, layers: [{ kind: "picture", source: { url: "https://assets.example.com/samples/logo.png" }, box: [[10, 10], [210, 110]] }, { kind: "caption", words: "Open on Sunday", font: { family: "serif", size: 32 } }], variables: { shop: { text: "Corner", colour: "#aa0000" } } }, exampleOutput: { image: { url: "https://assets.example.com/image-provider/composite_layers/out.png" }, layer_errors: { "1": ["font replaced"] } } };

export const inputSchema = /* @__PURE__ */ standardSchema(input);
export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
