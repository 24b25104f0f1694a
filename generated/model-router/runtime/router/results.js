/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { DeadlinePassed, readElapsed, systemClock, withDeadline } from '../http/clock.js';
import { omitUndefined } from '../http/omit-undefined.js';
import { readMediaType } from '../http/read-body.js';
import { explainEnd, explainLostAttempt } from '../http/send.js';
import { guardStream } from '../http/stream.js';
import { createError, createLocalError } from './router-error.js';
/** Returns the result of a call. Ends its record: now, after its stream is read, or when the caller settles it. */
export async function toResult(answer, settle, call) {
    const { facts, body, identity, url, attempts, status, end: close } = answer;
    const { idempotencyKey, queued } = identity;
    let { response } = answer;
    let data = body.value;
    if (body.kind === 'stream') {
        response = guardStream(response, call, {
            idleTimeoutMs: call.client.idleTimeoutMs,
            close,
            whenRead: async (isWhole) => {
                if (settle !== 'manual')
                    await endRecord(idempotencyKey, isWhole ? 'finish' : 'release', call);
            },
            explain(cause) {
                // mayHaveRun: a stream that has started may be billed.
                const state = { attempts, mayHaveRun: true, status, requestId: facts.requestId };
                const ended = explainEnd(cause, identity, state, call);
                if (ended !== cause)
                    return ended;
                const { message, cause: why } = explainLostAttempt(cause, true, call.redact);
                return createError(identity, { kind: 'network', message, cause: why, isRetryable: true, ...state });
            },
        });
        data = response.body;
    }
    if (settle === 'manual')
        await endRecord(idempotencyKey, 'release', call);
    else if (body.kind !== 'stream')
        await endRecord(idempotencyKey, 'finish', call);
    const mayBeUnconverted = /[?&]model_provider=(?!.*&strict_mode=true)/.test(url) || facts.fallbackProvider !== undefined;
    const result = {
        ...facts,
        data,
        ...omitUndefined({
            text: body.kind === 'json' ? body.text : undefined,
            idempotencyKey: queued === undefined ? idempotencyKey : undefined,
        }),
        mediaType: readMediaType(response.headers),
        response,
        settle: async () => {
            // Not with the deadline of the call, which may have passed while the caller saved the result.
            const time = { ...call, signal: undefined, endsAt: Infinity };
            if (idempotencyKey !== undefined)
                await waitForStore(call.client.keys.finish(idempotencyKey), identity, time);
        },
        mayBeUnconverted,
    };
    return result; // The types of outputs only exist at compile time.
}
export async function endRecord(key, ending, call) {
    if (key !== undefined)
        await changeStore(() => call.client.keys[ending](key), call);
}
/**
 * Changes the store after a response. An error must not lose the result: the call is then listed as pending. Waits at most
 * ten seconds, and at most one after the call was aborted or its deadline passed. The change continues in any case.
 */
export async function changeStore(change, { clock, signal, endsAt }) {
    const leftMs = signal?.aborted ? 0 : endsAt - readElapsed(clock);
    try {
        await withDeadline(change(), { clock: systemClock, signal: undefined, endsAt: Infinity }, Math.min(10_000, Math.max(1000, leftMs)));
    }
    catch {
        // Ignored: a failure here must not cost the caller the result.
    }
}
/** Waits at most a minute for the key store. If the call ends first, calls `undo` with a later result. */
export async function waitForStore(work, identity, call, undo = () => undefined) {
    const working = work.catch((cause) => {
        throw createLocalError(identity, `the key store failed: ${cause instanceof Error ? cause.message : cause}`, cause);
    });
    try {
        return await withDeadline(working, call, 60_000, () => '; the key store did not respond');
    }
    catch (error) {
        if (error instanceof DeadlinePassed || call.signal?.aborted)
            void working.then(undo, () => undefined);
        throw explainEnd(error, identity, { attempts: 0 }, call);
    }
}
