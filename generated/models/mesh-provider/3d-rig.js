/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model mesh-provider/3d-rig. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:5dcf79c5077492c92af0550b7fdf2209cca8e52b55cf71800a08432874a90cd9, entity tag "5dcf79c5077492c92af0550b7fdf2209cca8e52b55cf71800a08432874a90cd9"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/478a0ed7fc70493d206e736192cf0878.js";
import { standardSchema } from '../validation/standard-schema.js';

export const model = {
  id: "mesh-provider/3d-rig",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "mesh-provider", alternates: [] },
  chargesOnPolicyRejection: "no",
  schemaDigest: "sha256:5dcf79c5077492c92af0550b7fdf2209cca8e52b55cf71800a08432874a90cd9",
};
export { model as modelOf3dRig };

export const details = { title: "mesh-provider/3d-rig", description: "Puts a skeleton into a body.", inputModalities: ["3d"], outputModalities: ["3d"], exampleInput: { model_url: "https://assets.example.com/samples/body.glb", height_meters: 1.7, bones: { left_arm: { length: 0.6 } } }, exampleOutput: { model_glb: { url: "https://assets.example.com/mesh-provider/3d-rig/rigged.glb", file_name: "rigged.glb" }, animations: { walk: { url: "https://assets.example.com/mesh-provider/3d-rig/walk.glb" } } } };

export const inputJsonSchema = {"type":"object","properties":{"model_url":{"type":"string","format":"uri"},"input_task_id":{"type":"string","format":"uuid4"},"texture_url":{"type":"string","format":"uri"},"height_meters":{"type":"number","exclusiveMinimum":0,"maximum":10,"default":1.7},"bones":{"type":"object","additionalProperties":{"type":"object","properties":{"length":{"type":"number","minimum":0}},"additionalProperties":false,"required":["length"]}}}};
export const inputSchema = /* @__PURE__ */ standardSchema(input, inputJsonSchema);
export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
