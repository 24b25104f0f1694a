/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Generated from the schema; do not edit.
 */
import { createValidator } from '../validation/validator.js';

export const validator = /* @__PURE__ */ createValidator({"$ref":"#/$defs/s0","$defs":{"s0":{"type":"object","properties":{"image_url":{"type":"string","format":"uri","minLength":1,"maxLength":2083},"tail_image_url":{"anyOf":[{"type":"string","format":"uri"},{"type":"null"}]},"prompt":{"type":"string","maxLength":2500},"duration":{"type":"string","enum":["5","10"]},"cfg_scale":{"type":"number","minimum":0,"maximum":1}},"required":["image_url","prompt"],"title":"AnimateInput"}},"type":"object"});
