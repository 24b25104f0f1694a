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
export function createCredential(source) {
    const sent = new Map();
    return {
        isFixed: typeof source?.secret !== 'function',
        async current() {
            if (source === undefined)
                return { headers: {}, owner: '' };
            // A header drops the white space around its value, as a secret read from a file has it.
            const secret = (typeof source.secret === 'string' ? source.secret : await source.secret()).trim();
            const known = sent.get(secret);
            const owner = known?.owner ?? source.scope ?? (await fingerprint(secret));
            if (known === undefined)
                sent.set(secret, { owner, forms: listForms(secret) });
            for (const oldest of sent.keys())
                if (sent.size > remembered)
                    sent.delete(oldest);
            const value = source.header === 'Authorization' ? `Bearer ${secret}` : secret;
            return { headers: { [source.header]: value }, owner };
        },
        redact(text) {
            const forms = [...sent.values()].flatMap((one) => one.forms).sort((one, other) => other.length - one.length);
            // A short secret may be a part of the word that stands for another one, so that comes last.
            return forms.reduce((rest, form) => rest.replaceAll(form, '\0'), text).replaceAll('\0', '[redacted]');
        },
    };
}
/** As a server may repeat it: plain, percent-encoded, or within JSON. */
function listForms(secret) {
    const forms = [secret, encodeURIComponent(secret.toWellFormed()), JSON.stringify(secret).slice(1, -1)];
    return [...new Set(forms)].filter((form) => form !== '');
}
const deepest = 100; // far from the end of any stack
/** A value without secrets in its texts and in the names of its members. */
export function redactValue(value, redact, depth = 0) {
    if (typeof value === 'string')
        return redact(value);
    if (typeof value !== 'object' || value === null)
        return value;
    if (depth === deepest)
        return '[nested too deep]';
    const redactPart = (part) => redactValue(part, redact, depth + 1);
    if (Array.isArray(value))
        return value.map(redactPart);
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [redact(name), redactPart(part)]));
}
/** A cause as it came, or its words alone where they held a secret: a handed-in `fetch` may repeat what it was given. */
export function redactCause(cause, redact) {
    const { cause: inner } = Object(cause);
    const text = [cause, inner].map((one) => (one instanceof Error ? one.stack : '') + String(one)).join('\n');
    return redact(text) === text ? cause : new Error(redact(String(cause)));
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
/** A UUID; pages that were not served securely have no `randomUUID`. */
export function randomKey() {
    if (typeof crypto.randomUUID === 'function')
        return crypto.randomUUID();
    // The digits in between say that it is made by chance.
    return toHex(crypto.getRandomValues(new Uint8Array(16))).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5');
}
