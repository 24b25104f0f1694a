/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { isSegment } from '../http/base-url.js';
import { refuse } from './router-error.js';
export const toModel = (target) => typeof target === 'string' ? { id: target } : target; // No value has the type NothingImported.
export const splitId = (id) => /^([^/]*)\/(.*)$/s.exec(id)?.slice(1) ?? [];
/** Returns the URL of the call's model. Throws a `local` error for an id that is not `provider/model`. */
export function modelUrl(baseUrl, call) {
    const segments = splitId(call.model); // Required by MR-CAT-33.
    if (segments.length === 0 || !segments.every(isSegment) || call.model.length > 193)
        throw refuse(call, 'a model id must have the form provider/model');
    return `${baseUrl}/v2/models/${segments.map(encodeURIComponent).join('/')}`;
}
/** Returns a query string with its question mark; empty without values. */
export function formatQuery(values) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(values))
        if (value !== undefined)
            query.append(name, value);
    const text = query.toString();
    return text === '' ? '' : `?${text}`;
}
