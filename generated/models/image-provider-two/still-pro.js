/**
 * Model image-provider-two/still-pro. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:653d1ccd0c098d9598bd42969b06ac555d9d0c0962eed9d8598028135914d435, entity tag "653d1ccd0c098d9598bd42969b06ac555d9d0c0962eed9d8598028135914d435"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/5265332b7130de0192121cd4b75cd13a.js";

export const model = {
  id: "image-provider-two/still-pro",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "image-provider-two", alternates: [{ provider: "image-provider", modelId: "image-provider/still-2.1" }] },
  chargesOnPolicyRejection: "no",
  schemaDigest: "sha256:653d1ccd0c098d9598bd42969b06ac555d9d0c0962eed9d8598028135914d435",
  validateInput,
};

export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
