/**
 * Model video-provider-three/clip-3.1-generate-001. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:8b1bed34ab31377de0536d03956a9d331170a27302d2b5a396cc5e0d7da6c8fe, entity tag "8b1bed34ab31377de0536d03956a9d331170a27302d2b5a396cc5e0d7da6c8fe"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/8253edbe7af98ae6cf62c35c19f3167b.js";

export const model = {
  id: "video-provider-three/clip-3.1-generate-001",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "video-provider-three", alternates: [] },
  chargesOnPolicyRejection: "unknown",
  schemaDigest: "sha256:8b1bed34ab31377de0536d03956a9d331170a27302d2b5a396cc5e0d7da6c8fe",
  validateInput,
};

export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
