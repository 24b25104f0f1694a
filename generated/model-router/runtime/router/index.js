/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
export { createModelRouterFor } from './create-router.js';
export { createMemoryKeyStore, } from './key-store.js';
export { knownCategories } from './response-facts.js';
export { fieldErrors, isRouterError, RouterError, safe, } from './router-error.js';
