/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/**
 * Where Node keeps the dispatcher of its own `fetch`, by generation. One of another generation, which a package may have
 * put beside it, does not understand this `fetch`.
 */
function placeOfDispatcher() {
    const { process } = globalThis; // absent in browsers
    const generation = Number.parseInt(process?.versions?.undici ?? '', 10) >= 8 ? 2 : 1;
    return Symbol.for(`undici.globalDispatcher.${generation}`);
}
/**
 * `fetch` without the five minutes that Node waits for a head or a part of a body, since a run may be held for ten.
 * On platforms without Node's dispatcher it is their plain `fetch`.
 */
export function createPatientFetch() {
    const place = placeOfDispatcher();
    let known;
    let dispatcher;
    return (url, init) => {
        // Node makes its dispatcher when the first of these is asked for, and the first call of a program may be its only one.
        const current = globalThis.Headers && globalThis[place];
        if (current !== known)
            dispatcher = current && withoutLimits(current); // the program may replace it
        known = current;
        return globalThis.fetch(url, { ...init, ...(dispatcher && { dispatcher }) }); // Node's own option
    };
}
/**
 * The limits are given with each request. A dispatcher of our own would lose the proxy, the certificates and the
 * interceptors of the program's, and a program under test would reach, and pay, the real service past its mock.
 */
function withoutLimits(current) {
    const bodyTimeout = readBodyTimeout(current);
    const dispatch = (options, handler) => current.dispatch({ ...options, headersTimeout: 0, bodyTimeout }, handler);
    return Object.create(current, { dispatch: { value: dispatch } });
}
/** What the program set for its own dispatcher stays; agents keep it under a symbol. */
function readBodyTimeout(dispatcher) {
    const place = Object.getOwnPropertySymbols(dispatcher).find(({ description }) => description === 'options');
    const options = place && dispatcher[place];
    return options?.bodyTimeout ?? 0;
}
