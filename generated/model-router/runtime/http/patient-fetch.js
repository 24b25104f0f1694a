/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { readProcess } from './base-url.js';
/**
 * Creates a `fetch` without Node's timeouts of five minutes for headers and for parts of a body, since the router may hold a run for ten.
 * On platforms other than Node it is the plain `fetch`.
 */
export function createPatientFetch() {
    // Node keeps the dispatcher of its `fetch` here. A package may have added one of another version, which doesn't fit this `fetch`.
    const generation = Number.parseInt(readProcess()?.versions?.['undici'] ?? '', 10) >= 8 ? 2 : 1;
    const place = Symbol.for(`undici.globalDispatcher.${generation}`);
    let known;
    let dispatcher;
    return (url, init) => {
        // Reading `Headers` makes Node create its dispatcher, also for the first call of a program.
        const current = globalThis.Headers && Reflect.get(globalThis, place);
        if (current !== known)
            dispatcher = current && withoutLimits(current); // the program may replace it
        known = current;
        const options = { ...init, ...(dispatcher && { dispatcher }) }; // an option of Node
        return globalThis.fetch(url, options);
    };
}
/**
 * Sets the timeouts of each request. A dispatcher of our own would lose the program's proxy, certificates and interceptors: a test would
 * call the real service instead of its mock, and pay for it.
 */
function withoutLimits(current) {
    // Keep a `bodyTimeout` that the program has set; agents have it under a symbol.
    const place = Object.getOwnPropertySymbols(current).find(({ description }) => description === 'options');
    const { bodyTimeout = 0 } = Object(place && Reflect.get(current, place));
    const dispatch = (options, handler) => current.dispatch({ ...options, headersTimeout: 0, bodyTimeout }, handler);
    return Object.create(current, { dispatch: { value: dispatch } });
}
