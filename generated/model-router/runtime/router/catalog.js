/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { isObject, toObject } from '../http/read-body.js';
import { ask, failProtocol } from './ask.js';
import { formatQuery, modelUrl } from './model-address.js';
/** Neither a page, a document nor a cursor is longer, and no catalog has more pages. */
const maxBytes = 16 * 1024 * 1024;
const mostPages = 10_000;
const longestCursor = 2048;
/** Every model, page by page. A listing is no snapshot: models may be added behind the current position. */
export async function* listModels(limit, startPage) {
    const seen = new Set();
    let cursor;
    for (;;) {
        const work = startPage();
        const url = `${work.baseUrl}/v2/models${formatQuery({ limit: limit?.toString(), cursor })}`;
        const answer = await ask({ operation: 'models', url, repetition: 'read', maxBytes }, work);
        const { data: entries, has_more: hasMore, next_cursor: next } = toObject(answer.body);
        if (!Array.isArray(entries) || typeof hasMore !== 'boolean')
            throw failProtocol(answer, 'model list', work);
        for (const entry of entries)
            yield readEntry(answer, entry, work);
        if (!hasMore)
            return;
        // Neither a silent end nor an endless loop (MR-CAT-26).
        const isText = typeof next === 'string' && next !== '' && next.length <= longestCursor;
        if (!isText || seen.has(next) || seen.size === mostPages) {
            const what = isText ? 'an earlier one, or one too many' : 'missing or too long';
            throw failProtocol(answer, `whole list: more models are promised, and the next cursor is ${what}`, work);
        }
        seen.add(next);
        cursor = next;
    }
}
function readEntry(answer, raw, work) {
    const { id, billing, input_schema_url: url } = isObject(raw) ? raw : {};
    const [, provider, model] = (typeof id === 'string' && /^([^/]*)\/(.*)$/s.exec(id)) || [];
    if (!isObject(raw) || typeof id !== 'string' || provider === undefined || model === undefined)
        throw failProtocol(answer, 'catalog of models with their ids', work);
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
export async function readModel(id, work) {
    const identity = { operation: 'model', model: id };
    const url = modelUrl(work.baseUrl, id, identity);
    const answer = await ask({ ...identity, url, repetition: 'read', maxBytes }, work);
    return readEntry(answer, toObject(answer.body), work);
}
/** The schema document of a model, or word that the one with this entity tag still holds. Nothing is cached here. */
export async function readSchema(id, etag, work) {
    const identity = { operation: 'schema', model: id };
    const headers = etag === undefined ? {} : { 'If-None-Match': etag };
    const url = `${modelUrl(work.baseUrl, id, identity)}/openapi.json`;
    const isSuccess = (status) => status === 200 || (status === 304 && etag !== undefined);
    const answer = await ask({ ...identity, url, headers, repetition: 'read', isSuccess, maxBytes }, work);
    const tag = answer.response.headers.get('etag') ?? undefined;
    if (answer.status === 304)
        return { notModified: true, etag: tag ?? etag ?? '' };
    if (answer.body.kind !== 'json')
        throw failProtocol(answer, 'JSON document', work);
    return { notModified: false, etag: tag, document: answer.body.value };
}
