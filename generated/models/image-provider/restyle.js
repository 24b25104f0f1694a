/**
 * Model image-provider/restyle. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:284fc3f510772cc1b0259aae55bb0fe77f025871885ee88ca7a46ff13b163341, entity tag "284fc3f510772cc1b0259aae55bb0fe77f025871885ee88ca7a46ff13b163341"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/ded10290cb82f9605dc68a31f2d99125.js";

export const model = {
  id: "image-provider/restyle",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "image-provider", alternates: [] },
  chargesOnPolicyRejection: "no",
  schemaDigest: "sha256:284fc3f510772cc1b0259aae55bb0fe77f025871885ee88ca7a46ff13b163341",
  validateInput,
};

export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
