/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { systemClock, within } from '../http/clock.js';
import { present } from '../http/present.js';
import { readMediaType } from '../http/read-body.js';
import { explainEnd, explainLoss } from '../http/send.js';
import { guardStream } from '../http/stream.js';
import { explainStoreErrors, fail } from './router-error.js';
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
                // A stream that has started may be billed.
                const state = { attempts, mayHaveRun: true, status, requestId: facts.requestId };
                const ended = explainEnd(cause, identity, state, call);
                if (ended !== cause)
                    return ended;
                const { message, cause: why } = explainLoss(cause, true, call.redact);
                return fail(identity, { kind: 'network', message, cause: why, isRetryable: true, ...state });
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
        ...present({
            text: body.kind === 'json' ? body.text : undefined,
            idempotencyKey: queued === undefined ? idempotencyKey : undefined,
        }),
        mediaType: readMediaType(response.headers),
        response,
        settle: async () => {
            if (idempotencyKey !== undefined)
                await explainStoreErrors(call.client.keys.finish(idempotencyKey), identity);
        },
        mayBeUnconverted,
    };
    return result; // The types of outputs only exist at compile time.
}
export async function endRecord(key, ending, { client }) {
    if (key !== undefined)
        await changeStore(() => client.keys[ending](key));
}
/** Changes the store after a response. An error must not lose the result: the call is then listed as pending. */
export async function changeStore(change) {
    try {
        await within(change(), { clock: systemClock, signal: undefined, endsAt: Infinity }, 10_000);
    }
    catch {
        // The caller still gets the result.
    }
}
