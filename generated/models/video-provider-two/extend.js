/**
 * Model video-provider-two/extend. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:1e85be0ca724a8b26a34f4787cfa2551328a61ba032973f5e72f2fc8666c4047, entity tag "1e85be0ca724a8b26a34f4787cfa2551328a61ba032973f5e72f2fc8666c4047"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/846d66f08242d7d3c5360eace05ab4de.js";

export const model = {
  id: "video-provider-two/extend",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "video-provider-two", alternates: [{ provider: "video-provider", modelId: "video-provider/motion4_turbo" }] },
  chargesOnPolicyRejection: "no",
  schemaDigest: "sha256:1e85be0ca724a8b26a34f4787cfa2551328a61ba032973f5e72f2fc8666c4047",
  validateInput,
};

export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
