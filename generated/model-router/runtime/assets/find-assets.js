/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { parseUrl } from '../http/base-url.js';
/** Finds every URL and every inline asset in an output. URLs expire, so download soon. */
export function findAssets({ data, mediaType }) {
    const found = [];
    // A list instead of recursion, because an output may be deeply nested.
    const unvisited = [{ value: data }];
    for (let entry = unvisited.pop(); entry !== undefined; entry = unvisited.pop()) {
        const { value } = entry;
        if (value instanceof Uint8Array)
            found.push(toAsset({ kind: 'inline', bytes: value }, entry, readType(entry) ?? mediaType));
        else if (typeof value === 'string')
            found.push(...findInText(value, entry));
        // In reverse order, because the loop takes values from the end of `unvisited`.
        else if (Array.isArray(value))
            for (let step = value.length - 1; step >= 0; step--)
                unvisited.push({ value: value[step], parent: entry, step });
        else
            for (const [step, part] of Object.entries(Object(value)).reverse())
                unvisited.push({ value: part, parent: entry, step });
    }
    return found;
}
/** Computes the path on demand: all paths of a deeply nested output together can be far longer than the output. */
function toAsset(content, entry, type) {
    const mediaType = type?.split(';', 1)[0]?.trim().toLowerCase();
    return {
        ...content,
        get path() {
            const path = [];
            for (let at = entry; at?.step !== undefined; at = at.parent)
                path.push(at.step);
            return path.reverse();
        },
        ...(mediaType ? { mediaType } : {}),
    };
}
/** Names of members with base64 data, for example `bytesBase64Encoded`, `bytes_base64` and `b64_json`. */
const base64Name = /base64|^b64_/i;
const dataUrl = /^data:([^;,]{0,200})(?:;[^;,]{0,200}){0,9};base64,/i;
function findInText(text, entry) {
    const isBase64 = base64Name.test(String(entry.step));
    const [head = '', type = readType(entry)] = (isBase64 ? undefined : dataUrl.exec(text)) ?? [];
    if (!isBase64 && head === '') {
        const isUrl = parseUrl(text).origin !== undefined;
        return isUrl ? [toAsset({ kind: 'url', url: text }, entry, type)] : [];
    }
    try {
        const bytes = Uint8Array.from(atob(text.slice(head.length)), (character) => character.charCodeAt(0));
        return [toAsset({ kind: 'inline', bytes }, entry, type)];
    }
    catch {
        return []; // The text is not base64.
    }
}
const typeNames = ['mimeType', 'mime_type', 'mediaType', 'media_type', 'contentType', 'content_type'];
function readType({ parent }) {
    const { value } = parent ?? {};
    if (typeof value !== 'object' || value === null || Array.isArray(value))
        return undefined;
    const types = typeNames.map((name) => Reflect.get(value, name));
    return types.find((type) => typeof type === 'string' && /^[\w.+-]+\/[\w.+-]+/.test(type));
}
