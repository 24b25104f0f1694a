/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { createRedactor } from './redactor.js';
export function createCredential({ header, secret: given, scope }) {
    const recent = [];
    let redactRecent = createRedactor([]);
    let owner;
    let latest = { secret: '', headers: {} };
    return {
        isFixed: typeof given !== 'function',
        async read() {
            if (given === undefined)
                return latest;
            // A header drops the white space around its value, as a secret read from a file has it.
            const secret = (typeof given === 'function' ? await given() : given).trim();
            if (secret === latest.secret)
                return latest;
            latest = { secret, headers: { [header]: header === 'Authorization' ? `Bearer ${secret}` : secret } };
            recent.unshift(secret);
            recent.length = Math.min(recent.length, 3);
            redactRecent = createRedactor(recent);
            return latest;
        },
        redact(text, sent) {
            const older = [...sent].filter((secret) => !recent.includes(secret));
            return older.length === 0 ? redactRecent(text) : createRedactor([...older, ...recent])(text);
        },
        owner() {
            owner ??= (async () => {
                if (scope !== undefined || given === undefined)
                    return scope ?? '';
                // Pages that were not served securely have no SHA-256; a random name tells secrets apart as long as the page lives.
                if (typeof given === 'function' || globalThis.crypto?.subtle === undefined)
                    return randomKey();
                const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(given.trim()));
                return toHex(new Uint8Array(digest, 0, 16));
            })();
            return owner;
        },
    };
}
export const toHex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
/** A UUID; pages that were not served securely have no `randomUUID`. The digits in between say that it is made by chance. */
export function randomKey() {
    const crypto = globalThis.crypto;
    if (crypto?.getRandomValues === undefined)
        throw new TypeError('this platform has no crypto.getRandomValues, of which keys are made: load a polyfill of it first');
    if (crypto.randomUUID)
        return crypto.randomUUID();
    const hex = toHex(crypto.getRandomValues(new Uint8Array(16)));
    return hex.replace(/(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-a$4-');
}
