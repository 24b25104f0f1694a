/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
export { knownCategories } from './categories.js';
export { createModelRouterFor } from './create-router.js';
export { fieldErrors } from './field-errors.js';
export { createMemoryKeyStore, } from './key-store.js';
export { isRouterError, RouterError, } from './router-error.js';
