/**
 * Model text-provider/outline. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:cba51bfe32e74cc084be5474a53f6757b3eefe85ab4492e8e5ed38e5d0b6ad38, entity tag "cba51bfe32e74cc084be5474a53f6757b3eefe85ab4492e8e5ed38e5d0b6ad38"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/0cbd5ac6651fb0cbd22f44a2a714794e.js";

export const model = {
  id: "text-provider/outline",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "text-provider", alternates: [] },
  chargesOnPolicyRejection: "no",
  schemaDigest: "sha256:cba51bfe32e74cc084be5474a53f6757b3eefe85ab4492e8e5ed38e5d0b6ad38",
  validateInput,
};

export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
