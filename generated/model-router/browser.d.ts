/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Client and types of the Model Router API. Made by switchyard 0.1.0; edits are lost.
 */

export * from "./runtime/browser/index.js";
