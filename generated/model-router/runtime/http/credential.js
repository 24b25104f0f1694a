/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
// Renewed tokens must not pile up: a program may run for years.
const remembered = 100;
export function createCredential({ header, secret: given, scope }) {
    const sent = new Map();
    let all = []; // the longest first
    const credential = {
        isFixed: typeof given !== 'function',
        known: undefined,
        async current() {
            if (given === undefined)
                return { headers: {}, owner: '' };
            // A header drops the white space around its value, as a secret read from a file has it.
            const secret = (typeof given === 'function' ? await given() : given).trim();
            const { owner = scope ?? (await fingerprint(secret)) } = sent.get(secret) ?? {};
            if (!sent.has(secret)) {
                sent.set(secret, { owner, forms: matchForms(secret) });
                const [oldest = secret] = sent.keys();
                if (sent.size > remembered)
                    sent.delete(oldest);
                all = [...sent.values()]
                    .map(({ forms }) => forms)
                    .sort((one, other) => other.source.length - one.source.length);
            }
            const current = { headers: { [header]: header === 'Authorization' ? `Bearer ${secret}` : secret }, owner };
            if (credential.isFixed)
                credential.known = current;
            return current;
        },
        redact(text) {
            return all.reduce((rest, form) => rest.replace(form, '[redacted]'), text);
        },
    };
    return credential;
}
/** As a server may repeat it: each sign plain, or escaped as in addresses, JSON or HTML, in any letter case. */
function matchForms(secret) {
    const signs = Array.from(secret.toWellFormed(), (sign) => {
        const code = sign.codePointAt(0) ?? 0;
        const hex = code.toString(16).padStart(2, '0');
        const percent = code < 128 ? `%(?:25){0,4}${hex}` : encodeURIComponent(sign);
        const escapes = `${percent}|\\\\{1,4}(?:x|u00)${hex}|&#(?:x0{0,8}${hex}|0{0,8}${code});`;
        return `(?:\\\\{0,4}${sign.replace(/\W/, '\\$&')}|${escapes})`;
    });
    // A short secret may be a part of the word that stands for another one, so that stays as it is.
    return new RegExp(`\\[redacted]${secret === '' ? '' : '|'}${signs.join('')}`, 'gi');
}
/** A value without secrets in its texts and in the names of its members. */
export function redactValue(value, redact, depth = 0) {
    if (typeof value === 'string')
        return redact(value);
    if (typeof value !== 'object' || value === null)
        return value;
    if (depth === 100)
        return '[nested too deep]'; // far from the end of any stack
    const redactPart = (part) => redactValue(part, redact, depth + 1);
    if (Array.isArray(value))
        return value.map(redactPart);
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [redact(name), redactPart(part)]));
}
/** A cause as it came, or its words alone where it may hold a secret: a handed-in `fetch` may repeat what it was given. */
export function redactCause(cause, redact) {
    return isClean(cause, redact, new Set()) ? cause : new Error(redact(String(cause)));
}
/** Whether all that belongs to a value can be read, and holds no secret. */
function isClean(value, redact, seen) {
    if (typeof value === 'string')
        return redact(value) === value;
    if (typeof value !== 'object' || value === null || seen.has(value))
        return typeof value !== 'function';
    seen.add(value);
    if (value instanceof Uint8Array)
        return isClean(new TextDecoder().decode(value), redact, seen);
    const isReadable = value instanceof Error || Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
    return (isReadable &&
        Reflect.ownKeys(value).every((name) => isClean(String(name), redact, seen) && isClean(Reflect.get(value, name), redact, seen)));
}
/**
 * Tells secrets apart without holding one: the first 128 bits of SHA-256, in hex. Pages that were not served securely have
 * no SHA-256; a random name tells them apart as long as the page lives.
 */
async function fingerprint(secret) {
    if (crypto.subtle === undefined)
        return randomKey();
    return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret)), 0, 16));
}
function toHex(bytes) {
    return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
/** A UUID; pages that were not served securely have no `randomUUID`. The digits in between say that it is made by chance. */
export function randomKey() {
    const digits = '$1-$2-4$3-a$4-';
    return (crypto.randomUUID?.() ??
        toHex(crypto.getRandomValues(new Uint8Array(16))).replace(/(.{8})(.{4}).(.{3}).(.{3})/, digits));
}
