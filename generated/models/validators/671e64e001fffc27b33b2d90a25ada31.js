/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Made from the schema alone; edits are lost.
 */
import { linearPattern } from '../validation/linear-pattern.js';
import { createValidator } from '../validation/validator.js';

export const validator = /* @__PURE__ */ createValidator({"$ref":"#/$defs/s0","$defs":{"s0":{"type":"object","properties":{"outcome":{"type":"string","enum":["succeed","echo","content_policy_violation","provider_error","uninterpretable","provider_timeout","deadline_exceeded","refused_input","refused_request","proxy_answer","internal_error","service_unavailable"]},"delay_ms":{"type":"integer","minimum":0,"maximum":3600000},"size_bytes":{"type":"integer","minimum":0,"maximum":16777216},"upstream_status":{"type":"integer","minimum":200,"maximum":599},"credits_used":{"type":"integer","minimum":0,"maximum":1000000},"media_type":{"type":"string","pattern":"^[a-z]+/[a-z0-9][a-z0-9.+-]*$","maxLength":80},"entries":{"type":"array","maxItems":100,"items":{"$ref":"#/$defs/s1"}},"collectable":{"type":"boolean"},"proxy_body":{"type":"string","enum":["html","truncated_json","plain_text"]},"proxy_status":{"type":"integer","enum":[200,429,500,502,503,504]},"assets":{"type":"array","maxItems":16,"items":{"$ref":"#/$defs/s2"}},"alternate_outcome":{"$ref":"#/$defs/s3"},"prompt":{"type":"string","maxLength":4000},"note":{"type":"string","maxLength":4000}},"additionalProperties":false},"s1":{"type":"object","properties":{"loc":{"type":"array","items":{"type":["string","integer"]}},"msg":{"type":"string"},"type":{"type":"string"},"ctx":{"type":"object"},"input":true},"additionalProperties":false,"required":["loc","msg","type"]},"s2":{"type":"object","properties":{"hosting":{"type":"string","enum":["hosted_24h","hosted_12h","failed_copy","provider","inline","direct_write","inline_video"]},"media_type":{"type":"string","enum":["image/png","image/jpeg","image/webp","video/mp4","audio/wav","model/gltf-binary","application/octet-stream"]}},"additionalProperties":false,"required":["hosting"]},"s3":{"type":"string","enum":["succeed","echo","odd_output","content_policy_violation","provider_error","uninterpretable","provider_timeout","refused_request"]}},"type":"object"}, linearPattern);
