/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Generated from the schema; do not edit.
 */
import { createValidator } from '../validation/validator.js';

export const validator = /* @__PURE__ */ createValidator({"$ref":"#/$defs/s0","$defs":{"s0":{"type":"object","properties":{"prompt":{"type":"string","minLength":3,"maxLength":1500},"camera":{"$ref":"#/$defs/s1"},"duration":{"type":"integer","minimum":2,"maximum":12},"fps":{"type":"integer","enum":[24,30]}},"additionalProperties":false,"required":["prompt"],"title":"MotionRequest"},"s1":{"anyOf":[{"$ref":"#/$defs/s2"},{"$ref":"#/$defs/s3"},{"$ref":"#/$defs/s4"}],"title":"Camera"},"s2":{"type":"object","properties":{"type":{"type":"string","enum":["fixed"]}},"additionalProperties":false,"required":["type"],"title":"FixedCamera"},"s3":{"type":"object","properties":{"type":{"type":"string","enum":["pan","tilt","zoom"]},"speed":{"type":"number","minimum":-1,"maximum":1}},"additionalProperties":false,"required":["type"],"title":"PresetCamera"},"s4":{"type":"object","properties":{"type":{"type":"string","enum":["path"]},"points":{"type":"array","minItems":2,"items":{"$ref":"#/$defs/s5"}}},"additionalProperties":false,"required":["type","points"],"title":"PathCamera"},"s5":{"type":"object","properties":{"x":{"type":"number"},"y":{"type":"number"},"z":{"type":"number"}},"required":["x","y","z"],"title":"Point"}},"type":"object"});
