/**
 * Model audio-provider/speech_v2. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:3231db9fda330e15728219af48446bcd9e96f9a1894e97d80869eeb646b607bc, entity tag "3231db9fda330e15728219af48446bcd9e96f9a1894e97d80869eeb646b607bc"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/9087d53a2a4c1542032c38144c76ea7d.js";

export const model = {
  id: "audio-provider/speech_v2",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["*/*"],
  providers: { default: "audio-provider", alternates: [] },
  chargesOnPolicyRejection: "no",
  schemaDigest: "sha256:3231db9fda330e15728219af48446bcd9e96f9a1894e97d80869eeb646b607bc",
  validateInput,
};

export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
