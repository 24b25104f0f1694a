/**
 * Model audio-provider/transcribe. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:fc57f1e7441d4985279eb6c2b5398c61acfb051584951aeeae849e4f8510a148, entity tag "fc57f1e7441d4985279eb6c2b5398c61acfb051584951aeeae849e4f8510a148"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/abaa11f841fec7cc163fc6e48a8f32eb.js";

export const model = {
  id: "audio-provider/transcribe",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "audio-provider", alternates: [] },
  chargesOnPolicyRejection: "no",
  schemaDigest: "sha256:fc57f1e7441d4985279eb6c2b5398c61acfb051584951aeeae849e4f8510a148",
  validateInput,
};

export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
