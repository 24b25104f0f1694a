/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
let utf8; // to make one takes as long as to read a short body, and some platforms have none
const decode = (bytes) => {
    utf8 ??= new TextDecoder();
    return utf8.decode(bytes);
};
/** Rejects as the platform does when the connection breaks before the body ends. */
export async function readBody(response, maxBytes) {
    const mediaType = readMediaType(response.headers);
    const isText = isJson(mediaType) || mediaType.startsWith('text/');
    // Platforms without streams of bodies read text best as text.
    if (!response.body && isText) {
        const text = await response.text();
        if (text.length > maxBytes)
            return tooLong(maxBytes);
        return text === '' ? { kind: 'empty' } : readText(text, mediaType);
    }
    const bytes = await readBytes(response, maxBytes, []);
    if (bytes === undefined)
        return tooLong(maxBytes);
    if (bytes.length === 0)
        return { kind: 'empty' };
    if (isText)
        return { bytes, ...readText(decode(bytes), mediaType) };
    if (mediaType !== '')
        return { kind: 'bytes', value: bytes, bytes };
    // Without a media type, a success is JSON where it begins like an object: all of the API's are.
    const isLikely = !response.ok || bytes[0] === 0x7b;
    const body = isLikely ? readText(decode(bytes), 'application/json') : undefined;
    if (body?.kind === 'json')
        return { bytes, ...body };
    return response.ok || body === undefined
        ? { kind: 'bytes', value: bytes, bytes }
        : { kind: 'text', value: body.text, text: body.text ?? '', bytes };
}
const tooLong = (maxBytes) => ({
    kind: 'broken',
    why: `the body is longer than maxResponseBytes (${maxBytes})`,
    isFinal: true,
});
const isJson = (mediaType) => /^application\/json$|\+json$/.test(mediaType);
function readText(text, mediaType) {
    if (!isJson(mediaType))
        return { kind: 'text', value: text, text };
    try {
        return { kind: 'json', value: JSON.parse(text.replace(/^\ufeff/, '')), text };
    }
    catch (cause) {
        return { kind: 'broken', text, cause };
    }
}
/** The parts of a body on any platform: a web stream, a stream of Node, or all at once where a body is no stream. */
export function chunksOf(response) {
    const body = response.body;
    if (body instanceof Object && 'getReader' in body && response.body) {
        const reader = response.body.getReader();
        // The connection may be gone already.
        return { next: async () => (await reader.read()).value, cancel: () => void reader.cancel().catch(() => undefined) };
    }
    const parts = isIterable(body) ? readParts(body) : readWhole(response);
    return {
        next: async () => (await parts.next()).value,
        cancel: () => void parts.return(undefined).catch(() => undefined),
    };
}
const isIterable = (body) => body instanceof Object && Symbol.asyncIterator in body;
/** As plain bytes, since those of Node are of a class of their own. */
async function* readParts(body) {
    for await (const { buffer, byteOffset, byteLength } of body)
        yield new Uint8Array(buffer, byteOffset, byteLength);
    return undefined;
}
async function* readWhole(response) {
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (bytes.length > 0)
        yield bytes;
    return undefined;
}
/** Undefined for more than `maxBytes`, as they are after decompression. Where it rejects, `chunks` has what came. */
export async function readBytes(response, maxBytes, chunks) {
    const parts = chunksOf(response);
    let size = 0;
    for (let part = await parts.next(); part !== undefined; part = await parts.next()) {
        chunks.push(part);
        size += part.length;
        if (size > maxBytes) {
            parts.cancel();
            return undefined;
        }
    }
    return joinChunks(chunks);
}
export function joinChunks(chunks) {
    const [first] = chunks;
    if (first !== undefined && chunks.length === 1)
        return first;
    let size = 0;
    const bytes = new Uint8Array(chunks.reduce((all, { length }) => all + length, 0));
    for (const chunk of chunks) {
        bytes.set(chunk, size);
        size += chunk.length;
    }
    return bytes;
}
/** Whether a media type is one of those that are documented, of which one may be `image/*`. */
export function isMediaType(mediaType, documented) {
    return documented.some((one) => one.endsWith('*') ? one === '*/*' || mediaType.startsWith(one.slice(0, -1)) : mediaType === one.toLowerCase());
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
/** The first characters of a body that nobody expected, for an error. */
export function quoteBody({ value, text = '' }, redact) {
    // Cut last, since half a secret would not be found; what comes much later is in no excerpt.
    return value instanceof Uint8Array ? `${value.length} bytes` : redact(text.slice(0, 100_000)).slice(0, 500);
}
