/**
 * Model text-provider/embed. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:fcaa51a32e18ec2b1f269843e147710477952f0e2112f56ad5bd631040e84269, entity tag "fcaa51a32e18ec2b1f269843e147710477952f0e2112f56ad5bd631040e84269"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/a1f94d94856365bc72e3edea3ddd597b.js";

export const model = {
  id: "text-provider/embed",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "text-provider", alternates: [] },
  chargesOnPolicyRejection: "no",
  schemaDigest: "sha256:fcaa51a32e18ec2b1f269843e147710477952f0e2112f56ad5bd631040e84269",
  validateInput,
};

export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
