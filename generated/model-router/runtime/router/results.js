/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { systemClock, within } from '../http/clock.js';
import { present } from '../http/present.js';
import { readMediaType } from '../http/read-body.js';
import { explainEnd, explainLoss } from '../http/send.js';
import { guardStream } from '../http/stream.js';
import { fail, fromStore } from './failures.js';
/**
 * A result, whose call is over in the store: at once, or when a stream was read to its end, or when the caller settles it. Until then
 * the key collects the same result again. An output departs from its schema now and then; that is never an error here.
 */
export async function toResult(answer, settle, call) {
    const { facts, body, identity, url, attempts, status, end: close } = answer;
    const { idempotencyKey, queued } = identity;
    const { clock, keys, idleTimeoutMs } = call.client;
    let { response } = answer;
    let data = body.value;
    if (body.kind === 'stream') {
        response = guardStream(response, {
            ...{ clock, signal: call.signal, endsAt: call.endsAt, idleTimeoutMs, close },
            whenRead: async (isWhole) => {
                if (settle !== 'manual')
                    await leaveLate(identity, isWhole ? 'done' : 'open', call);
            },
            explain(cause) {
                // A stream that has begun may be billed, however its connection ended.
                const state = { attempts, isOpen: true, status, ...present({ requestId: facts.requestId }) };
                const ended = explainEnd(cause, identity, state, call);
                if (ended !== cause)
                    return ended;
                const { message, cause: why } = explainLoss(cause, true, call.redact);
                return fail(identity, { kind: 'network', message, cause: why, isRetryable: true, ...state });
            },
        });
        data = response.body;
    }
    else if (settle !== 'manual')
        await leaveLate(identity, 'done', call);
    if (settle === 'manual' && idempotencyKey !== undefined)
        await kept(() => keys.keepListed(idempotencyKey), call);
    const isConverted = /[?&]model_provider=(?!.*&strict_mode=true)/.test(url) || facts.fallbackProvider !== undefined;
    const result = {
        ...facts,
        data,
        ...(body.kind === 'json' ? present({ text: body.text }) : {}),
        mediaType: readMediaType(response.headers),
        response,
        settle: () => fromStore(leave(identity, 'done', call), identity),
        ...present({ idempotencyKey: queued === undefined ? idempotencyKey : undefined }),
    };
    return isConverted ? { ...result, mayBeUnconverted: true } : { ...result, mayBeUnconverted: false };
}
async function leave({ idempotencyKey: key, queued }, how, call) {
    const { keys } = call.client;
    if (key === undefined) {
        // A caller that collects by the request id may have submitted with the same store.
        if (how === 'done' && queued !== undefined)
            await keys.finishQueued(queued.requestId);
    }
    else if (how === 'done')
        await keys.finish(key);
    else if (how === 'unspent')
        await keys.forget(key);
    else
        await keys.release(key, { wasAborted: how === 'aborted' });
}
/** The same after the response, when a failure of the store must not cost the result. */
export const leaveLate = (identity, how, call) => kept(() => leave(identity, how, call), call);
/**
 * A change of the store that comes after the response. One that fails, throws at once or hangs must not cost the result: the call is then
 * listed as pending although it is not, and its key leads to the same result.
 */
export async function kept(change, { client: { hasOwnKeys } }) {
    try {
        const made = change();
        const time = { clock: systemClock, signal: undefined, endsAt: Number.POSITIVE_INFINITY };
        await (hasOwnKeys ? made : within(made, time, 10_000));
    }
    catch {
        // The result is returned.
    }
}
