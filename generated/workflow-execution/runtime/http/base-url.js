/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
export const reachable = /^https?:\/\/[^/@]+(\/|$)/i;
export function parseAddress(address, base) {
    try {
        return new URL(address, base);
    }
    catch {
        return {};
    }
}
/** Returns the origin of a URL that requests are sent to. `what`: name of the URL in errors. */
export function readOrigin(address, what) {
    const { href = '', origin = '' } = parseAddress(address);
    if (reachable.test(href))
        return origin;
    throw new TypeError(`${what} must be an absolute http or https URL without a user name`);
}
/** Returns the URL that paths are appended to. `added`: the prefix of all paths. `what`: name of the URL in errors. */
export function readBaseUrl(address, added, what) {
    readOrigin(address, what);
    const baseUrl = address.trim().replace(/\/+$/, '');
    const right = baseUrl.replace(/\/*[?#].*/, '').replace(new RegExp(`${added}/*$`), '');
    if (right === baseUrl)
        return baseUrl;
    throw new TypeError(`${what} ends with ${baseUrl.slice(right.length)}, and ${added} is added to it: use ${right}`);
}
/** True if the text can be a path segment. `.` and `..` would change the path. */
export function isSegment(text) {
    try {
        return !/^\.{0,2}$/.test(text) && encodeURIComponent(text) !== '';
    }
    catch {
        return false; // The text has a lone surrogate.
    }
}
export const readProcess = () => Reflect.get(globalThis, 'process');
/** Returns an environment variable; undefined in browsers, or if it is empty. */
export const readVariable = (name) => readProcess()?.env?.[name] || undefined;
