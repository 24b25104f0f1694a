/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { createErrorClass, hasBrand, settle } from '../http/client-error.js';
export const RouterError = /* @__PURE__ */ createErrorClass('RouterError');
/** True for an error of this client, or of another copy of it. */
export function isRouterError(value) {
    return hasBrand(value, 'RouterError');
}
/**
 * Returns the error of a call as a value: `const outcome = await safe(router.run(model, input))` is `{ ok: true,
 * …result }` or `{ ok: false, error }`. Rejects for any other error, which is a bug in the program.
 */
export const safe = (call) => settle(call, isRouterError);
