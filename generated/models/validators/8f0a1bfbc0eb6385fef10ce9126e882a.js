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

export const validator = /* @__PURE__ */ createValidator({ $ref: "#/$defs/s0", $defs: { s0: { type: "object", properties: { default: { type: "string" }, "a/b~c": { type: "string", enum: ["`${owned}`", "*/", "__proto__", "'; owned(); '", "\\", "\n", "\u2028", "</script>", ""] }, "it's \"quoted\"": { type: "integer", minimum: 0 }, "line\nbreak": { type: "array", items: { type: "string" } }, "*/ alert(1) /*": { type: "boolean" }, "${key}": { type: "string", pattern: "^[`$]*/\\*?$" }, "3d": { $ref: "#/$defs/s1" }, constructor: { type: "string" }, toString: { type: "string" }, new: { type: "boolean" }, "ümläut 😀": { type: "string" } }, required: ["default"], title: "class" }, s1: { type: "object", properties: { "x-y": { anyOf: [{ type: "number" }, { type: "null" }] } }, title: "3d" } }, type: "object" }, linearPattern);
