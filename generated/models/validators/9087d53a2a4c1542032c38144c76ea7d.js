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

export const validator = /* @__PURE__ */ createValidator({"type":"object","properties":{"text":{"type":"string","minLength":1,"maxLength":5000},"voice":{"type":"string","pattern":"^[a-z][a-z0-9-]*$"},"language_code":{"anyOf":[{"type":"string","minLength":2,"maxLength":5},{"type":"null"}]},"speed":{"type":"number","minimum":0.5,"maximum":2},"voice_settings":{"anyOf":[{"type":"object","properties":{"stability":{"anyOf":[{"type":"number","minimum":0,"maximum":1},{"type":"null"}]},"similarity":{"anyOf":[{"type":"number","minimum":0,"maximum":1},{"type":"null"}]}}},{"type":"null"}]}},"required":["text"]}, linearPattern);
