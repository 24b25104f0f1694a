/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model audio-provider/sound-effects. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:83f9bd5ba0ae440efec422ff54a034526b7c77ee827020c1d2ed3e8d8ebff550, entity tag "83f9bd5ba0ae440efec422ff54a034526b7c77ee827020c1d2ed3e8d8ebff550"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/61a378174de7313e4661f1aad2a0221d.js";
import { standardSchema } from '../validation/standard-schema.js';

export const model = {
  id: "audio-provider/sound-effects",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["audio/mpeg", "audio/wav", "application/octet-stream"],
  providers: { default: "audio-provider", alternates: [] },
  chargesOnPolicyRejection: "no",
  schemaDigest: "sha256:83f9bd5ba0ae440efec422ff54a034526b7c77ee827020c1d2ed3e8d8ebff550",
};
export { model as soundEffects };

export const details = { title: "audio-provider/sound-effects", description: "Noises from a description.", inputModalities: ["text"], outputModalities: ["audio"], exampleInput: { text: "A door creaks and falls shut.", duration_seconds: 2.5 }, exampleOutput: "(binary audio bytes)" };

export const inputJsonSchema = {"type":"object","properties":{"text":{"type":"string","minLength":1,"maxLength":450},"duration_seconds":{"anyOf":[{"type":"number","format":"double","minimum":0.5,"maximum":30},{"type":"null"}]},"loop":{"type":"boolean","default":false},"format":{"type":"string","enum":["mp3_44100","wav_48000"],"default":"mp3_44100"}},"required":["text"]};
export const inputSchema = /* @__PURE__ */ standardSchema(input, inputJsonSchema);
export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
