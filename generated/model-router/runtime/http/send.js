/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { readBody } from './read-body.js';
/** Redirects are not followed: a redirect would carry the credential to a place that nobody chose. */
export async function send(outgoing, options) {
    const attempt = new AbortController();
    const timer = setTimeout(() => attempt.abort(), options.timeoutMs);
    const { url, ...init } = outgoing;
    try {
        options.signal.throwIfAborted();
        const signal = AbortSignal.any([options.signal, attempt.signal]);
        const response = await options.fetch(new Request(url, { ...init, redirect: 'manual', signal }));
        const body = options.stream && response.ok ? { kind: 'stream' } : await readBody(response);
        return { kind: 'answered', response, body };
    }
    catch (cause) {
        if (options.signal.aborted)
            throw options.signal.reason;
        return { kind: 'lost', cause };
    }
    finally {
        clearTimeout(timer);
    }
}
