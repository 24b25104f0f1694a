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

export const validator = /* @__PURE__ */ createValidator({"$ref":"#/$defs/s0","$defs":{"s0":{"type":"object","properties":{"audio_url":{"type":"string","format":"uri"},"language":{"type":["string","null"],"pattern":"^[a-z]{2}$"},"vocabulary":{"type":"object","maxProperties":100,"additionalProperties":{"type":"number","exclusiveMinimum":0,"maximum":10},"propertyNames":{"pattern":"^\\S+$"}},"speakers":{"anyOf":[{"$ref":"#/$defs/s1"},{"type":"null"}]},"granularity":{"enum":["word","segment"]}},"required":["audio_url"],"unevaluatedProperties":false,"title":"TranscribeInput"},"s1":{"type":"object","properties":{"min":{"type":"integer","minimum":1},"max":{"type":["integer","null"],"minimum":1}},"additionalProperties":false,"title":"SpeakerRange"}},"type":"object"}, linearPattern);
