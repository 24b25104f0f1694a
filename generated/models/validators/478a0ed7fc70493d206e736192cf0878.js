/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Generated from the schema; do not edit.
 */
import { createValidator } from '../validation/validator.js';

export const validator = /* @__PURE__ */ createValidator({"$ref":"#/$defs/s0","$defs":{"s0":{"type":"object","properties":{"model_url":{"type":"string","format":"uri"},"input_task_id":{"type":"string","format":"uuid4"},"texture_url":{"type":"string","format":"uri"},"height_meters":{"type":"number","exclusiveMinimum":0,"maximum":10},"bones":{"type":"object","additionalProperties":{"type":"object","properties":{"length":{"type":"number","minimum":0}},"additionalProperties":false,"required":["length"]}}},"anyOf":[{"required":["model_url"]},{"required":["input_task_id"]}],"title":"RigInput"}},"type":"object"});
