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
export async function readBody(response, redact) {
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (bytes.length === 0)
        return { kind: 'empty' };
    const mediaType = readMediaType(response.headers);
    const isNamed = mediaType !== '' || response.ok;
    if (isNamed && !isJson(mediaType) && !mediaType.startsWith('text/'))
        return { kind: 'bytes', bytes };
    const decoded = utf8.decode(bytes);
    // Results stay as they are; an error is shown to people, and may repeat the credential.
    const text = response.ok ? decoded : redact(decoded);
    if (isNamed && !isJson(mediaType))
        return { kind: 'text', text };
    const body = parseJson(text);
    return isNamed || body.kind === 'json' ? body : { kind: 'text', text };
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
    // Cut last: half a secret would not be found.
    if (body.kind === 'json')
        return redact(printJson(body.value)).slice(0, 500);
    if (body.kind === 'text' || body.kind === 'malformed')
        return redact(body.text).slice(0, 500);
    return body.kind === 'bytes' ? `${body.bytes.length} bytes` : '';
}
function printJson(value) {
    try {
        return JSON.stringify(value);
    }
    catch {
        return ''; // nested deeper than the stack
    }
}
