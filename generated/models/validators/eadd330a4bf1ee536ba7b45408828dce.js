/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Generated from the schema; do not edit.
 */
import { createValidator } from '../validation/validator.js';

export const validator = /* @__PURE__ */ createValidator({"type":"object","minProperties":1,"properties":{"video_url":{"type":"string","format":"uri"},"before_seconds":{"type":"integer","minimum":0,"maximum":10},"after_seconds":{"type":"integer","minimum":0,"maximum":10}},"required":["video_url"]});
