/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { isObject, toObject } from '../http/read-body.js';
import { send } from '../http/send.js';
import { formatQuery, modelUrl, splitId } from './model-address.js';
import { toPolicy } from './policy.js';
/** The largest page or document. */
const maxBytes = 16 * 1024 * 1024;
/** Every model, page by page. A listing is not a snapshot: models may be added behind the current position. */
export async function* listModels(limit, startPage) {
    const seen = new Set();
    let cursor;
    do {
        const page = await readPage({ limit, cursor }, startPage(), seen);
        yield* page.models;
        cursor = page.nextCursor;
        seen.add(cursor ?? '');
    } while (cursor !== undefined);
}
/** One page. `seen` has the cursors of earlier ones. */
export function readPage({ limit, cursor }, call, seen = new Set(cursor === undefined ? [] : [cursor])) {
    const url = `${call.client.baseUrl}/v2/models${formatQuery({ limit: limit?.toString(), cursor })}`;
    const parse = ({ body }) => {
        const { data, has_more: hasMore, next_cursor: next } = toObject(body);
        if (!Array.isArray(data) || typeof hasMore !== 'boolean')
            return 'model list';
        const models = data.map(readEntry).filter((one) => one !== undefined);
        if (models.length < data.length)
            return entryIsDue;
        if (!hasMore)
            return { models, nextCursor: undefined };
        // Neither a silent end nor an endless loop (MR-CAT-26).
        const isNext = typeof next === 'string' && next !== '' && next.length <= 2048 && !seen.has(next);
        if (isNext && seen.size < 10_000)
            return { models, nextCursor: next };
        return 'whole list: the next cursor is missing or too long, an earlier one, or one too many';
    };
    const question = { identity: { operation: 'models' }, repetition: 'read', url, maxBytes, parse };
    return send(call, toPolicy(question, call));
}
const entryIsDue = 'catalog of models with their ids';
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
export function readModel(identity, call) {
    const url = modelUrl(call.client.baseUrl, identity);
    const parse = ({ body }) => readEntry(toObject(body)) ?? entryIsDue;
    return send(call, toPolicy({ identity, repetition: 'read', url, maxBytes, parse }, call));
}
/** The schema document of a model, or word that the one with this entity tag still holds. Nothing is cached here. */
export function readSchema(identity, known, call) {
    const url = `${modelUrl(call.client.baseUrl, identity)}/openapi.json`;
    const parse = ({ status, response, body }) => {
        const etag = response.headers.get('etag') ?? undefined;
        if (status === 304)
            return { notModified: true, etag: etag ?? known ?? '' };
        return body.kind === 'json' ? { notModified: false, etag, document: body.value } : 'JSON document';
    };
    const condition = known === undefined ? {} : { headers: { 'If-None-Match': known }, successes: [200, 304] };
    return send(call, toPolicy({ identity, repetition: 'read', url, maxBytes, parse, ...condition }, call));
}
