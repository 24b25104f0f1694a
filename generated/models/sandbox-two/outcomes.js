/**
 * Model sandbox-two/outcomes. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:09ff5c3255ae666dcb10dd17907fa034ef0bf84c17535e179c6fdb42f0e42df4, entity tag "09ff5c3255ae666dcb10dd17907fa034ef0bf84c17535e179c6fdb42f0e42df4"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/0e86161e8f787fc599b2c710fd9be185.js";

export const model = {
  id: "sandbox-two/outcomes",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "sandbox-two", alternates: [{ provider: "sandbox", modelId: "sandbox/outcomes" }] },
  chargesOnPolicyRejection: "no",
  schemaDigest: "sha256:09ff5c3255ae666dcb10dd17907fa034ef0bf84c17535e179c6fdb42f0e42df4",
  validateInput,
};

export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
