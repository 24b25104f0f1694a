/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { isObject } from './read-body.js';
const replacement = '[redacted]';
/** Shorter secrets are not searched for: they would match ordinary text. */
const shortestSecret = 8;
const mostSecrets = 200;
/** Longer texts are withheld, because a search would take more than a second. */
const longestText = 1_000_000;
/** Encodings around each other that are decoded, such as a percent-encoded JSON string. */
const mostLayers = 2;
/**
 * Returns a function that replaces these secrets in a text, in any letter case. A text that holds an encoded secret is withheld as
 * a whole: percent-encoded, escaped as in JSON or HTML, in hex or base64, wrapped over lines, or with two of these around each
 * other. A secret of 16 or more characters is also found when a quarter of it is missing at its start or end. Secrets of fewer
 * than eight characters, and those behind the first 200, are not searched for.
 */
export function createRedactor(secrets) {
    const forms = listForms(secrets);
    const shortest = Math.min(...forms.map(({ length }) => length));
    const isIn = (text, layers) => {
        const joined = text.replace(/[\r\n]+[\t ]*/g, '');
        if (joined.length < shortest)
            return false;
        const folded = fold(joined);
        if (forms.some((form) => folded.includes(form)))
            return true;
        return layers > 0 && decode(joined, shortest).some((inner) => isIn(inner, layers - 1));
    };
    return (text) => {
        if (text.length < shortest)
            return text;
        if (text.length > longestText)
            return replacement;
        const shown = replacePlain(text, forms);
        return isIn(shown, mostLayers) ? replacement : shown;
    };
}
function listForms(secrets) {
    const all = secrets.slice(0, mostSecrets).flatMap((secret) => {
        const bytes = Array.from(new TextEncoder().encode(secret), (byte) => String.fromCharCode(byte)).join('');
        // Forms on the web write a space as a plus sign.
        return [secret, bytes, secret.replaceAll(' ', '+')].map((form) => fold(form.replace(/[\r\n]+[\t ]*/g, '')));
    });
    const whole = [...new Set(all)].filter((form) => form.length >= shortestSecret && !replacement.includes(form));
    // A whole secret has both parts, and what is left of one that was cut has one of them.
    return whole.flatMap((form) => {
        const quarter = form.length < 16 ? 0 : Math.floor(form.length / 4);
        return quarter === 0 ? [form] : [form.slice(quarter), form.slice(0, -quarter)];
    });
}
/** Only letters of ASCII change, so that each character keeps its place. */
const fold = (text) => /[^ -~\s]/.test(text) ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text.toLowerCase();
function replacePlain(text, forms) {
    const folded = fold(text);
    const found = [];
    for (const form of forms)
        for (let at = folded.indexOf(form); at >= 0; at = folded.indexOf(form, at + form.length))
            found.push([at, at + form.length]);
    let shown = '';
    let shownTo = 0;
    // Those that touch or overlap become one.
    for (const [start, end] of found.sort(([one], [other]) => one - other)) {
        if (start > shownTo || shown === '')
            shown += text.slice(shownTo, start) + replacement;
        shownTo = Math.max(shownTo, end);
    }
    return shown + text.slice(shownTo);
}
const signs = {
    ...{ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' },
    ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" },
};
const escapes = [
    ['%', /%([\da-f]{2})()()/gi],
    ['\\', /\\(?:u([\da-f]{4})|()([^u]))/gi],
    ['&', /&(?:#x([\da-f]{1,8})|#(\d{1,9})|(amp|lt|gt|quot|apos));/gi],
];
const notations = [
    [/[\da-f]+/gi, 4],
    [/[\w+/-]+/g, 6],
];
/** Everything that a text decodes to in one step. */
function decode(text, shortest) {
    const present = escapes.filter(([mark]) => text.includes(mark));
    const unescaped = present.map(([, pattern]) => text.replace(pattern, (_, hex, decimal, sign = '') => {
        if (!hex && !decimal)
            return signs[sign.toLowerCase()] ?? sign;
        const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
        return code > 0x10ffff ? '' : String.fromCodePoint(code);
    }));
    const digits = notations.flatMap(([run, bits]) => (text.match(run) ?? []).flatMap((found) => {
        if (found.length * bits < shortest * 8)
            return [];
        const starts = bits === 4 ? [0, 1] : [0, 1, 2, 3];
        return starts.map((start) => decodeDigits(found, start, bits));
    }));
    return [...unescaped.filter((one) => one !== text), ...digits];
}
/** The bytes of a run of digits from a place on, as characters. */
function decodeDigits(text, start, bits) {
    let [decoded, held, kept] = ['', 0, 0];
    for (let at = start; at < text.length; at++) {
        const code = text.charCodeAt(at);
        // The letters of hex in any case; base64 has capitals, small letters, digits and two signs, in this order.
        const letter = code > 96 ? code - 97 + (bits === 4 ? 10 : 26) : code - 65 + (bits === 4 ? 10 : 0);
        const sign = code === 43 || code === 45 ? 62 : 63;
        const digit = code > 47 && code < 58 ? code - 48 + (bits === 4 ? 0 : 52) : letter < 0 || code === 95 ? sign : letter;
        kept = ((kept << bits) | digit) & 0xfff;
        held += bits;
        if (held < 8)
            continue;
        held -= 8;
        decoded += String.fromCharCode((kept >> held) & 0xff);
    }
    return decoded;
}
/** The value of a JSON body without secrets; withheld where it cannot be JSON without them. */
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
/**
 * Returns what was thrown, without secrets: itself where it holds none and can be searched as a whole. Otherwise an error becomes a
 * copy with its name, message, stack, code and cause, and any other value is withheld.
 */
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
        return isClean(new TextDecoder().decode(value), redact, seen);
    const isError = value instanceof Error;
    const isPlain = Array.isArray(value) || (isObject(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value)));
    if (seen.size > 1000 || !(isError || isPlain))
        return false;
    // Those of a DOMException are of its prototype.
    const names = [...Reflect.ownKeys(value), ...(isError ? ['name', 'message', 'stack', 'cause'] : [])];
    return names.every((name) => isClean(String(name), redact, seen) && isClean(Reflect.get(value, name), redact, seen));
}
