/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** Where Node keeps the dispatcher of its own `fetch`, by generation. */
const places = ['undici.globalDispatcher.2', 'undici.globalDispatcher.1'].map((name) => Symbol.for(name));
/**
 * `fetch` without the five minutes that Node waits for a head or a part of a body, since a run may be held for ten.
 * On platforms without Node's dispatcher it is their plain `fetch`.
 */
export function createPatientFetch() {
    let dispatcher;
    return (request) => {
        dispatcher ??= createDispatcher();
        return globalThis.fetch(request, dispatcher === undefined ? undefined : { dispatcher }); // Node's own option
    };
}
function createDispatcher() {
    const globals = globalThis;
    const current = places.map((place) => globals[place]).find((one) => one !== undefined);
    if (current === undefined)
        return undefined;
    try {
        return new current.constructor({ headersTimeout: 0, bodyTimeout: 0 });
    }
    catch {
        // A program may have put another kind of dispatcher there; its own limits hold then.
        return undefined;
    }
}
