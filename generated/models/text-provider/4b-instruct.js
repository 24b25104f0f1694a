/**
 * Model text-provider/4b-instruct. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:aaba7f1c623b89f20255f1ec10cbd21638620a8c3a73c11b419a019b32d40caf, entity tag "aaba7f1c623b89f20255f1ec10cbd21638620a8c3a73c11b419a019b32d40caf"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/74949c3b1c06563208607523f76ca5bb.js";

export const model = {
  id: "text-provider/4b-instruct",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "text-provider", alternates: [] },
  chargesOnPolicyRejection: "unknown",
  schemaDigest: "sha256:aaba7f1c623b89f20255f1ec10cbd21638620a8c3a73c11b419a019b32d40caf",
  validateInput,
};

export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
