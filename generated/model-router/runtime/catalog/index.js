/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { performCall, readDeadlineMs, startCall } from '../http/call.js';
import { isObject, toObject } from '../http/read-body.js';
import { send } from '../http/send.js';
import { buildModelUrl, connectionOf, formatQuery, splitId, } from '../router/connection.js';
import { createPolicy } from '../router/policy.js';
const maxBytes = 16 * 1024 * 1024;
const listOperation = { operation: 'listModels' };
/** Lists all models; one that is added meanwhile may be missed. Default deadline: 2 minutes for each page. */
export function listModels(router, options = {}) {
    const client = router[connectionOf];
    const start = () => startCall(client, listOperation, { defaultMs: readDeadlineMs, options: ['limit'] }, options);
    const sharedCall = start();
    const readAll = async function* () {
        const seen = new Set();
        let cursor;
        do {
            const call = options.deadlineMs === undefined ? start() : sharedCall;
            const page = await readPage({ limit: options.limit, cursor }, call, seen);
            yield* page.models;
            cursor = page.nextCursor;
            seen.add(cursor ?? '');
        } while (cursor !== undefined);
    };
    return readAll();
}
/** Reads one page of the catalog. `cursor`: `nextCursor` of the previous page. */
export function listModelsPage(router, options = {}) {
    const client = router[connectionOf];
    const { cursor } = options;
    const method = { defaultMs: readDeadlineMs, options: ['limit', 'cursor'] };
    return performCall(client, listOperation, method, options, (call) => readPage(options, call, new Set(cursor === undefined ? [] : [cursor])));
}
/** Reads the entry of one model. */
export function readModel(router, model, options) {
    const client = router[connectionOf];
    const identity = { operation: 'readModel', model };
    return performCall(client, identity, { defaultMs: readDeadlineMs }, options, (call) => {
        const parse = ({ body }) => readEntry(toObject(body)) ?? expectedEntries;
        const url = buildModelUrl(client, identity);
        return send(call, createPolicy({ identity, repetition: 'read', url, maxBytes, parse }, call));
    });
}
/** Reads the schema document of a model; with `etag`, only if it changed. Nothing is cached. */
export function readModelSchema(router, model, options = {}) {
    const client = router[connectionOf];
    const identity = { operation: 'readModelSchema', model };
    const { etag: knownEtag } = options;
    const parse = ({ status, response, body }) => {
        const etag = response.headers.get('etag') ?? undefined;
        if (status === 304)
            return { notModified: true, etag: etag ?? knownEtag ?? '' };
        return body.kind === 'json' ? { notModified: false, etag, document: body.value } : 'JSON document';
    };
    return performCall(client, identity, { defaultMs: readDeadlineMs, options: ['etag'] }, options, (call) => {
        const url = `${buildModelUrl(client, identity)}/openapi.json`;
        const condition = knownEtag === undefined ? {} : { headers: { 'If-None-Match': knownEtag }, successes: [200, 304] };
        return send(call, createPolicy({ identity, repetition: 'read', url, maxBytes, parse, ...condition }, call));
    });
}
/** `seen`: cursors of earlier pages. */
function readPage({ limit, cursor }, call, seen) {
    const url = `${call.client.baseUrl}/v2/models${formatQuery({ limit: limit?.toString(), cursor })}`;
    const parse = ({ body }) => {
        const { data, has_more: hasMore, next_cursor: next } = toObject(body);
        if (!Array.isArray(data) || typeof hasMore !== 'boolean')
            return 'model list';
        const models = data.map(readEntry).filter((one) => one !== undefined);
        if (models.length < data.length)
            return expectedEntries;
        if (!hasMore)
            return { models, nextCursor: undefined };
        // Without these checks, a listing could end early or never end (MR-CAT-26).
        const isNext = typeof next === 'string' && next !== '' && next.length <= 2048 && !seen.has(next);
        if (isNext && seen.size < 10_000)
            return { models, nextCursor: next };
        return 'complete list: the next cursor is missing, too long or repeated, or there are too many pages';
    };
    return send(call, createPolicy({ identity: listOperation, repetition: 'read', url, maxBytes, parse }, call));
}
const expectedEntries = 'catalog of models with their ids';
function readEntry(raw) {
    if (!isObject(raw))
        return undefined;
    const { id, billing, input_schema_url: url } = raw;
    const [provider, model] = typeof id === 'string' ? splitId(id) : [];
    if (typeof id !== 'string' || provider === undefined || model === undefined)
        return undefined;
    const word = isObject(billing) ? billing['charges_on_policy_rejection'] : undefined;
    const chargesOnPolicyRejection = word === 'yes' || word === 'no' ? word : 'unknown';
    const schema = typeof url === 'string' ? { inputSchemaUrl: url } : {};
    return { id, provider, model, chargesOnPolicyRejection, ...schema, raw };
}
