/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model audio-provider/speech_v2. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:3231db9fda330e15728219af48446bcd9e96f9a1894e97d80869eeb646b607bc, entity tag "3231db9fda330e15728219af48446bcd9e96f9a1894e97d80869eeb646b607bc"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/9087d53a2a4c1542032c38144c76ea7d.js";
import { standardSchema } from '../validation/standard-schema.js';

export const model = {
  id: "audio-provider/speech_v2",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["*/*"],
  providers: { default: "audio-provider", alternates: [] },
  chargesOnPolicyRejection: "no",
  schemaDigest: "sha256:3231db9fda330e15728219af48446bcd9e96f9a1894e97d80869eeb646b607bc",
};
export { model as speechV2 };

export const details = { title: "audio-provider/speech_v2", description: "Reads a text aloud.", inputModalities: ["text"], outputModalities: ["audio"], exampleInput: { text: "The ferry leaves at nine.", voice: "alto", voice_settings: null }, exampleOutput: "(binary audio bytes)" };

export const inputJsonSchema = {"type":"object","properties":{"text":{"type":"string","minLength":1,"maxLength":5000},"voice":{"type":"string","pattern":"^[a-z][a-z0-9-]*$","default":"alto"},"language_code":{"anyOf":[{"type":"string","minLength":2,"maxLength":5},{"type":"null"}]},"speed":{"type":"number","minimum":0.5,"maximum":2,"default":1},"voice_settings":{"anyOf":[{"type":"object","properties":{"stability":{"anyOf":[{"type":"number","minimum":0,"maximum":1},{"type":"null"}],"default":0.5},"similarity":{"anyOf":[{"type":"number","minimum":0,"maximum":1},{"type":"null"}]}}},{"type":"null"}]}},"required":["text"],"examples":[{"text":"The ferry leaves at nine.","voice":"alto","voice_settings":null}]};
export const inputSchema = /* @__PURE__ */ standardSchema(input, inputJsonSchema);
export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
