/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** The `fetch` of one attempt: through every middleware in order. */
export function passThrough(fetch, parts, facts) {
    return parts.reduceRight((next, { middleware }) => {
        if (middleware === undefined)
            return next;
        const resume = ({ url, ...init }) => next(url, init);
        return (url, init) => middleware({ ...init, ...facts, url }, resume); // its client gives the facts that it takes
    }, fetch);
}
/** Calls an observer. One that throws must not cost a billed result, and one that rejects must not end the process. */
export async function notify(observer, event) {
    try {
        await observer?.(event);
    }
    catch {
        // The call goes on.
    }
}
export function notifyAll(parts, name, event) {
    for (const part of parts)
        if (part[name])
            void notify(part[name], event); // its client gives the event that it takes
}
/** The method `use` of a client. */
export const addParts = (parts) => (...added) => {
    for (const part of added)
        parts.push(typeof part === 'function' ? { middleware: part } : part);
};
