/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { readMediaType, toObject } from '../http/read-body.js';
import { readCategory, readResponseFacts } from './response-facts.js';
import { createErrorOfAnswer, isBilled } from './router-error.js';
/** Completes a specification: how the request is sent, and how its responses are interpreted. */
export function createPolicy(spec, call) {
    const { identity, repetition, successes = [200], parse, url } = spec;
    const { operation, model, idempotencyKey, queued } = identity;
    const { client, redact } = call;
    return {
        ...spec,
        facts: { operation, model, idempotencyKey },
        isAdmitted: queued !== undefined || identity.mayHaveRun,
        acquire: isBilled(identity) ? (limitMs) => client.limits.acquire(call, limitMs) : undefined,
        decide({ response, body: given, end }, { attempts, mayHaveRun }) {
            const { status, headers } = response;
            const { brand } = client.facts;
            const facts = readResponseFacts(headers, brand, redact);
            const mediaType = readMediaType(headers);
            let body = given;
            if (response.ok && isProxyPage(spec, mediaType, given, facts)) {
                if (given.kind === 'stream')
                    end();
                const why = `the body is ${mediaType || 'of no media type'}, not from the router`;
                body = { ...given, kind: 'broken', why };
            }
            const category = readCategory(headers.get(`x-${brand}-error-type`) ?? '', toObject(body)['error_type'], redact);
            client.limits.update(status, category.known, facts);
            const answered = { status, body, facts, category, response };
            const isReadable = body.kind !== 'broken' && (body.kind !== 'empty' || status === 304);
            const isSuccess = successes.includes(status);
            const result = isSuccess && isReadable ? parse({ ...answered, identity, url, end, attempts }) : '';
            if (typeof result !== 'string')
                return { facts, result };
            const isBroken = isSuccess && status < 300;
            // A retry would get the same wrong body, except for a polled state.
            const isWrong = isBroken && isReadable && repetition !== 'poll' && status !== 202;
            // An incomplete success is treated as a lost response: the same key gets the result again.
            const isLost = isBroken && !isReadable;
            const { next, mayRun } = isLost
                ? { next: body.isFinal ? undefined : { isRequested: repetition === 'poll' }, mayRun: true }
                : decideNext(spec, answered);
            const isRetryable = repetition !== 'unkeyed' && !isWrong && next !== undefined;
            let broken = isReadable ? `the body is not a ${result}` : (body.why ?? 'the body cannot be read');
            if (isLost && body.isFinal && idempotencyKey !== undefined)
                broken += `; as: 'stream' collects it with the key ${idempotencyKey}`;
            const options = { redact, attempts, isRetryable, broken: isBroken ? broken : undefined };
            return {
                facts,
                type: isBroken ? undefined : category.known,
                error: createErrorOfAnswer({ ...identity, mayHaveRun: identity.mayHaveRun || mayHaveRun }, answered, options),
                next: isRetryable ? next : undefined,
                mayHaveRun: mayRun,
                // The service is still waiting for the output, and another attempt collects it.
                isAdmitted: isRetryable && next.isRequested && status !== 429,
            };
        },
    };
}
/** True for a successful response whose body is a proxy page. Any other output has been paid for, so it is delivered whatever its type. */
function isProxyPage({ isOutput = false, outputMediaTypes: types }, mediaType, { kind }, { requestId }) {
    if (mediaType === 'text/html' || mediaType === 'text/plain')
        return requestId === undefined && !(isOutput && types?.some((one) => one.startsWith('text/')));
    // If a model only returns JSON, a different body without a media type is not its output.
    const isJsonOnly = isOutput && types?.every((one) => one.endsWith('json'));
    return mediaType === '' && isJsonOnly === true && (kind === 'bytes' || kind === 'text');
}
// Decides by status and category (MR-IDM-05 to MR-IDM-16). `mayRun`: the call may have reached a provider (MR-IDM-20).
function decideNext({ repetition, endsWith }, { status, category: { known }, facts: { retryAfterMs: ms, requestId }, body }) {
    const isPoll = repetition === 'poll';
    const isCollection = repetition === 'collect';
    // Probably from a proxy or a gateway.
    const isFromProxy = status === 400 && requestId === undefined && typeof toObject(body)['detail'] !== 'string';
    // The status 0 is a redirect that the browser hides.
    const mayHaveReachedProvider = (status > 0 && status < 300) || status >= 500 || status === 408 || isFromProxy;
    const isConcurrencyLimit = known === 'concurrency_limit_exceeded';
    // A gateway may have replaced the body, and with it the category.
    const isWaitWithoutCategory = ms !== undefined && known === 'internal_error';
    const mayRun = mayHaveReachedProvider || (status === 409 && (isConcurrencyLimit || isWaitWithoutCategory));
    const retry = (isRequested) => ({ next: { isRequested, ms }, mayRun });
    const stop = { next: undefined, mayRun };
    if (status === 409) {
        const isRunning = repetition === 'keyed' ? mayRun : (isPoll || isCollection) && isWaitWithoutCategory;
        return isRunning ? retry(true) : stop;
    }
    if (status === 504 && ms !== undefined && known === 'deadline_exceeded')
        return retry(true);
    if (status === 429 && (ms !== undefined || isConcurrencyLimit || known === 'rate_limited'))
        return retry(true);
    // Categories that are final for a queued request; its status may have reported one (MR-CTG-21, MR-CTG-23).
    const finalCategories = [endsWith, 'cancelled', 'queue_timeout', 'content_policy_violation'];
    if ((isPoll || isCollection || repetition === 'read') && finalCategories.includes(known))
        return stop;
    if (status === 404) {
        const isLagging = isPoll || (isCollection && endsWith === undefined); // A replica may lag behind.
        return isLagging ? retry(false) : stop;
    }
    return mayHaveReachedProvider || status === 425 || status === 429 ? retry(isPoll) : stop;
}
