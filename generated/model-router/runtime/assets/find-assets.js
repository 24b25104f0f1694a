/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
/** Signed links of one provider are valid for a day after the response (MR-AST-20). */
const directWriteMs = 24 * 60 * 60 * 1000;
/** Finds every address and every inline asset of an output. */
export function findAssets(result, options) {
    const found = [];
    // A list instead of recursion, because an output may be deeply nested.
    const unvisited = [{ value: result.data }];
    for (let place = unvisited.pop(); place !== undefined; place = unvisited.pop()) {
        const { value } = place;
        if (value instanceof Uint8Array)
            found.push(addPlace({ kind: 'inline', bytes: value }, place, readType(place) ?? result.mediaType));
        else if (typeof value === 'string')
            found.push(...readText(value, place, { ...options, replayed: result.replayed }));
        // In reverse order, because the loop takes values from the end of `open`.
        else if (Array.isArray(value))
            for (let step = value.length - 1; step >= 0; step--)
                unvisited.push({ value: value[step], outer: place, step });
        else
            for (const [step, part] of Object.entries(Object(value)).reverse())
                unvisited.push({ value: part, outer: place, step });
    }
    return found;
}
/** Computes the path on demand: all paths of a deeply nested output together can be far longer than the output. */
function addPlace(asset, place, type) {
    const mediaType = type ? type.split(';', 1)[0]?.trim().toLowerCase() : undefined;
    return {
        ...asset,
        get path() {
            const path = [];
            for (let at = place; at?.step !== undefined; at = at.outer)
                path.push(at.step);
            return path.reverse();
        },
        ...(mediaType === undefined ? {} : { mediaType }),
    };
}
function readText(text, place, options) {
    if (base64Name.test(String(place.step)))
        return inline(text, place, readType(place));
    const data = /^data:([^;,]{0,200})(?:;[^;,]{0,200}){0,9};base64,/i.exec(text);
    if (data !== null)
        return inline(text.slice(data[0].length), place, data[1]);
    if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
        return [];
    const until = options.replayed ? undefined : validUntil(new URL(text), place, options);
    const asset = { kind: 'url', url: text, ...(until === undefined ? {} : { validUntilAtMost: until }) };
    return [addPlace(asset, place, readType(place))];
}
/** Names of members with base64 data, for example `bytesBase64Encoded`, `bytes_base64` and `b64_json`. */
const base64Name = /base64|^b64_/i;
const typeNames = ['mimeType', 'mime_type', 'mediaType', 'media_type', 'contentType', 'content_type'];
function readType({ outer }) {
    const { value } = outer ?? {};
    if (typeof value !== 'object' || value === null || Array.isArray(value))
        return undefined;
    const types = typeNames.map((name) => Reflect.get(value, name));
    return types.find((type) => typeof type === 'string' && /^[\w.+-]+\/[\w.+-]+/.test(type));
}
/** True for `response.videos[].gcsUri`, which the service signs. Elsewhere, `gcsUri` may be a provider's own field. */
function isDirectWrite({ protocol }, place) {
    if (protocol !== 'https:' || place.step !== 'gcsUri')
        return false;
    const { step: index, outer: videos } = place.outer ?? {};
    const response = videos?.outer;
    const isMember = response?.step === 'response' && videos?.step === 'videos' && typeof index === 'number';
    return isMember && response.outer !== undefined && response.outer.step === undefined;
}
function validUntil(url, place, { model, receivedAt, hosting = [] }) {
    const matchesModel = (one) => one === model || (one.endsWith('/') && model.startsWith(one));
    const host = hosting.find(({ models, origins }) => models.some(matchesModel) && origins.includes(url.origin));
    const validForMs = isDirectWrite(url, place) ? directWriteMs : host?.validForMs;
    return validForMs === undefined ? undefined : receivedAt + validForMs;
}
function inline(text, place, mediaType) {
    try {
        const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
        return [addPlace({ kind: 'inline', bytes }, place, mediaType)];
    }
    catch {
        return []; // The text is not base64.
    }
}
