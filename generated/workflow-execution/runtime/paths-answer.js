/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { isMediaType, joinChunks, readBytes, readMediaType } from './http/read-body.js';
/** After decompression; more of a body is not read, and nothing is kept of it. */
const mostBytes = 256 * 1024 * 1024;
/**
 * The outcome of a response: `data` for a documented success, `error` for all else, a body that breaks off included. Rejects only
 * where the caller gave up.
 */
export async function readAnswer(response, { operation, signal }) {
    const chunks = [];
    let bytes;
    let broken;
    try {
        bytes = await readBytes(response, mostBytes, chunks);
        if (bytes === undefined)
            broken = { cause: new Error(`the body is longer than ${mostBytes} bytes`) };
    }
    catch (cause) {
        signal.throwIfAborted();
        broken = { cause };
        bytes = joinChunks(chunks);
    }
    const text = () => new TextDecoder().decode(bytes);
    const documented = documentedTypes(operation, response.status);
    const given = readMediaType(response.headers);
    const unexpected = (why, cause) => {
        const body = { unexpected: why, mediaType: given, text: text() };
        return { error: cause === undefined ? body : { ...body, cause }, response };
    };
    const expected = (body) => (response.ok ? { data: body, response } : { error: body, response });
    if (broken !== undefined)
        return unexpected('truncated', broken.cause);
    if (bytes === undefined || bytes.length === 0)
        return documented?.length === 0 ? expected(undefined) : unexpected('empty');
    // A body without a media type is taken for what is documented.
    const mediaType = given === '' ? (documented?.[0] ?? '') : given;
    if (documented === undefined || !isMediaType(mediaType, documented))
        return unexpected('undocumented');
    if (mediaType.endsWith('json')) {
        try {
            return expected(JSON.parse(text()));
        }
        catch (cause) {
            return unexpected('malformed', cause);
        }
    }
    return expected(mediaType.startsWith('text/') ? text() : bytes);
}
/** As the API documents them for a status; undefined for a status that it does not document. */
function documentedTypes(operation, status) {
    const responses = operation?.responses ?? {};
    return responses[status] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses['default'];
}
