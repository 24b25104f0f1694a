/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
/** Returns the `fetch` of one attempt, which calls all middleware in order. */
export function applyMiddleware(fetch, parts, facts) {
    return parts.reduceRight((next, { middleware }) => {
        if (middleware === undefined)
            return next;
        const resume = ({ url, ...init }) => {
            const sending = next(url, init);
            // A middleware may not await it. Then its rejection, as by the end of the attempt, must not end the process.
            void Promise.resolve(sending).catch(() => undefined);
            return sending;
        };
        return (url, init) => middleware({ ...init, ...facts, url }, resume); // the types of its client fit
    }, fetch);
}
/** Calls an observer. Its errors must not lose a billed result or end the process. */
export async function notify(observer, event) {
    try {
        await observer?.(event);
    }
    catch {
        // Ignored.
    }
}
export function notifyAll(parts, name, event) {
    for (const part of parts)
        if (part[name])
            void notify(part[name], event); // Types match as above.
}
/** Creates the method `use` of a client. */
export const addParts = (parts) => (...added) => {
    for (const part of added)
        parts.push(typeof part === 'function' ? { middleware: part } : part);
};
