/**
 * Model text-provider/awkward-words. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:39fb4cff2270e99874e83c7fc9d6fbe28530ec8026d2eb0f8f9dd2b349c65eeb, entity tag "39fb4cff2270e99874e83c7fc9d6fbe28530ec8026d2eb0f8f9dd2b349c65eeb"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/6d731b4a3aa2712c7f88f064719e8c29.js";

export const model = {
  id: "text-provider/awkward-words",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "text-provider", alternates: [] },
  chargesOnPolicyRejection: "unknown",
  schemaDigest: "sha256:39fb4cff2270e99874e83c7fc9d6fbe28530ec8026d2eb0f8f9dd2b349c65eeb",
  validateInput,
};

export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
