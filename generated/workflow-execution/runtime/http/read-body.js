/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
let utf8; // Reused, because creating one takes as long as reading a short body.
/** Reads a body by its media type. Rejects with the platform's error if the connection breaks before the end. */
export async function readBody(response, maxBytes) {
    const mediaType = readMediaType(response.headers);
    const isText = /^application\/json$|\+json$|^text\//.test(mediaType);
    const why = `the body is longer than maxResponseBytes (${maxBytes})`;
    const tooLong = { kind: 'broken', why, isFinal: true };
    // React Native has no body streams, and jsdom has no TextDecoder.
    if ((!response.body || typeof TextDecoder !== 'function') && isText) {
        const text = await response.text();
        if (text.length > maxBytes)
            return tooLong;
        return text === '' ? { kind: 'empty' } : readText(text, mediaType);
    }
    const bytes = await readBytes(response, maxBytes);
    if (bytes === undefined)
        return tooLong;
    if (bytes.length === 0)
        return { kind: 'empty' };
    // Without a media type, treat a success that starts with `{` as JSON.
    const isUnnamed = mediaType === '' && (!response.ok || bytes[0] === 0x7b);
    const raw = { kind: 'bytes', value: bytes, bytes };
    if (!isText && !isUnnamed)
        return raw;
    utf8 ??= new TextDecoder();
    const body = readText(utf8.decode(bytes), isText ? mediaType : 'json');
    if (body.kind !== 'broken' || isText)
        return { ...body, bytes };
    const text = body.text ?? '';
    return response.ok ? raw : { kind: 'text', value: text, text, bytes };
}
function readText(text, mediaType) {
    if (!mediaType.endsWith('json'))
        return { kind: 'text', value: text, text };
    try {
        return { kind: 'json', value: JSON.parse(text.replace(/^\ufeff/, '')), text };
    }
    catch (cause) {
        return { kind: 'broken', text, cause };
    }
}
/** Yields a body in chunks, from a web stream or a Node stream; in one chunk if the platform has no streams. */
export async function* readBodyChunks(response) {
    const body = response.body;
    if (response.body && 'getReader' in response.body) {
        const reader = response.body.getReader();
        try {
            for (let part = await reader.read(); !part.done; part = await reader.read())
                yield part.value;
        }
        finally {
            void reader.cancel().catch(() => undefined); // The connection may already be closed.
        }
    }
    else if (isIterable(body)) {
        // Convert to plain bytes, because Node's Buffer is a subclass of Uint8Array.
        for await (const { buffer, byteOffset, byteLength } of body)
            yield new Uint8Array(buffer, byteOffset, byteLength);
    }
    else
        yield new Uint8Array(await response.arrayBuffer());
}
const isIterable = (body) => Symbol.asyncIterator in Object(body);
/** Returns the whole body, or undefined if it exceeds `maxBytes` after decompression. */
export async function readBytes(response, maxBytes) {
    const parts = [];
    let size = 0;
    for await (const part of readBodyChunks(response)) {
        parts.push(part);
        size += part.length;
        if (size > maxBytes)
            return undefined;
    }
    const bytes = new Uint8Array(size);
    let at = 0;
    for (const part of parts) {
        bytes.set(part, at);
        at += part.length;
    }
    return bytes;
}
/** Returns the media type in lower case, without parameters; empty if the header is missing. A proxy may repeat it. */
export function readMediaType(headers) {
    return (headers.get('content-type') ?? '').split(/[;,]/, 1)[0]?.trim().toLowerCase() ?? '';
}
export function isObject(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
export function toObject({ kind, value }) {
    return kind === 'json' && isObject(value) ? value : {};
}
/** Describes a response that is not from the API. `excerpt`: the beginning of its body. */
export function describeUnexpected({ status, headers }, excerpt) {
    const location = status < 400 ? headers.get('location') : null;
    const to = location === null ? '' : `, redirected to ${location}, which is not followed`;
    // Browsers hide the status and target of a redirect from pages.
    if (status === 0)
        return ': a redirect, which the browser hides: the session may have ended';
    return `${to}: ${excerpt || 'no body'}`;
}
export function quoteBody({ value, text = '' }, redact) {
    // Redact before cutting, because half a secret would not be recognised.
    return value instanceof Uint8Array ? `${value.length} bytes` : redact(text.slice(0, 100_000)).slice(0, 500);
}
