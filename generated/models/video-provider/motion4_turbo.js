/**
 * Model video-provider/motion4_turbo. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:9091468f659ada88c9fe962be98e0308b1822f17b78de80528c9357c23849439, entity tag "9091468f659ada88c9fe962be98e0308b1822f17b78de80528c9357c23849439"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/6bfc2d2908ec7a652c72a27fe86d15fb.js";

export const model = {
  id: "video-provider/motion4_turbo",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "video-provider", alternates: [{ provider: "video-provider-two", modelId: "video-provider-two/extend" }] },
  chargesOnPolicyRejection: "yes",
  schemaDigest: "sha256:9091468f659ada88c9fe962be98e0308b1822f17b78de80528c9357c23849439",
  validateInput,
};

export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
