/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { perform } from './call.js';
import { isRecord, protocolFailure } from './failures.js';
import { modelUrl, queryOf } from './model-address.js';
const readTimeoutMs = 60_000;
/** Every model, page by page. A listing is no snapshot: models may be added behind the current position. */
export async function* listModels({ limit, timeOf }, connection) {
    const identity = { operation: 'models' };
    const seen = new Set();
    let cursor;
    for (;;) {
        const url = `${connection.baseUrl}/v2/models${queryOf({ limit: limit?.toString(), cursor })}`;
        const answer = await read({ identity, url, time: timeOf() }, connection);
        const page = readPage(identity, answer);
        for (const entry of page.entries)
            yield readEntry(identity, answer, entry);
        if (!page.hasMore)
            return;
        // Neither a silent end nor an endless loop (MR-CAT-26).
        if (page.next === undefined || seen.has(page.next))
            throw protocolFailure(identity, answer, `more models are promised, and the next cursor is ${page.next === undefined ? 'missing' : 'an earlier one'}`);
        seen.add(page.next);
        cursor = page.next;
    }
}
function readPage(identity, answer) {
    const body = answer.body.kind === 'json' ? answer.body.value : undefined;
    if (!isRecord(body) || !Array.isArray(body['data']) || typeof body['has_more'] !== 'boolean')
        throw protocolFailure(identity, answer, 'the body is no model list');
    const next = body['next_cursor'];
    return {
        entries: body['data'],
        hasMore: body['has_more'],
        next: typeof next === 'string' && next !== '' ? next : undefined,
    };
}
function readEntry(identity, answer, raw) {
    if (!isRecord(raw) || typeof raw['id'] !== 'string' || !raw['id'].includes('/'))
        throw protocolFailure(identity, answer, 'an entry has no model id');
    const { id, billing } = raw;
    const word = isRecord(billing) ? billing['charges_on_policy_rejection'] : undefined;
    const slash = id.indexOf('/'); // checked above
    return {
        id: id,
        provider: id.slice(0, slash),
        model: id.slice(slash + 1),
        chargesOnPolicyRejection: word === 'yes' || word === 'no' ? word : 'unknown',
        raw,
    };
}
export async function readModel(id, time, connection) {
    const identity = { operation: 'model', model: id };
    const answer = await read({ identity, url: modelUrl(connection.baseUrl, id, identity), time }, connection);
    return readEntry(identity, answer, answer.body.kind === 'json' ? answer.body.value : undefined);
}
/** The schema document of a model, or word that the one with this entity tag still holds. Nothing is cached here. */
export async function readSchema(id, { etag, time }, connection) {
    const identity = { operation: 'schema', model: id };
    const headers = etag === undefined ? {} : { 'If-None-Match': etag };
    const url = `${modelUrl(connection.baseUrl, id, identity)}/openapi.json`;
    const answer = await read({ identity, url, headers, time }, connection);
    const tag = answer.response.headers.get('etag') ?? undefined;
    if (answer.status === 304)
        return { notModified: true, etag: tag ?? etag ?? '' };
    if (answer.body.kind !== 'json')
        throw protocolFailure(identity, answer, 'the body is no JSON document');
    return { notModified: false, etag: tag, document: answer.body.value };
}
function read({ identity, url, headers = {}, time }, connection) {
    const isSuccess = (status) => status === 200 || (status === 304 && 'If-None-Match' in headers);
    const outgoing = { method: 'GET', url, headers };
    return perform({ ...identity, repetition: 'read', outgoing, isSuccess, timeoutMs: readTimeoutMs, time }, connection);
}
