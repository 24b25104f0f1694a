/**
 * Model sandbox/outcomes. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:f27547358343d3e35387d06f80bb3f299830e193fa716fb3b885a04fa1d2d2c9, entity tag "f27547358343d3e35387d06f80bb3f299830e193fa716fb3b885a04fa1d2d2c9"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/671e64e001fffc27b33b2d90a25ada31.js";

export const model = {
  id: "sandbox/outcomes",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json", "*/*"],
  providers: { default: "sandbox", alternates: [{ provider: "sandbox-two", modelId: "sandbox-two/outcomes" }] },
  chargesOnPolicyRejection: "yes",
  schemaDigest: "sha256:f27547358343d3e35387d06f80bb3f299830e193fa716fb3b885a04fa1d2d2c9",
  validateInput,
};

export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
