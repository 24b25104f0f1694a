/**
 * Model mesh-provider/3d-rig. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:5dcf79c5077492c92af0550b7fdf2209cca8e52b55cf71800a08432874a90cd9, entity tag "5dcf79c5077492c92af0550b7fdf2209cca8e52b55cf71800a08432874a90cd9"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/2e1bb66270d2fbc5a51cbeac7b188494.js";

export const model = {
  id: "mesh-provider/3d-rig",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "mesh-provider", alternates: [] },
  chargesOnPolicyRejection: "no",
  schemaDigest: "sha256:5dcf79c5077492c92af0550b7fdf2209cca8e52b55cf71800a08432874a90cd9",
  validateInput,
};

export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
