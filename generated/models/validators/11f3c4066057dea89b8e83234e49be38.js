/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Generated from the schema; do not edit.
 */
import { createValidator } from '../validation/validator.js';

export const validator = /* @__PURE__ */ createValidator({"$ref":"#/$defs/s0","$defs":{"s0":{"type":"object","properties":{"image_url":{"type":"string","format":"uri"},"image_base64":{"type":"string","format":"byte"},"style":{"type":"string","enum":["watercolour","charcoal","pixel","comic"]},"strength":{"type":"number","minimum":0,"maximum":1},"mask":{"anyOf":[{"type":"object","properties":{"url":{"type":"string","format":"uri"},"invert":{"type":"boolean"}},"additionalProperties":false,"required":["url"]},{"type":"null"}]}},"required":["style"],"oneOf":[{"required":["image_url"]},{"required":["image_base64"]}],"title":"RestyleRequest"}},"type":"object"});
