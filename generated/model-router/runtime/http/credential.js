/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
export function createCredential(source) {
    const sent = new Map();
    return {
        async current() {
            if (source === undefined)
                return { headers: {}, owner: '' };
            const secret = typeof source.secret === 'string' ? source.secret : await source.secret();
            const owner = sent.get(secret) ?? source.scope ?? (await fingerprintOf(secret));
            sent.set(secret, owner);
            const value = source.header === 'Authorization' ? `Bearer ${secret}` : secret;
            return { headers: { [source.header]: value }, owner };
        },
        redact: (text) => [...sent.keys()].reduce(withoutSecret, text),
    };
}
function withoutSecret(text, secret) {
    if (secret === '')
        return text;
    return [secret, encodeURIComponent(secret)].reduce((rest, form) => rest.split(form).join('[redacted]'), text);
}
/** Tells secrets apart without holding one: the first 128 bits of SHA-256, in hex. */
async function fingerprintOf(secret) {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret));
    return [...new Uint8Array(digest, 0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
