/**
 * Model image-provider/still-2.1. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:e6f191e11831aa3bb895dfdaa9d7f22e3e19871de1a93c5610484bc3c5e7fea8, entity tag "e6f191e11831aa3bb895dfdaa9d7f22e3e19871de1a93c5610484bc3c5e7fea8"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/2c6aa3a01ba79b815275a6ee8fcaee25.js";

export const model = {
  id: "image-provider/still-2.1",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "image-provider", alternates: [{ provider: "image-provider-two", modelId: "image-provider-two/still-pro" }, { provider: "image-video-provider", modelId: "image-video-provider/draw-1" }] },
  chargesOnPolicyRejection: "yes",
  schemaDigest: "sha256:e6f191e11831aa3bb895dfdaa9d7f22e3e19871de1a93c5610484bc3c5e7fea8",
  validateInput,
};

export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
