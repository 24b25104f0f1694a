/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { readMediaType } from '../http/read-body.js';
/** An output departs from its schema now and then; that is never an error here. */
export function toResult(answer, alternate) {
    const { response, facts, key, settle } = answer;
    return {
        ...facts,
        data: readData(answer),
        mediaType: readMediaType(response.headers),
        response,
        settle,
        ...(key === undefined ? {} : { key }),
        mayBeUnconverted: alternate || facts.fallbackProvider !== undefined,
    };
}
function readData({ body, response }) {
    if (body.kind === 'json')
        return body.value;
    if (body.kind === 'text')
        return body.text;
    if (body.kind === 'bytes')
        return body.bytes;
    return body.kind === 'stream' ? response.body : undefined;
}
