/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Generated from the schema; do not edit.
 */
import { createValidator } from '../validation/validator.js';

export const validator = /* @__PURE__ */ createValidator({"$ref":"#/$defs/s0","$defs":{"s0":{"type":"object","properties":{"prompt":{"type":"string","minLength":1,"maxLength":2500},"aspect_ratio":{"type":"string","enum":["1:1","4:3","3:4","16:9","9:16"]},"num_images":{"type":"integer","minimum":1,"maximum":8},"seed":{"type":"integer","minimum":0},"style_strength":{"type":"number","minimum":0,"maximum":1},"reference_images":{"type":"array","maxItems":3,"items":{"$ref":"#/$defs/s1"}}},"required":["prompt"],"title":"Still Pro Input"},"s1":{"type":"object","properties":{"image_url":{"type":"string","format":"uri","maxLength":2083},"weight":{"type":"number","exclusiveMinimum":0,"maximum":1}},"required":["image_url"],"title":"Reference"}},"type":"object"});
