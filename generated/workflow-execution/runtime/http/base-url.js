/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
export const httpUrlPattern = /^https?:\/\/[^/@]+(\/|$)/i;
const httpUrlParts = /^(https?:)\/\/([^/?#@\\]*@)?([^\s/?#@\\:[\]]+|\[[\da-f:.]+\])(?::(\d{1,5}))?(\/[^?#]*)?(\?[^#]*)?(?:#.*)?$/is;
/**
 * Splits an http or https URL, or a path on the origin of `base`. Returns an empty object for other texts. Doesn't use the
 * platform's `URL`, because that of React Native appends slashes and lacks members.
 */
export function parseUrl(url, base = '') {
    const baseOrigin = base === '' ? '' : (parseUrl(base).origin ?? '');
    const text = url.trim();
    const isPath = text.startsWith('/');
    const start = !isPath ? '' : text.startsWith('//') ? baseOrigin.replace(/\/\/.*/, '') : baseOrigin;
    const [, scheme = '', userName = '', host = '', port = '', pathname = '', search = ''] = httpUrlParts.exec(start + text) ?? [];
    if (host === '')
        return {};
    const isDefaultPort = port === '' || Number(port) === (/^https/i.test(scheme) ? 443 : 80);
    const origin = `${scheme}//${host}${isDefaultPort ? '' : `:${Number(port)}`}`.toLowerCase();
    return {
        href: `${scheme}//${userName}${host}${port && `:${port}`}${pathname}${search}`,
        origin,
        pathname,
        search,
        hasUserName: userName !== '',
    };
}
/** Decodes a path for a comparison, because servers differ in which characters they escape. */
export function decodePath(path) {
    try {
        return decodeURIComponent(path);
    }
    catch {
        return path;
    }
}
/** Returns the origin of a URL that requests are sent to. `what`: name of the URL in errors. */
export function readOrigin(url, what) {
    const { href = '', origin = '' } = parseUrl(url);
    if (httpUrlPattern.test(href))
        return origin;
    throw new TypeError(`${what} must be an absolute http or https URL without a user name`);
}
/** Returns the URL that paths are appended to. `added`: the prefix of all paths. `what`: name of the URL in errors. */
export function readBaseUrl(url, added, what) {
    readOrigin(url, what);
    const baseUrl = url.trim().replace(/\/+$/, '');
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
