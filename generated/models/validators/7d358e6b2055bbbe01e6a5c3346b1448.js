/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Generated from the schema; do not edit.
 */
import { linearPattern } from '../validation/linear-pattern.js';
import { createValidator } from '../validation/validator.js';

export const validator = /* @__PURE__ */ createValidator({"$ref":"#/$defs/s0","$defs":{"s0":{"type":"object","properties":{"canvas":{"$ref":"#/$defs/s1"},"layers":{"type":"array","minItems":1,"maxItems":50,"items":{"anyOf":[{"$ref":"#/$defs/s2"},{"$ref":"#/$defs/s3"}]}},"variables":{"type":"object","additionalProperties":{"$ref":"#/$defs/s4"}},"watermark":{"anyOf":[{"allOf":[{"$ref":"#/$defs/s2"}]},{"type":"null"}]}},"required":["canvas","layers"],"title":"Composite.2-Input"},"s1":{"type":"object","properties":{"width":{"type":"integer","minimum":1,"maximum":8192},"height":{"type":"integer","minimum":1,"maximum":8192},"background":{"type":"string","pattern":"^#[0-9a-fA-F]{6}$"}},"additionalProperties":false,"required":["width","height"],"title":"Canvas_0"},"s2":{"type":"object","properties":{"kind":{"type":"string","enum":["picture"]},"source":{"$ref":"#/$defs/s5"},"box":{"type":"array","minItems":2,"maxItems":2,"items":{"type":"array","minItems":2,"maxItems":2,"items":{"type":"number"}}}},"required":["kind","source"],"title":"picture-layer"},"s3":{"type":"object","properties":{"kind":{"type":"string","enum":["caption"]},"words":{"type":"string","minLength":1},"font":{"type":"object","properties":{"family":{"type":"string","enum":["serif","sans","mono"]},"size":{"type":"number","minimum":4,"maximum":400}},"additionalProperties":false}},"required":["kind","words"],"title":"caption-layer"},"s4":{"type":"object","properties":{"text":{"type":"string"},"colour":{"type":"string"}},"required":["text"],"title":"3d.variable"},"s5":{"type":"object","properties":{"url":{"type":"string","format":"uri"}},"required":["url"],"title":"File"}},"type":"object"}, linearPattern);
