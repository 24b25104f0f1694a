/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model sandbox/outcomes. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:f27547358343d3e35387d06f80bb3f299830e193fa716fb3b885a04fa1d2d2c9, entity tag "f27547358343d3e35387d06f80bb3f299830e193fa716fb3b885a04fa1d2d2c9"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/903395887ecb39caf50fb6361c9eefdb.js";
import { standardSchema } from '../validation/standard-schema.js';

export const model = {
  id: "sandbox/outcomes",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json", "*/*"],
  providers: { default: "sandbox", alternates: [{ provider: "sandbox-two", modelId: "sandbox-two/outcomes" }] },
  chargesOnPolicyRejection: "yes",
  schemaDigest: "sha256:f27547358343d3e35387d06f80bb3f299830e193fa716fb3b885a04fa1d2d2c9",
};
export { model as outcomes };

export const details = { title: "sandbox/outcomes", description: "A model of the sandbox whose input selects the outcome.", inputModalities: ["text"], outputModalities: ["text"], exampleInput: { outcome: "echo", prompt: "A lighthouse in fog", delay_ms: 0 }, exampleOutput: { outcome: "succeed", served_by: "sandbox", received: { provider: "sandbox", model: "sandbox/outcomes", bytes: 2, sha256: "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a" } } };

export const inputJsonSchema = {"type":"object","properties":{"outcome":{"type":"string","enum":["succeed","echo","content_policy_violation","provider_error","uninterpretable","provider_timeout","deadline_exceeded","refused_input","refused_request","proxy_answer","internal_error","service_unavailable"],"description":"succeed: A result. The default. echo: A result that repeats the body which reached the provider. content_policy_violation: The provider refuses on content-policy grounds. provider_error: The provider reports a failure of its own. uninterpretable: The provider's answer cannot be turned into a result. provider_timeout: The provider does not answer within its deadline. deadline_exceeded: The router stops holding the call. The accepted work ends delay_ms after dispatch and can be collected with the same key, unless collectable is false. refused_input: The provider finds fields at fault, as entries lists them. refused_request: The provider turns the request down as a whole. proxy_answer: The run succeeds, but a proxy answers the caller in the form that proxy_body names. internal_error: The router fails on the way. service_unavailable: A dependency of the router is unavailable.","default":"succeed"},"delay_ms":{"type":"integer","minimum":0,"maximum":3600000,"description":"How long the provider takes, in milliseconds.","default":0},"size_bytes":{"type":"integer","minimum":0,"maximum":16777216,"description":"Length of the result's padding. A response of more than 1 MiB is too long for an idempotency record, so its key cannot be replayed.","default":0},"upstream_status":{"type":"integer","minimum":200,"maximum":599,"description":"The HTTP status that the provider gives."},"credits_used":{"type":"integer","minimum":0,"maximum":1000000,"description":"Sent in the credits header of a result."},"media_type":{"type":"string","pattern":"^[a-z]+/[a-z0-9][a-z0-9.+-]*$","maxLength":80,"description":"A media type other than JSON: the result is then a file of that type, or plain text."},"entries":{"type":"array","maxItems":100,"items":{"$ref":"#/$defs/Entry"},"description":"With refused_input: the entries of the 422, passed through as they are. Without them one is made up."},"collectable":{"type":"boolean","description":"With deadline_exceeded: whether the router kept a handle to the accepted work.","default":true},"proxy_body":{"type":"string","enum":["html","truncated_json","plain_text"],"description":"With proxy_answer: what the proxy sends.","default":"html"},"proxy_status":{"type":"integer","enum":[200,429,500,502,503,504],"description":"With proxy_answer: the status that the proxy sends.","default":502},"assets":{"type":"array","maxItems":16,"items":{"$ref":"#/$defs/AssetWish"},"description":"Assets that the result holds, in this order."},"alternate_outcome":{"$ref":"#/$defs/AlternateOutcome"},"prompt":{"type":"string","maxLength":4000,"description":"Any text; the alternate takes at most 200 characters."},"note":{"type":"string","maxLength":4000,"description":"Any text; the alternate has no such field."}},"additionalProperties":false,"description":"Selects what becomes of the run. Every member is optional; an empty object succeeds at once.","$defs":{"Entry":{"type":"object","properties":{"loc":{"type":"array","items":{"type":["string","integer"]}},"msg":{"type":"string"},"type":{"type":"string"},"ctx":{"type":"object"},"input":true},"additionalProperties":false,"required":["loc","msg","type"]},"AssetWish":{"type":"object","properties":{"hosting":{"type":"string","enum":["hosted_24h","hosted_12h","failed_copy","provider","inline","direct_write","inline_video"],"description":"hosted_24h, hosted_12h: copied to service storage. failed_copy: the copy failed, the provider's reference stays. provider: never copied. inline: bytes in the result. direct_write, inline_video: a member of response.videos, as a link or as bytes. A result with a provider's reference cannot be replayed from a record."},"media_type":{"type":"string","enum":["image/png","image/jpeg","image/webp","video/mp4","audio/wav","model/gltf-binary","application/octet-stream"],"default":"image/png"}},"additionalProperties":false,"required":["hosting"]},"AlternateOutcome":{"type":"string","enum":["succeed","echo","odd_output","content_policy_violation","provider_error","uninterpretable","provider_timeout","refused_request"],"description":"What the alternate provider does when it is asked; odd_output: its result cannot be converted back.","default":"succeed"}}};
export const inputSchema = /* @__PURE__ */ standardSchema(input, inputJsonSchema);
export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
