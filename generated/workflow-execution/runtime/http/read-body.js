/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
let utf8; // to make one takes as long as to read a short body, and some platforms have none
/** Rejects as the platform does when the connection breaks before the body ends. */
export async function readBody(response, maxBytes) {
    const mediaType = readMediaType(response.headers);
    const isText = /^application\/json$|\+json$|^text\//.test(mediaType);
    const tooLong = {
        kind: 'broken',
        why: `the body is longer than maxResponseBytes (${maxBytes})`,
        isFinal: true,
    };
    // Platforms without streams of bodies read text best as text.
    if (!response.body && isText) {
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
    // Without a media type, a success is JSON where it begins like an object: all of the API's are.
    const isUnnamed = mediaType === '' && (!response.ok || bytes[0] === 0x7b);
    if (!isText && !isUnnamed)
        return { kind: 'bytes', value: bytes, bytes };
    utf8 ??= new TextDecoder();
    const body = readText(utf8.decode(bytes), isText ? mediaType : 'json');
    if (body.kind !== 'broken' || isText)
        return { ...body, bytes };
    const text = body.text ?? '';
    return response.ok ? { kind: 'bytes', value: bytes, bytes } : { kind: 'text', value: text, text, bytes };
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
/** The parts of a body on any platform: a web stream, a stream of Node, or all at once where a body is not a stream. */
export function chunksOf(response) {
    const body = response.body;
    if (body instanceof Object && 'getReader' in body && response.body) {
        const reader = response.body.getReader();
        // The connection may be gone already.
        return { next: async () => (await reader.read()).value, cancel: () => void reader.cancel().catch(() => undefined) };
    }
    const parts = readParts(response, body);
    return {
        next: async () => (await parts.next()).value,
        cancel: () => void parts.return(undefined).catch(() => undefined),
    };
}
const isIterable = (body) => body instanceof Object && Symbol.asyncIterator in body;
async function* readParts(response, body) {
    if (isIterable(body)) {
        // As plain bytes, since those of Node have a class of their own.
        for await (const { buffer, byteOffset, byteLength } of body)
            yield new Uint8Array(buffer, byteOffset, byteLength);
        return undefined;
    }
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (bytes.length > 0)
        yield bytes;
    return undefined;
}
/** Undefined for more than `maxBytes`, counted after decompression. */
export async function readBytes(response, maxBytes) {
    const parts = chunksOf(response);
    const chunks = [];
    let size = 0;
    for (let part = await parts.next(); part !== undefined; part = await parts.next()) {
        chunks.push(part);
        size += part.length;
        if (size > maxBytes) {
            parts.cancel();
            return undefined;
        }
    }
    const bytes = new Uint8Array(size);
    let at = 0;
    for (const chunk of chunks) {
        bytes.set(chunk, at);
        at += chunk.length;
    }
    return bytes;
}
/** Lower case, without parameters; empty when the header is missing. A proxy may send it twice. */
export function readMediaType(headers) {
    return (headers.get('content-type') ?? '').split(/[;,]/, 1)[0]?.trim().toLowerCase() ?? '';
}
export function isObject(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
/** The JSON object that a body is; empty for any other body, so that its members are undefined. */
export function toObject({ kind, value }) {
    return kind === 'json' && isObject(value) ? value : {};
}
/** The first characters of an unexpected body, for an error. */
export function quoteBody({ value, text = '' }, redact) {
    // Cut last, since half a secret would not be found; what comes much later is in no excerpt.
    return value instanceof Uint8Array ? `${value.length} bytes` : redact(text.slice(0, 100_000)).slice(0, 500);
}
