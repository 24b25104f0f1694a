/**
 * Model image-video-provider/draw-1. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:2e43f3490e2a23d8e57cbf3557be119becb0d1d773791cbffbcc7227701b1871, entity tag "2e43f3490e2a23d8e57cbf3557be119becb0d1d773791cbffbcc7227701b1871"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/4bd5ee39a31fe6eaae23a6d8a32de819.js";

export const model = {
  id: "image-video-provider/draw-1",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "image-video-provider", alternates: [{ provider: "image-provider", modelId: "image-provider/still-2.1" }] },
  chargesOnPolicyRejection: "yes",
  schemaDigest: "sha256:2e43f3490e2a23d8e57cbf3557be119becb0d1d773791cbffbcc7227701b1871",
  validateInput,
};

export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
