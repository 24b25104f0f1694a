/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Generated from the schema; do not edit.
 */
import { createValidator } from '../validation/validator.js';

export const validator = /* @__PURE__ */ createValidator({"$ref":"#/$defs/s0","$defs":{"s0":{"type":"object","properties":{"alternate_outcome":{"$ref":"#/$defs/s1"},"delay_ms":{"type":"integer","minimum":0,"maximum":60000},"prompt":{"type":"string","maxLength":200}},"additionalProperties":false,"title":"OutcomeInput"},"s1":{"type":"string","enum":["succeed","echo","odd_output","content_policy_violation","provider_error","uninterpretable","provider_timeout","refused_request"],"title":"AlternateOutcome"}},"type":"object"});
