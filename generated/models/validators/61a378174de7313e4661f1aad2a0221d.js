/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Generated from the schema; do not edit.
 */
import { createValidator } from '../validation/validator.js';

export const validator = /* @__PURE__ */ createValidator({"$ref":"#/$defs/s0","$defs":{"s0":{"type":"object","properties":{"text":{"type":"string","minLength":1,"maxLength":450},"duration_seconds":{"anyOf":[{"type":"number","format":"double","minimum":0.5,"maximum":30},{"type":"null"}]},"loop":{"type":"boolean"},"format":{"type":"string","enum":["mp3_44100","wav_48000"]}},"required":["text"],"title":"SoundEffectRequest"}},"type":"object"});
