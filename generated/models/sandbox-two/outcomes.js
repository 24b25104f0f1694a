/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model sandbox-two/outcomes. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:09ff5c3255ae666dcb10dd17907fa034ef0bf84c17535e179c6fdb42f0e42df4, entity tag "09ff5c3255ae666dcb10dd17907fa034ef0bf84c17535e179c6fdb42f0e42df4"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/7380a54fe3c21df0ebb26dd7abc8429a.js";
import { standardSchema } from '../validation/standard-schema.js';

export const model = {
  id: "sandbox-two/outcomes",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "sandbox-two", alternates: [{ provider: "sandbox", modelId: "sandbox/outcomes" }] },
  chargesOnPolicyRejection: "no",
  schemaDigest: "sha256:09ff5c3255ae666dcb10dd17907fa034ef0bf84c17535e179c6fdb42f0e42df4",
};
export { model as outcomes };

export const details = { title: "sandbox-two/outcomes", description: "An alternate provider of sandbox/outcomes, with an input of its own.", inputModalities: ["text"], outputModalities: ["text"], exampleInput: { alternate_outcome: "succeed", prompt: "A lighthouse in fog" }, exampleOutput: { outcome: "succeed", served_by: "sandbox-two", received: { provider: "sandbox-two", model: "sandbox-two/outcomes", bytes: 2, sha256: "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a" }, engine: "second" } };

export const inputJsonSchema = {"type":"object","properties":{"alternate_outcome":{"$ref":"#/$defs/AlternateOutcome"},"delay_ms":{"type":"integer","minimum":0,"maximum":60000,"default":0},"prompt":{"type":"string","maxLength":200}},"additionalProperties":false,"description":"The alternate of sandbox/outcomes. Every member is optional.","$defs":{"AlternateOutcome":{"type":"string","enum":["succeed","echo","odd_output","content_policy_violation","provider_error","uninterpretable","provider_timeout","refused_request"],"description":"What the alternate provider does when it is asked; odd_output: its result cannot be converted back.","default":"succeed"}}};
export const inputSchema = /* @__PURE__ */ standardSchema(input, inputJsonSchema);
export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
