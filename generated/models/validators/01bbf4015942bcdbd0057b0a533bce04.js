/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Generated from the schema; do not edit.
 */
import { createValidator } from '../validation/validator.js';

export const validator = /* @__PURE__ */ createValidator({"type":"object","properties":{"mode":{"enum":["generate"]},"prompt_text":{"type":["string","null"],"maxLength":1000},"prompt_image":{"type":"string","format":"uri"},"ratio":{"type":"string","enum":["1280:720","720:1280","960:960"]},"duration":{"type":"integer","enum":[5,10]},"focus":{"type":"array","minItems":2,"prefixItems":[{"type":"number","minimum":0,"maximum":1},{"type":"number","minimum":0,"maximum":1}],"items":false},"keyframes":{"type":"array","maxItems":8,"items":{"type":"array","minItems":2,"prefixItems":[{"type":"number","minimum":0},{"$ref":"#/$defs/s0"},{"type":["string","null"]}]}},"moderation":{"type":"object","properties":{"public_figures":{"type":"string","enum":["auto","low"]}},"additionalProperties":false}},"required":["mode"],"anyOf":[{"required":["prompt_text"]},{"required":["prompt_image"]}],"$defs":{"s0":{"type":"object","properties":{"url":{"type":"string","format":"uri"},"strength":{"type":"number","minimum":0,"maximum":1}},"additionalProperties":false,"required":["url"],"title":"Frame"}}});
