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
 * `fetch` without the five minutes that Node waits for a head or a part of a body, since a run may be held for ten.
 * On platforms without Node's dispatcher it is their plain `fetch`.
 */
export function createPatientFetch() {
    // Node keeps the dispatcher of its own `fetch` here, by generation. One of another generation, which a package may have added, does
    // not understand this `fetch`.
    const generation = Number.parseInt(readProcess()?.versions?.['undici'] ?? '', 10) >= 8 ? 2 : 1;
    const place = Symbol.for(`undici.globalDispatcher.${generation}`);
    let known;
    let dispatcher;
    return (url, init) => {
        // Node makes its dispatcher when the first of these is read, and the first call of a program may be its only one.
        const current = globalThis.Headers && Reflect.get(globalThis, place);
        if (current !== known)
            dispatcher = current && withoutLimits(current); // the program may replace it
        known = current;
        const options = { ...init, ...(dispatcher && { dispatcher }) }; // an option of Node
        return globalThis.fetch(url, options);
    };
}
/**
 * The limits are given with each request. A dispatcher of our own would lose the proxy, the certificates and the
 * interceptors of the program's, and a program under test would reach, and pay, the real service past its mock.
 */
function withoutLimits(current) {
    // The value that the program set for its own dispatcher stays; agents keep it under a symbol.
    const place = Object.getOwnPropertySymbols(current).find(({ description }) => description === 'options');
    const { bodyTimeout = 0 } = Object(place && Reflect.get(current, place));
    const dispatch = (options, handler) => current.dispatch({ ...options, headersTimeout: 0, bodyTimeout }, handler);
    return Object.create(current, { dispatch: { value: dispatch } });
}
