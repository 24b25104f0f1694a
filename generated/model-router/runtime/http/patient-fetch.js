/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { readProcess } from './base-url.js';
/**
 * Returns options of Node's `fetch` that remove its timeouts of five minutes for headers and for parts of a body, since the router may
 * hold a run for ten. Returns no options on other platforms.
 */
export function liftTimeouts() {
    // Node keeps the dispatcher of its `fetch` here. A package may have added one of another version, which doesn't fit this `fetch`.
    const generation = Number.parseInt(readProcess()?.versions?.['undici'] ?? '', 10) >= 8 ? 2 : 1;
    const place = Symbol.for(`undici.globalDispatcher.${generation}`);
    // Reading `Headers` makes Node create its dispatcher, also for the first call of a program.
    const current = globalThis.Headers && Reflect.get(globalThis, place);
    if (current === undefined)
        return {};
    // Keep a `bodyTimeout` that the program has set; agents have it under a symbol.
    const own = Object.getOwnPropertySymbols(current).find(({ description }) => description === 'options');
    const { bodyTimeout = 0 } = Object(own && Reflect.get(current, own));
    // The timeouts are set for each request. A dispatcher of our own would lose the program's proxy, certificates and interceptors: a test
    // would call the real service instead of its mock, and pay for it.
    const dispatch = (options, handler) => current.dispatch({ ...options, headersTimeout: 0, bodyTimeout }, handler);
    return { dispatcher: Object.create(current, { dispatch: { value: dispatch } }) };
}
