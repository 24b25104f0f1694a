/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
const utf8 = new TextDecoder(); // to make one takes as long as to read a short body
/** Rejects as the platform does when the connection breaks before the body ends. */
export async function readBody(response, maxBytes) {
    const bytes = await readBytes(response, maxBytes, []);
    if (bytes === undefined)
        return { kind: 'broken', why: `the body is longer than maxResponseBytes (${maxBytes})`, isFinal: true };
    if (bytes.length === 0)
        return { kind: 'empty' };
    const mediaType = readMediaType(response.headers);
    const isJson = /^application\/json$|\+json$/.test(mediaType);
    // Without a media type, a success is JSON where it begins like an object: all of the API's are.
    const isNamed = mediaType !== '' || (response.ok && bytes[0] !== 0x7b);
    if (isNamed && !isJson && !mediaType.startsWith('text/'))
        return { kind: 'bytes', value: bytes };
    const text = utf8.decode(bytes);
    if (isJson || !isNamed) {
        try {
            return { kind: 'json', value: JSON.parse(text), text };
        }
        catch (cause) {
            if (isJson)
                return { kind: 'broken', text, cause };
        }
    }
    return isNamed || !response.ok ? { kind: 'text', value: text, text } : { kind: 'bytes', value: bytes };
}
/** Undefined for more than `maxBytes`, as they are after decompression. Where it rejects, `chunks` has what came. */
export async function readBytes(response, maxBytes, chunks) {
    const reader = response.body?.getReader();
    let size = 0;
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
        chunks.push(part.value);
        size += part.value.length;
        if (size > maxBytes) {
            void reader?.cancel().catch(() => undefined); // the connection may be gone already
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
