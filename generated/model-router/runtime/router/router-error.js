/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { createErrorClass, hasBrand } from '../http/client-error.js';
export const RouterError = /* @__PURE__ */ createErrorClass('RouterError');
/** True for an error of this client, or of another copy of it. */
export function isRouterError(value) {
    return hasBrand(value, 'RouterError');
}
