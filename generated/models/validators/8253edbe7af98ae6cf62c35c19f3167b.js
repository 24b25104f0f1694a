/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Generated from the schema; do not edit.
 */
import { createValidator } from '../validation/validator.js';

export const validator = /* @__PURE__ */ createValidator({"type":"object","properties":{"instances":{"type":"array","minItems":1,"maxItems":1,"items":{"type":"object","properties":{"prompt":{"type":"string","minLength":1},"image":{"type":"object","properties":{"bytesBase64Encoded":{"type":"string","format":"byte"},"gcsUri":{"type":"string"},"mimeType":{"type":"string","enum":["image/jpeg","image/png"]}},"oneOf":[{"required":["bytesBase64Encoded"]},{"required":["gcsUri"]}]},"lastFrame":{"type":"object","properties":{"bytesBase64Encoded":{"type":"string","format":"byte"},"gcsUri":{"type":"string"},"mimeType":{"type":"string","enum":["image/jpeg","image/png"]}},"oneOf":[{"required":["bytesBase64Encoded"]},{"required":["gcsUri"]}]},"referenceImages":{"type":"array","maxItems":3,"items":{"type":"object","properties":{"image":{"type":"object","properties":{"bytesBase64Encoded":{"type":"string","format":"byte"},"gcsUri":{"type":"string"},"mimeType":{"type":"string","enum":["image/jpeg","image/png"]}},"oneOf":[{"required":["bytesBase64Encoded"]},{"required":["gcsUri"]}]},"referenceType":{"type":"string","enum":["asset","style"]},"referenceId":{"type":"string"}},"required":["image","referenceType"]}}},"required":["prompt"]}},"parameters":{"type":"object","properties":{"aspectRatio":{"type":"string","enum":["16:9","9:16"]},"durationSeconds":{"type":"number","minimum":4,"maximum":8},"sampleCount":{"type":"integer","minimum":1,"maximum":4},"seed":{"type":"integer","format":"uint32","minimum":0},"generateAudio":{"type":"boolean"},"storageUri":{"type":"string"}}}},"required":["instances"]});
