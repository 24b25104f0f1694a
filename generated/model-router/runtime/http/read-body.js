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
    const bytes = await readBytes(response, maxBytes);
    if (bytes === undefined)
        return { kind: 'oversized', maxBytes };
    if (bytes.length === 0)
        return { kind: 'empty' };
    const mediaType = readMediaType(response.headers);
    const isNamed = mediaType !== '' || response.ok;
    if (isNamed && !isJson(mediaType) && !mediaType.startsWith('text/'))
        return { kind: 'bytes', bytes };
    const text = utf8.decode(bytes);
    if (isNamed && !isJson(mediaType))
        return { kind: 'text', text };
    const body = parseJson(text);
    return isNamed || body.kind === 'json' ? body : { kind: 'text', text };
}
/** Undefined for more than `maxBytes`, as they are after decompression. */
async function readBytes(response, maxBytes) {
    const said = Number(response.headers.get('content-length') ?? Number.NaN);
    // Not more can come than was said, and the platform reads all of it faster.
    if (said <= maxBytes && !response.headers.has('content-encoding'))
        return new Uint8Array(await response.arrayBuffer());
    const reader = response.body?.getReader();
    const chunks = [];
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
export async function joinChunks(chunks) {
    return new Uint8Array(await new Blob([...chunks]).arrayBuffer()); // the types ask whose memory it is
}
/** Whether a media type is one of those that are documented, of which one may be `image/*`. */
export function isMediaType(mediaType, documented) {
    return documented.some((one) => one.endsWith('*') ? one === '*/*' || mediaType.startsWith(one.slice(0, -1)) : mediaType === one.toLowerCase());
}
/** Lower case, without parameters; empty when the header is missing. */
export function readMediaType(headers) {
    return (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
function isJson(mediaType) {
    return mediaType === 'application/json' || mediaType.endsWith('+json');
}
function parseJson(text) {
    try {
        return { kind: 'json', value: JSON.parse(text) };
    }
    catch (cause) {
        return { kind: 'malformed', text, cause };
    }
}
export function isObject(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
/** The JSON object that a body is; empty for any other body, so that its members are undefined. */
export function toObject(body) {
    return body.kind === 'json' && isObject(body.value) ? body.value : {};
}
/** The first characters of a body that nobody expected, for an error. */
export function quoteBody(body, redact) {
    if (body.kind === 'bytes')
        return `${body.bytes.length} bytes`;
    const text = body.kind === 'json' ? printJson(body.value) : 'text' in body ? body.text : '';
    // Cut last, since half a secret would not be found; what comes much later is in no excerpt.
    return redact(text.slice(0, 100_000)).slice(0, 500);
}
function printJson(value) {
    try {
        return JSON.stringify(value);
    }
    catch {
        return ''; // nested deeper than the stack
    }
}
