/**
 * Model video-provider/two-extend. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:0ee2b3156d03587c6b41897ed163d242af136fad28a3c8886ccf669422435844, entity tag "0ee2b3156d03587c6b41897ed163d242af136fad28a3c8886ccf669422435844"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/eadd330a4bf1ee536ba7b45408828dce.js";

export const model = {
  id: "video-provider/two-extend",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "video-provider", alternates: [] },
  chargesOnPolicyRejection: "unknown",
  schemaDigest: "sha256:0ee2b3156d03587c6b41897ed163d242af136fad28a3c8886ccf669422435844",
  validateInput,
};

export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
