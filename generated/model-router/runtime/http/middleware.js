/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** The `fetch` of one attempt: through every middleware in order. */
export function passThrough(facts, { fetch, middleware }) {
    const next = (index) => ({ url, ...init }) => {
        const request = { url, ...init }; // the same again
        return middleware[index]?.(request, next(index + 1)) ?? fetch(url, request);
    };
    return middleware.length === 0 ? fetch : (url, init) => next(0)({ ...init, ...facts, url });
}
/** The method `use` of a client. */
export function takeParts(to) {
    return (...parts) => {
        for (const part of parts) {
            const { middleware } = typeof part === 'function' ? { middleware: part } : part;
            if (middleware !== undefined)
                to.middleware.push(middleware);
            if (typeof part === 'object')
                to.observers.push(part);
        }
    };
}
