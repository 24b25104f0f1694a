/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { isSegment } from '../http/base-url.js';
import { refuse } from './failures.js';
/** The facts of a model that a caller named by them or by its id. */
export const toModel = (target) => (typeof target === 'string' ? { id: target } : target);
/** Provider and model of an id; nothing for another text. */
export const splitId = (id) => /^([^/]*)\/(.*)$/s.exec(id)?.slice(1) ?? [];
/** The address of the model of a call, from its id `{provider}/{model}` (MR-CAT-33). Throws a `local` error for anything else. */
export function modelUrl(baseUrl, call) {
    const segments = splitId(call.model);
    if (segments.length === 0 || !segments.every(isSegment) || call.model.length > 193)
        throw refuse(call, 'a model id has the form provider/model');
    return `${baseUrl}/v2/models/${segments.map(encodeURIComponent).join('/')}`;
}
/** With its question mark; empty when no value is given. */
export function formatQuery(values) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(values))
        if (value !== undefined)
            query.append(name, value);
    const text = query.toString();
    return text === '' ? '' : `?${text}`;
}
