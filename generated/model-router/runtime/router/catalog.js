/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { isObject, toObject } from '../http/read-body.js';
import { formatQuery, modelUrl, splitId } from './model-address.js';
import { ask } from './policy.js';
/** Neither a page, a document nor a cursor is longer, and no catalog has more pages. */
const maxBytes = 16 * 1024 * 1024;
/** Every model, page by page. A listing is no snapshot: models may be added behind the current position. */
export async function* listModels(limit, startPage) {
    const seen = new Set();
    let cursor;
    const parse = ({ body }) => {
        const { data, has_more: hasMore, next_cursor: next } = toObject(body);
        if (!Array.isArray(data) || typeof hasMore !== 'boolean')
            return 'model list';
        const entries = data.map(readEntry).filter((one) => one !== undefined);
        if (entries.length < data.length)
            return entryIsDue;
        if (!hasMore)
            return { entries, next: undefined };
        // Neither a silent end nor an endless loop (MR-CAT-26).
        const isNext = typeof next === 'string' && next !== '' && next.length <= 2048 && !seen.has(next);
        if (isNext && seen.size < 10_000)
            return { entries, next };
        return 'whole list: the next cursor is missing or too long, an earlier one, or one too many';
    };
    do {
        const call = startPage();
        const url = `${call.client.baseUrl}/v2/models${formatQuery({ limit: limit?.toString(), cursor })}`;
        const page = await ask({ identity: { operation: 'models' }, repetition: 'read', url, maxBytes, parse }, call);
        yield* page.entries;
        cursor = page.next;
        seen.add(cursor ?? '');
    } while (cursor !== undefined);
}
const entryIsDue = 'catalog of models with their ids';
function readEntry(raw) {
    if (!isObject(raw))
        return undefined;
    const { id, billing, input_schema_url: url } = raw;
    if (typeof id !== 'string')
        return undefined;
    const [provider, model] = splitId(id);
    if (provider === undefined || model === undefined)
        return undefined;
    const word = isObject(billing) ? billing['charges_on_policy_rejection'] : undefined;
    return {
        id,
        provider,
        model,
        chargesOnPolicyRejection: word === 'yes' || word === 'no' ? word : 'unknown',
        ...(typeof url === 'string' ? { inputSchemaUrl: url } : {}),
        raw,
    };
}
export async function readModel(identity, call) {
    const url = modelUrl(call.client.baseUrl, identity);
    const parse = ({ body }) => readEntry(toObject(body)) ?? entryIsDue;
    return await ask({ identity, repetition: 'read', url, maxBytes, parse }, call);
}
/** The schema document of a model, or word that the one with this entity tag still holds. Nothing is cached here. */
export async function readSchema(identity, known, call) {
    const url = `${modelUrl(call.client.baseUrl, identity)}/openapi.json`;
    const parse = ({ status, response, body }) => {
        const etag = response.headers.get('etag') ?? undefined;
        if (status === 304)
            return { notModified: true, etag: etag ?? known ?? '' };
        return body.kind === 'json' ? { notModified: false, etag, document: body.value } : 'JSON document';
    };
    const condition = known === undefined ? {} : { headers: { 'If-None-Match': known }, successes: [200, 304] };
    return await ask({ identity, repetition: 'read', url, maxBytes, parse, ...condition }, call);
}
