/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** A signed link of one provider is valid for a day from the response (MR-AST-20). */
const directWriteHours = 24;
const hourMs = 60 * 60 * 1000;
/** Every address and every inline asset of an output; each is looked at by itself, since copies are made one by one. */
export function findAssets(result, options) {
    const found = [];
    // A list instead of recursion: an output may be nested as deep as its writer likes.
    const open = [{ value: result.data }];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
        const { value } = place;
        if (value instanceof Uint8Array)
            found.push({ kind: 'inline', path: tracePath(place), bytes: value });
        else if (typeof value === 'string')
            found.push(...readText(value, place, { ...options, replayed: result.replayed }));
        else if (typeof value === 'object' && value !== null)
            open.push(...listParts(value, place));
    }
    return found;
}
function tracePath(place) {
    const path = [];
    for (let at = place; at?.step !== undefined; at = at.outer)
        path.push(at.step);
    return path.reverse();
}
/** Last one first, so that taking from the end keeps the order. */
function listParts(value, outer) {
    const entries = Array.isArray(value)
        ? value.map((part, index) => [index, part])
        : Object.entries(value);
    return entries.map(([step, part]) => ({ value: part, outer, step })).reverse();
}
function readText(text, place, options) {
    if (place.step === 'bytesBase64Encoded')
        return inline(text, place);
    const data = /^data:([^;,]{0,200})(?:;[^;,]{0,200}){0,9};base64,/i.exec(text);
    if (data !== null)
        return inline(text.slice(data[0].length), place, data[1]);
    if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
        return [];
    const until = options.replayed ? undefined : validUntil(text, isDirectWrite(text, tracePath(place)), options);
    return [
        { kind: 'url', path: tracePath(place), url: text, ...(until === undefined ? {} : { validUntilAtMost: until }) },
    ];
}
/** `response.videos[].gcsUri`, signed by the service; a provider's own output may use the name elsewhere. */
function isDirectWrite(url, [first, second, index, last, ...deeper]) {
    const isMember = first === 'response' && second === 'videos' && typeof index === 'number' && last === 'gcsUri';
    return isMember && deeper.length === 0 && new URL(url).protocol === 'https:';
}
function validUntil(url, isSigned, { model, receivedAt, hosting = [] }) {
    const { origin } = new URL(url);
    const names = (one) => one === model || (one.endsWith('/') && model.startsWith(one));
    const host = hosting.find(({ models, origins }) => models.some(names) && origins.includes(origin));
    const hours = isSigned ? directWriteHours : host?.hours;
    return hours === undefined ? undefined : receivedAt + hours * hourMs;
}
function inline(text, place, mediaType) {
    try {
        const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
        const named = mediaType ? { mediaType: mediaType.toLowerCase() } : {};
        return [{ kind: 'inline', path: tracePath(place), bytes, ...named }];
    }
    catch {
        return []; // no base64, so no asset
    }
}
