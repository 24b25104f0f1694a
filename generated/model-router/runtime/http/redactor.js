/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
const replacement = '[redacted]';
/** Shorter secrets would match ordinary text. */
const minSecretLength = 8;
const maxSecrets = 200;
/** Longer texts are redacted completely, because a search would take more than a second. */
const maxTextLength = 1_000_000;
/** Maximum number of nested encodings, such as a percent-encoded JSON string. */
const maxLayers = 2;
/**
 * Returns a function that replaces these secrets in a text, in any letter case. If the text contains an encoded secret,
 * the whole text is replaced. It recognises percent-encoding, JSON and HTML escapes, hex, base64, line wrapping, and
 * any two of these combined. For a secret of 16 or more characters, three quarters of it are enough for a match.
 * Secrets of fewer than 8 characters, and those after the first 200, are not searched for.
 */
export function createRedactor(secrets) {
    const forms = listForms(secrets);
    const shortest = Math.min(...forms.map(({ length }) => length));
    const isIn = (text, layers) => {
        const joined = text.replace(/[\r\n]+[\t ]*/g, '');
        if (joined.length < shortest)
            return false;
        const folded = toLowerAscii(joined);
        if (forms.some((form) => folded.includes(form)))
            return true;
        return layers > 0 && decode(joined, shortest).some((inner) => isIn(inner, layers - 1));
    };
    return (text) => {
        if (text.length < shortest)
            return text;
        if (text.length > maxTextLength)
            return replacement;
        const redacted = replacePlain(text, forms);
        return isIn(redacted, maxLayers) ? replacement : redacted;
    };
}
function listForms(secrets) {
    const all = secrets.slice(0, maxSecrets).flatMap((secret) => {
        // HTML forms encode a space as a plus sign.
        return [secret, toUtf8(secret), secret.replaceAll(' ', '+')].map((form) => toLowerAscii(form.replace(/[\r\n]+[\t ]*/g, '')));
    });
    const wholeForms = [...new Set(all)].filter((form) => form.length >= minSecretLength && !replacement.includes(form));
    // Search for the first and the last three quarters, because a truncated secret still contains one of them.
    return wholeForms.flatMap((form) => {
        const quarter = form.length < 16 ? 0 : Math.floor(form.length / 4);
        return quarter === 0 ? [form] : [form.slice(quarter), form.slice(0, -quarter)];
    });
}
/** Returns the UTF-8 bytes of a text, one character each. Doesn't use `TextEncoder`, which jsdom lacks. */
export function toUtf8(text) {
    const escaped = encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd'));
    return escaped.replace(/%(..)/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}
/** Converts only ASCII letters to lower case, so that positions stay the same. */
const toLowerAscii = (text) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
function replacePlain(text, forms) {
    const folded = toLowerAscii(text);
    const matches = [];
    for (const form of forms)
        for (let at = folded.indexOf(form); at >= 0; at = folded.indexOf(form, at + form.length))
            matches.push([at, at + form.length]);
    let redacted = '';
    let shownTo = 0;
    // Merge matches that touch or overlap.
    for (const [start, end] of matches.sort(([one], [other]) => one - other)) {
        if (start > shownTo || redacted === '')
            redacted += text.slice(shownTo, start) + replacement;
        shownTo = Math.max(shownTo, end);
    }
    return redacted + text.slice(shownTo);
}
const escapedCharacters = {
    n: '\n',
    r: '\r',
    t: '\t',
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
};
const escapes = [
    ['%', /%([\da-f]{2})()()/gi],
    ['\\', /\\(?:u([\da-f]{4})|()([^u]))/gi],
    ['&', /&(?:#x([\da-f]{1,8})|#(\d{1,9})|(amp|lt|gt|quot|apos));/gi],
];
const alphabets = [
    [/[\da-f]+/gi, '0123456789abcdef', 4],
    [/[\w+/-]+/g, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', 6],
];
function decode(text, shortest) {
    const all = [];
    for (const [mark, pattern] of escapes) {
        if (!text.includes(mark))
            continue;
        const unescaped = text.replace(pattern, (_, hex, decimal, sign = '') => {
            if (!hex && !decimal)
                return escapedCharacters[sign.toLowerCase()] ?? sign;
            const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
            return code > 0x10ffff ? '' : String.fromCodePoint(code);
        });
        if (unescaped !== text)
            all.push(unescaped);
    }
    for (const [run, alphabet, bits] of alphabets)
        for (const encoded of text.match(run) ?? []) {
            if (encoded.length * bits < shortest * 8)
                continue;
            const digits = bits === 4 ? encoded.toLowerCase() : encoded.replaceAll('-', '+').replaceAll('_', '/');
            // An encoded secret may begin at any digit.
            for (let start = 0; start < (bits === 4 ? 2 : 4); start++)
                all.push(decodeDigits(digits.slice(start), alphabet, bits));
        }
    return all;
}
function decodeDigits(digits, alphabet, bits) {
    let [decoded, buffer, size] = ['', 0, 0]; // The buffer has `size` bits.
    for (const digit of digits) {
        buffer = ((buffer << bits) | alphabet.indexOf(digit)) & 0xfff;
        size += bits;
        if (size < 8)
            continue;
        size -= 8;
        decoded += String.fromCharCode((buffer >> size) & 0xff);
    }
    return decoded;
}
/** Returns the value of a JSON body without secrets; `[redacted]` if the redacted text is no longer JSON. */
export function redactJson({ value, text = '' }, redact) {
    const shown = redact(text);
    if (shown === text)
        return value;
    try {
        return JSON.parse(shown);
    }
    catch {
        return replacement;
    }
}
/** Returns a thrown value if it contains no secret; else `[redacted]` or, for an error, a redacted copy. */
export function redactCause(value, redact, depth = 0) {
    if (typeof value === 'string')
        return redact(value);
    if (isClean(value, redact, new Set()))
        return value;
    if (!(value instanceof Error) || depth > 10)
        return replacement;
    const copy = new Error(redact(value.message), { cause: redactCause(value.cause, redact, depth + 1) });
    for (const name of ['name', 'stack', 'code']) {
        const member = Reflect.get(value, name);
        if (member !== undefined)
            Object.defineProperty(copy, name, { value: redact(String(member)), enumerable: name === 'code' });
    }
    return copy;
}
function isClean(value, redact, seen) {
    if (typeof value === 'string')
        return redact(value) === value;
    if (typeof value !== 'object' || value === null)
        return typeof value !== 'function';
    if (seen.has(value))
        return true;
    seen.add(value);
    if (value instanceof Uint8Array)
        return (value.length <= maxTextLength &&
            isClean(Array.from(value, (byte) => String.fromCharCode(byte)).join(''), redact, seen));
    const isError = value instanceof Error;
    const isPlain = Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));
    if (seen.size > 1000 || !(isError || isPlain))
        return false;
    // DOMException defines its members on the prototype.
    const names = [...Reflect.ownKeys(value), ...(isError ? ['name', 'message', 'stack', 'cause'] : [])];
    return names.every((name) => isClean(String(name), redact, seen) && isClean(Reflect.get(value, name), redact, seen));
}
