/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Generated from the schema; do not edit.
 */
import { createValidator } from '../validation/validator.js';

export const validator = /* @__PURE__ */ createValidator({"$ref":"#/$defs/s0","$defs":{"s0":{"type":"object","properties":{"video":{"oneOf":[{"type":"object","properties":{"id":{"type":"string","minLength":1}},"additionalProperties":false,"required":["id"]},{"type":"object","properties":{"url":{"type":"string","format":"uri"}},"additionalProperties":false,"required":["url"]}]},"prompt":{"type":"string","maxLength":2000},"prompt_image":{"type":"string","format":"uri"},"duration":{"type":"integer","minimum":1,"maximum":10},"motion_mode":{"anyOf":[{"type":"string","enum":["normal","fast",null]},{"type":"null"}]}},"required":["video"],"title":"ExtendRequest"}},"type":"object"});
