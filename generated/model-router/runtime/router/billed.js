/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { DeadlinePassed, within } from '../http/clock.js';
import { explainEnd, send } from '../http/send.js';
import { fromStore, newRun, refuse } from './failures.js';
import { printInput, refuseInvalid } from './input.js';
import { isSameCall, keyLifetimeMs } from './key-store.js';
import { formatQuery, modelUrl } from './model-address.js';
import { toPolicy } from './policy.js';
import { collectOrLeave, readAdmitted } from './queue.js';
import { kept, leaveLate, toResult } from './results.js';
import { isRouterError } from './router-error.js';
export async function run(model, input, options, call) {
    const { modelProvider, fallbackProvider, strictMode, settle } = options;
    const identity = identify('run', model);
    if (strictMode === true && modelProvider === undefined)
        throw refuse(identity, 'strictMode needs modelProvider');
    if (options.as === 'stream' && typeof ReadableStream !== 'function')
        throw refuse(identity, "this platform has no ReadableStream, which as: 'stream' gives");
    const query = formatQuery({
        model_provider: modelProvider,
        strict_mode: strictMode?.toString(),
        fallback_provider: fallbackProvider,
    });
    const url = modelUrl(call.client.baseUrl, identity) + query;
    const request = { identity, model, url, body: readInput(input, identity, options), parse: asOutput };
    return await toResult(await sendBilled(request, options, call), settle, call);
}
/** Puts a run into the queue. */
export async function enqueue(model, input, options, call) {
    const identity = identify('submit', model);
    const url = `${modelUrl(call.client.baseUrl, identity)}/requests`;
    return await admit({ identity, model, url, body: readInput(input, identity, options) }, options, call);
}
const asOutput = (answer) => answer;
const identify = (operation, { id, chargesOnPolicyRejection, inputAuthored }) => ({ operation, model: id, chargesOnPolicyRejection, inputAuthored });
function readInput(input, identity, { validate }) {
    const body = printInput(input, identity);
    if (validate)
        refuseInvalid(body, validate, identity);
    return body;
}
/** Sends a submission, and keeps where the admitted request is. */
async function admit(request, options, call, stored) {
    const parse = (answer) => readAdmitted(answer, request.model, call);
    const admitted = await sendBilled({ ...request, parse }, options, call, stored);
    const { idempotencyKey: key, queued } = admitted.queued;
    if (key !== undefined)
        await kept(() => call.client.keys.admit(key, queued), call);
    return admitted;
}
/** Sends a run or a submission; with a key, the call is in the store before its first byte is sent (MR-IDM-37). */
async function sendBilled(request, { idempotencyKey: given, as }, call, resumed) {
    const { client } = call;
    const { url, body, parse, model } = request;
    const isOutput = request.identity.operation === 'run';
    const question = {
        ...{ identity: request.identity, url, body, parse, isOutput },
        // Another provider has outputs of its own.
        outputMediaTypes: /[?&](model|fallback)_provider=/.test(url) ? undefined : model.outputMediaTypes,
        repetition: given === false ? 'unkeyed' : 'keyed',
        // A replayed submission may be answered with the status of every replay (MR-IDM-03), and a gateway may change that of a run.
        successes: [200, 201],
        isStream: isOutput && as === 'stream',
        timeoutMs: client.runTimeoutMs,
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
    };
    if (given === false)
        return await send(call, toPolicy(question, call));
    const { stored, isNew } = resumed
        ? { stored: resumed, isNew: false }
        : await openCall(request, given ?? undefined, call);
    const key = stored.idempotencyKey;
    const identity = { ...request.identity, idempotencyKey: key, mayHaveRun: !isNew };
    const at = stored.firstSentAt + keyLifetimeMs - 5 * 60_000; // a key must not run out while it is on its way
    const message = `the key ${key} is older than 24 hours, or nearly so: its output can no longer be fetched, and ${newRun}`;
    if (client.clock.now() >= at) {
        await leaveLate(identity, 'done', call);
        const until = stored.isExplicit
            ? `. The key stays refused as long as the key store knows it; forget('${key}') ends that`
            : '';
        throw refuse(identity, message + until);
    }
    const headers = { ...question.headers, 'Idempotency-Key': key };
    try {
        return await send(call, toPolicy({ ...question, identity, headers, expiry: { at, message } }, call));
    }
    catch (error) {
        await leaveLate(identity, decideLeaving(error, isNew), call);
        throw error;
    }
}
/**
 * How a call that failed leaves the store. A refusal is one only of the attempt that it answers: where an earlier one may have been
 * accepted, the key is kept, which costs nothing.
 */
function decideLeaving(error, isNew) {
    if (!isRouterError(error))
        return 'open';
    const { kind, attempts, mayBeBilled } = error;
    const isUnsent = attempts === 0 || ((kind === 'network' || kind === 'local') && !mayBeBilled);
    if (isNew && isUnsent)
        return 'unspent';
    if (kind === 'aborted')
        return 'aborted';
    if (kind !== 'router' && kind !== 'validation')
        return 'open';
    if (error.facts.replayed || (error.status === 409 && error.category.known === 'invalid_input'))
        return 'done';
    return isNew && attempts === 1 && !error.isRetryable && error.status < 500 ? 'unspent' : 'open';
}
/** Records a call before it is sent, or finds it. A store that hangs is given a minute. */
async function openCall({ identity, url, body }, given, call) {
    const { client, signal, endsAt } = call;
    const { clock, keys, recoverScope } = client;
    const { operation, model } = identity;
    const idempotencyKey = given ?? call.id;
    if (!/^[\x21-\x7e]{1,255}$/.test(idempotencyKey))
        throw refuse(identity, 'the option idempotencyKey has 1 to 255 visible ASCII characters');
    const keyed = { ...identity, idempotencyKey };
    const made = {
        ...{ idempotencyKey, operation, model, url, body },
        owner: await client.credential.owner(),
        firstSentAt: clock.now(),
        isExplicit: given !== undefined,
        ...(recoverScope === undefined ? {} : { recoverScope }),
    };
    const opening = fromStore(keys.begin(made), keyed);
    try {
        const bounded = () => within(opening, { clock, signal, endsAt }, 60_000, () => '; the key store gave no answer');
        const opened = await (client.hasOwnKeys ? opening : bounded());
        if (isSameCall(opened.stored, made))
            return opened;
    }
    catch (error) {
        if (error instanceof DeadlinePassed || signal?.aborted)
            // What the store writes down too late was never sent.
            void opening.then(async ({ stored, isNew }) => isSameCall(stored, made) && leaveLate(stored, isNew ? 'unspent' : 'open', call), () => undefined);
        throw explainEnd(error, keyed, { attempts: 0, isOpen: false }, call);
    }
    // The call that is under way with the key goes on.
    throw refuse(keyed, `the key ${idempotencyKey} belongs to another request, or to another owner of the credential`);
}
/** Goes on with a call that the key store holds. */
export async function resume(reference, options, call) {
    const { client } = call;
    const { idempotencyKey, operation = 'run' } = reference;
    const listed = { operation, model: reference.model, idempotencyKey };
    const stored = await fromStore(client.keys.take(idempotencyKey), listed);
    if (stored === undefined)
        throw refuse(listed, `nothing is pending under the key ${idempotencyKey}, or another process works on it`);
    try {
        const { url, queued } = stored;
        const model = typeof options.model === 'object' ? options.model : { id: options.model ?? stored.model };
        const identity = identify(stored.operation, model);
        const keyed = { ...identity, idempotencyKey, mayHaveRun: true };
        const { origin } = new URL(url);
        if (model.id !== stored.model)
            throw refuse(keyed, `the call is one of ${stored.model}, and not of ${model.id}`);
        if (stored.owner !== (await client.credential.owner()))
            throw refuse(keyed, 'the call was sent with another credential; set credentialScope if both have one owner');
        if (!client.trustedOrigins.has(origin))
            throw refuse(keyed, `the call was sent to ${origin}, which is not in trustedOrigins`);
        if (queued !== undefined && !stored.isDone)
            return await collectOrLeave({ model, queued, idempotencyKey }, options, call);
        const body = options.input === undefined ? stored.body : printInput(options.input, keyed);
        if (body === undefined)
            throw refuse(keyed, 'the key store no longer has its input: give it as the option input');
        if (!isSameCall({ ...stored, body }, stored))
            throw refuse(keyed, 'the input is not the one of the call');
        const request = { identity, model, url, body };
        if (stored.operation === 'submit') {
            const admitted = await admit(request, {}, call, stored);
            return await collectOrLeave(admitted.queued, options, call);
        }
        const answer = await sendBilled({ ...request, parse: asOutput }, {}, call, stored);
        return await toResult(answer, options.settle, call);
    }
    catch (error) {
        // It does nothing for a call that has left already.
        await leaveLate({ idempotencyKey }, 'open', call);
        throw error;
    }
}
