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

import { validator as input } from "../validators/63e238880ed42b5a98ab0588c9829b18.js";
import { standardSchema } from '../validation/standard-schema.js';

export const model = {
  id: "text-provider/4b-instruct",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "text-provider", alternates: [] },
  chargesOnPolicyRejection: "unknown",
  schemaDigest: "sha256:aaba7f1c623b89f20255f1ec10cbd21638620a8c3a73c11b419a019b32d40caf",
};
export { model as modelOf4bInstruct };

export const details = { title: "text-provider/4b-instruct", description: "A small model that follows instructions.", inputModalities: ["text", "image"], outputModalities: ["text"], exampleInput: { messages: [{ role: "system", content: "Answer in one word." }, { role: "user", content: [{ type: "text", text: "Which colour is this?" }, { type: "image", url: "https://assets.example.com/samples/door.png" }] }], stop: "\n", tools: [{ name: "paint", parameters: { type: "object", properties: { shade: { type: "string" } }, required: ["shade"] } }], logit_bias: { "42": -1.5 } }, exampleOutput: { id: "c-1", model: "4b-instruct", choices: [{ index: 0, message: { role: "assistant", content: "Green", tool_calls: [] }, finish_reason: "stop" }], usage: { input_tokens: 31, output_tokens: 1 } } };

export const inputJsonSchema = {"type":"object","properties":{"messages":{"type":"array","minItems":1,"items":{"oneOf":[{"$ref":"#/$defs/SystemMessage"},{"$ref":"#/$defs/UserMessage"},{"$ref":"#/$defs/AssistantMessage"}]}},"temperature":{"type":["number","null"],"minimum":0,"maximum":2,"default":1},"max_tokens":{"type":"integer","minimum":1,"maximum":8192},"stop":{"anyOf":[{"type":"string"},{"type":"array","minItems":1,"maxItems":4,"items":{"type":"string"}},{"type":"null"}]},"tools":{"type":"array","uniqueItems":true,"items":{"$ref":"#/$defs/Tool"}},"logit_bias":{"type":"object","additionalProperties":{"type":"number","minimum":-100,"maximum":100}},"stream":{"enum":[false],"deprecated":true},"user":{"$ref":"#/$defs/Name","maxLength":32,"description":"Who asks."}},"required":["messages"],"$defs":{"SystemMessage":{"type":"object","properties":{"role":{"enum":["system"]},"content":{"type":"string"}},"additionalProperties":false,"required":["role","content"]},"UserMessage":{"type":"object","properties":{"role":{"enum":["user"]},"content":{"oneOf":[{"type":"string"},{"type":"array","minItems":1,"items":{"$ref":"#/$defs/Part"}}]},"name":{"$ref":"#/$defs/Name"}},"additionalProperties":false,"required":["role","content"]},"AssistantMessage":{"type":"object","properties":{"role":{"enum":["assistant"]},"content":{"type":["string","null"]},"tool_calls":{"type":"array","items":{"$ref":"#/$defs/ToolCall"}}},"required":["role"]},"Tool":{"type":"object","properties":{"name":{"$ref":"#/$defs/Name"},"description":{"type":"string"},"parameters":{"$ref":"#/$defs/ParameterShape"}},"required":["name","parameters"]},"Name":{"type":"string","minLength":1,"pattern":"^[A-Za-z0-9_-]+$"},"Part":{"oneOf":[{"type":"object","properties":{"type":{"enum":["text"]},"text":{"type":"string"}},"required":["type","text"]},{"type":"object","properties":{"type":{"enum":["image"]},"url":{"type":"string","format":"uri"},"detail":{"enum":["low","high"],"default":"low"}},"required":["type","url"]}]},"ToolCall":{"type":"object","properties":{"name":{"type":"string"},"arguments":{"type":"object","additionalProperties":true}},"required":["name","arguments"]},"ParameterShape":{"type":"object","properties":{"type":{"enum":["object","array","string","number","boolean"]},"properties":{"type":"object","additionalProperties":{"$ref":"#/$defs/ParameterShape"}},"items":{"$ref":"#/$defs/ParameterShape"},"required":{"type":"array","items":{"type":"string"}}},"required":["type"]}}};
export const inputSchema = /* @__PURE__ */ standardSchema(input, inputJsonSchema);
export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
