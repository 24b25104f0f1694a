/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Generated from the schema; do not edit.
 */
import { createValidator } from '../validation/validator.js';

export const validator = /* @__PURE__ */ createValidator({"type":"object","properties":{"prompt":{"type":"string","minLength":3,"maxLength":1500},"count":{"type":"integer","minimum":1,"maximum":4}},"additionalProperties":false,"required":["prompt"]});
