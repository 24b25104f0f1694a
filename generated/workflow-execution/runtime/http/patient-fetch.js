/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { readProcess } from './base-url.js';
/** Returns options that remove the five-minute timeouts of Node's `fetch`: the router may hold a run for ten minutes. */
export function removeTimeouts() {
    // Use the dispatcher of Node's own `fetch`: a package may have set one of a different, incompatible version.
    const generation = Number.parseInt(readProcess()?.versions?.['undici'] ?? '', 10) >= 8 ? 2 : 1;
    const place = Symbol.for(`undici.globalDispatcher.${generation}`);
    // Reading `Headers` makes Node create its dispatcher, so that it also exists in the first call of a program.
    const current = globalThis.Headers && Reflect.get(globalThis, place);
    if (current === undefined)
        return {};
    // Keep a `bodyTimeout` that the program has set; agents store it under a symbol.
    const optionsSymbol = Object.getOwnPropertySymbols(current).find(({ description }) => description === 'options');
    const { bodyTimeout = 0 } = Object(optionsSymbol && Reflect.get(current, optionsSymbol));
    // Set the timeouts for each request. Replacing the dispatcher would lose the program's proxy, certificates and
    // interceptors: a test would call the real service instead of its mock, and pay for it.
    const dispatch = (options, handler) => current.dispatch({ ...options, headersTimeout: 0, bodyTimeout }, handler);
    return { dispatcher: Object.create(current, { dispatch: { value: dispatch } }) };
}
