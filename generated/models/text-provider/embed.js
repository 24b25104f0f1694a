/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model text-provider/embed. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:fcaa51a32e18ec2b1f269843e147710477952f0e2112f56ad5bd631040e84269, entity tag "fcaa51a32e18ec2b1f269843e147710477952f0e2112f56ad5bd631040e84269"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/a1f94d94856365bc72e3edea3ddd597b.js";
import { standardSchema } from '../validation/standard-schema.js';

export const model = {
  id: "text-provider/embed",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json"],
  providers: { default: "text-provider", alternates: [] },
  chargesOnPolicyRejection: "no",
  schemaDigest: "sha256:fcaa51a32e18ec2b1f269843e147710477952f0e2112f56ad5bd631040e84269",
};
export { model as embed };

export const details = { title: "text-provider/embed", description: "Numbers that stand for the meaning of a text.", inputModalities: ["text"], outputModalities: ["text"], exampleInput: { input: ["quay", "berth"], dimensions: 256 }, exampleOutput: { vectors: [[0.12, -0.5], [0.1, -0.44]], dimensions: 256 } };

export const inputJsonSchema = {"type":"object","properties":{"input":{"oneOf":[{"type":"string","minLength":1},{"type":"array","minItems":1,"maxItems":64,"items":{"type":"string","minLength":1}}]},"dimensions":{"enum":[256,512,1024],"default":512},"encoding":{"enum":["float","base64"],"default":"float"}},"additionalProperties":false,"required":["input"],"examples":[{"input":["quay","berth"],"dimensions":256}]};
export const inputSchema = /* @__PURE__ */ standardSchema(input, inputJsonSchema);
export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
