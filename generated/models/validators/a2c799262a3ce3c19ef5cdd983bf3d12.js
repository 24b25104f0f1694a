/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Generated from the schema; do not edit.
 */
import { createValidator } from '../validation/validator.js';

export const validator = /* @__PURE__ */ createValidator({"type":"object"});
