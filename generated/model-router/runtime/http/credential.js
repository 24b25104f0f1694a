/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { createRedactor } from './redactor.js';
// Renewed tokens must not pile up: a program may run for years.
const remembered = 100;
export function createCredential({ header, secret: given, scope }) {
    const owners = new Map();
    let redact = createRedactor([]);
    const credential = {
        isFixed: typeof given !== 'function',
        known: undefined,
        async current() {
            if (given === undefined)
                return { headers: {}, owner: '' };
            // A header drops the white space around its value, as a secret read from a file has it.
            const secret = (typeof given === 'function' ? await given() : given).trim();
            const owner = owners.get(secret) ?? scope ?? (await fingerprint(secret));
            if (!owners.has(secret)) {
                owners.set(secret, owner);
                const [oldest = secret] = owners.keys();
                if (owners.size > remembered)
                    owners.delete(oldest);
                redact = createRedactor([...owners.keys()]);
            }
            const current = { headers: { [header]: header === 'Authorization' ? `Bearer ${secret}` : secret }, owner };
            if (credential.isFixed)
                credential.known = current;
            return current;
        },
        redact: (text) => redact(text),
    };
    return credential;
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
