/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Generated from the schema; do not edit.
 */
import { createValidator } from '../validation/validator.js';

export const validator = /* @__PURE__ */ createValidator({"type":"object","properties":{"input":{"oneOf":[{"type":"string","minLength":1},{"type":"array","minItems":1,"maxItems":64,"items":{"type":"string","minLength":1}}]},"dimensions":{"enum":[256,512,1024]},"encoding":{"enum":["float","base64"]}},"additionalProperties":false,"required":["input"]});
