/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model text-provider/4b-instruct. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:aaba7f1c623b89f20255f1ec10cbd21638620a8c3a73c11b419a019b32d40caf, entity tag "aaba7f1c623b89f20255f1ec10cbd21638620a8c3a73c11b419a019b32d40caf"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/74949c3b1c06563208607523f76ca5bb.js";
import { standardSchema } from '../validation/standard-schema.js';

export const model = {
  id: "text-provider/4b-instruct",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "text-provider", alternates: [] },
  chargesOnPolicyRejection: "unknown",
  schemaDigest: "sha256:aaba7f1c623b89f20255f1ec10cbd21638620a8c3a73c11b419a019b32d40caf",
  loadValidator: (file = "../validators/74949c3b1c06563208607523f76ca5bb.js") => import(/* webpackIgnore: true */ /* @vite-ignore */ file),
};
export { model as modelOf4bInstruct };

export const details = { title: "text-provider/4b-instruct", description: "A small model that follows instructions.", inputModalities: ["text", "image"], outputModalities: ["text"], exampleInput: { messages: [{ role: "system", content: "Answer in one word." }, { role: "user", content: [{ type: "text", text: "Which colour is this?" }, { type: "image", url: "https://assets.example.com/samples/door.png" }] }], stop: "\n", tools: [{ name: "paint", parameters: { type: "object", properties: { shade: { type: "string" } }, required: ["shade"] } }], logit_bias: { "42": -1.5 } }, exampleOutput: { id: "c-1", model: "4b-instruct", choices: [{ index: 0, message: { role: "assistant", content: "Green", tool_calls: [] }, finish_reason: "stop" }], usage: { input_tokens: 31, output_tokens: 1 } } };

export const inputSchema = /* @__PURE__ */ standardSchema(input);
export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
