/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** Rejects as the platform does when the connection breaks before the body ends. */
export async function readBody(response) {
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (bytes.length === 0)
        return { kind: 'empty' };
    const mediaType = mediaTypeOf(response.headers);
    if (isJson(mediaType))
        return parseJson(new TextDecoder().decode(bytes));
    if (mediaType.startsWith('text/'))
        return { kind: 'text', text: new TextDecoder().decode(bytes) };
    return { kind: 'bytes', bytes };
}
/** Lower case, without parameters; empty when the header is missing. */
export function mediaTypeOf(headers) {
    return (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
function isJson(mediaType) {
    return mediaType === 'application/json' || mediaType.endsWith('+json');
}
export function parseJson(text) {
    try {
        return { kind: 'json', value: JSON.parse(text) };
    }
    catch (cause) {
        return { kind: 'malformed', text, cause };
    }
}
/** The first characters of a body that nobody expected, for an error. */
export function excerptOf(body) {
    if (body.kind === 'json')
        return JSON.stringify(body.value).slice(0, 500);
    if (body.kind === 'text' || body.kind === 'malformed')
        return body.text.slice(0, 500);
    return body.kind === 'bytes' ? `${body.bytes.length} bytes` : '';
}
