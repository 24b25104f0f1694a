/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model audio-provider/transcribe. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:fc57f1e7441d4985279eb6c2b5398c61acfb051584951aeeae849e4f8510a148, entity tag "fc57f1e7441d4985279eb6c2b5398c61acfb051584951aeeae849e4f8510a148"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/f4a9f4087df13758a0b7d877a6012ede.js";
import { standardSchema } from '../validation/standard-schema.js';

export const model = {
  id: "audio-provider/transcribe",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "audio-provider", alternates: [] },
  chargesOnPolicyRejection: "no",
  schemaDigest: "sha256:fc57f1e7441d4985279eb6c2b5398c61acfb051584951aeeae849e4f8510a148",
};
export { model as transcribe };

export const details = { title: "audio-provider/transcribe", description: "Writes down what is said in a recording.", inputModalities: ["audio"], outputModalities: ["text"], exampleInput: { audio_url: "https://assets.example.com/samples/ferry.mp3", language: null, vocabulary: { quay: 2, berth: 1.5 }, speakers: { min: 1, max: null } }, exampleOutput: { text: "The ferry leaves at nine.", language: "en", words: [["The", 0, 0.2], ["ferry", 0.2, 0.7, { speaker: "s1" }]], speakers: { s1: { seconds: 1.9 } }, summary: null } };

export const inputJsonSchema = {"type":"object","properties":{"audio_url":{"type":"string","format":"uri"},"language":{"type":["string","null"],"pattern":"^[a-z]{2}$","default":null},"vocabulary":{"type":"object","maxProperties":100,"additionalProperties":{"type":"number","exclusiveMinimum":0,"maximum":10},"propertyNames":{"pattern":"^\\S+$"}},"speakers":{"anyOf":[{"$ref":"#/$defs/SpeakerRange"},{"type":"null"}]},"granularity":{"enum":["word","segment"],"default":"word"}},"additionalProperties":false,"required":["audio_url"],"$defs":{"SpeakerRange":{"type":"object","properties":{"min":{"type":"integer","minimum":1},"max":{"type":["integer","null"],"minimum":1}},"additionalProperties":false}}};
export const inputSchema = /* @__PURE__ */ standardSchema(input, inputJsonSchema);
export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
