/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Generated from the schema; do not edit.
 */
import { createValidator } from '../validation/validator.js';

export const validator = /* @__PURE__ */ createValidator({"type":"object","properties":{"prompt":{"type":"string","minLength":1,"maxLength":4000},"negative_prompt":{"anyOf":[{"type":"string","maxLength":2000},{"type":"null"}]},"image_size":{"oneOf":[{"type":"string","enum":["square","portrait_4_3","landscape_16_9"]},{"$ref":"#/$defs/s0"}]},"num_images":{"type":"integer","minimum":1,"maximum":4},"guidance_scale":{"type":"number","maximum":20,"exclusiveMinimum":0},"seed":{"anyOf":[{"type":"integer","format":"int64","minimum":0,"maximum":4294967295},{"type":"null"}]},"output_format":{"type":"string","enum":["jpeg","png","webp"]},"draft":{"type":"boolean"},"sync_mode":{"type":"boolean"}},"required":["prompt"],"$defs":{"s0":{"type":"object","properties":{"width":{"type":"integer","minimum":256,"maximum":4096,"multipleOf":8},"height":{"type":"integer","minimum":256,"maximum":4096,"multipleOf":8}},"additionalProperties":false,"required":["width","height"],"title":"ExactSize"}}});
