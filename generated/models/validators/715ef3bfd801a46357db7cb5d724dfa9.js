/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Generated from the schema; do not edit.
 */
import { createValidator } from '../validation/validator.js';

export const validator = /* @__PURE__ */ createValidator({"$ref":"#/$defs/s0","$defs":{"s0":{"type":"object","properties":{"prompt":{"type":"string","minLength":1},"image_size":{"type":"string","enum":["square","portrait","landscape"]},"num_images":{"type":"integer","minimum":1,"maximum":4},"seed":{"anyOf":[{"type":"integer"},{"type":"null"}]},"loras":{"type":"array","items":{"$ref":"#/$defs/s1"}},"safety":{"anyOf":[{"type":"string","enum":["strict","relaxed",null]},{"type":"null"}]}},"required":["prompt"],"title":"DrawInput"},"s1":{"type":"object","properties":{"path":{"type":"string","minLength":1},"scale":{"type":"number","minimum":0,"maximum":4},"weight_name":{"anyOf":[{"type":"string"},{"type":"null"}]}},"required":["path"],"title":"LoraWeight"}},"type":"object"});
