/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Generated from the schema; do not edit.
 */
import { createValidator } from '../validation/validator.js';

export const validator = /* @__PURE__ */ createValidator({"type":"object","properties":{"text":{"type":"string","minLength":1},"depth":{"type":"integer","minimum":1,"maximum":6},"language":{"anyOf":[{"type":"string"},{"type":"null"}]},"numbered":{"oneOf":[{"type":"boolean"},{"type":"string","enum":["roman","arabic"]}]}},"required":["text"]});
