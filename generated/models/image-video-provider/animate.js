/**
 * Model image-video-provider/animate. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:0f3123c86cb9367c8faaa4b1b564167f3f51e23da18ee8c842b383364642f705, entity tag "0f3123c86cb9367c8faaa4b1b564167f3f51e23da18ee8c842b383364642f705"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/98c743ceeee63d3c13219aa1f93a3761.js";

export const model = {
  id: "image-video-provider/animate",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "image-video-provider", alternates: [] },
  chargesOnPolicyRejection: "yes",
  schemaDigest: "sha256:0f3123c86cb9367c8faaa4b1b564167f3f51e23da18ee8c842b383364642f705",
  validateInput,
};

export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
