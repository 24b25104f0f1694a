/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { isObject, toObject } from '../http/read-body.js';
import { perform } from './call.js';
import { protocolFailure } from './failures.js';
import { formatQuery, modelUrl } from './model-address.js';
/** Neither a page nor a document is longer, and no catalog has more pages. */
const maxBytes = 16 * 1024 * 1024;
const mostPages = 10_000;
/** Every model, page by page. A listing is no snapshot: models may be added behind the current position. */
export async function* listModels({ limit, startPage }, connection) {
    const identity = { operation: 'models' };
    const seen = new Set();
    let cursor;
    for (;;) {
        const url = `${connection.baseUrl}/v2/models${formatQuery({ limit: limit?.toString(), cursor })}`;
        const answer = await perform({ ...identity, url, repetition: 'read', maxBytes, time: startPage() }, connection);
        const page = readPage(identity, answer);
        for (const entry of page.entries)
            yield readEntry(identity, answer, entry);
        if (!page.hasMore)
            return;
        // Neither a silent end nor an endless loop (MR-CAT-26).
        if (page.next === undefined || seen.has(page.next) || seen.size === mostPages)
            throw protocolFailure(identity, answer, `more models are promised, and the next cursor is ${page.next === undefined ? 'missing' : 'an earlier one, or one too many'}`);
        seen.add(page.next);
        cursor = page.next;
    }
}
function readPage(identity, answer) {
    const { data: entries, has_more: hasMore, next_cursor: next } = toObject(answer.body);
    if (!Array.isArray(entries) || typeof hasMore !== 'boolean')
        throw protocolFailure(identity, answer, 'the body is no model list');
    return { entries, hasMore, next: typeof next === 'string' && next !== '' ? next : undefined };
}
function readEntry(identity, answer, raw) {
    const { id, billing, input_schema_url: url } = isObject(raw) ? raw : {};
    if (!isObject(raw) || typeof id !== 'string' || !id.includes('/'))
        throw protocolFailure(identity, answer, 'an entry has no model id');
    const word = isObject(billing) ? billing['charges_on_policy_rejection'] : undefined;
    const slash = id.indexOf('/');
    return {
        id,
        provider: id.slice(0, slash),
        model: id.slice(slash + 1),
        chargesOnPolicyRejection: word === 'yes' || word === 'no' ? word : 'unknown',
        ...(typeof url === 'string' ? { inputSchemaUrl: url } : {}),
        raw,
    };
}
export async function readModel(id, time, connection) {
    const identity = { operation: 'model', model: id };
    const url = modelUrl(connection.baseUrl, id, identity);
    const answer = await perform({ ...identity, url, repetition: 'read', maxBytes, time }, connection);
    return readEntry(identity, answer, toObject(answer.body));
}
/** The schema document of a model, or word that the one with this entity tag still holds. Nothing is cached here. */
export async function readSchema(id, { etag, time }, connection) {
    const identity = { operation: 'schema', model: id };
    const headers = etag === undefined ? {} : { 'If-None-Match': etag };
    const url = `${modelUrl(connection.baseUrl, id, identity)}/openapi.json`;
    const isSuccess = (status) => status === 200 || (status === 304 && etag !== undefined);
    const answer = await perform({ ...identity, url, headers, repetition: 'read', isSuccess, maxBytes, time }, connection);
    const tag = answer.response.headers.get('etag') ?? undefined;
    if (answer.status === 304)
        return { notModified: true, etag: tag ?? etag ?? '' };
    if (answer.body.kind !== 'json')
        throw protocolFailure(identity, answer, 'the body is no JSON document');
    return { notModified: false, etag: tag, document: answer.body.value };
}
