/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { forever, systemClock, within } from '../http/clock.js';
import { present } from '../http/present.js';
import { readMediaType } from '../http/read-body.js';
import { fromStore } from './failures.js';
/**
 * A result, whose key is forgotten: at once, or when a stream was read to its end, or when the caller settles it. Until then the
 * key collects the same result again. An output departs from its schema now and then; that is never an error here.
 */
export async function toResult(answer, work) {
    const { call, response, facts, body } = answer;
    const { key } = call;
    const settle = () => fromStore(leave(call, true, work), call);
    if (work.settle === undefined) {
        if (body.kind !== 'stream')
            await leaveLate(call, true, work);
        else
            call.whenRead = (isWhole) => leaveLate(call, isWhole, work);
    }
    else if (key !== undefined)
        await kept(() => work.keys.keepListed(key), work);
    return {
        ...facts,
        data: body.value,
        mediaType: readMediaType(response.headers),
        response,
        settle,
        ...present({ key: call.queued === undefined ? key : undefined }),
        mayBeUnconverted: isConverted(call.url) || facts.fallbackProvider !== undefined,
    };
}
/** Whether another provider is asked for the output of the model's own. */
const isConverted = (url) => /[?&]model_provider=(?!.*&strict_mode=true)/.test(url);
/** The call `isOver` for the store, or stays there to be resumed. Who collects by the request id alone may have submitted with the same store. */
async function leave({ key, queued }, isOver, { keys }) {
    if (key !== undefined)
        await (isOver ? keys.finish(key) : keys.release(key));
    else if (isOver && queued !== undefined)
        await keys.finishQueued(queued.requestId);
}
/** The same after the response. */
export const leaveLate = (call, isOver, work) => kept(() => leave(call, isOver, work), work);
/**
 * A change of the store that comes after the response. One that fails, throws at once or hangs must not cost the result: the call is then listed as
 * pending although it is not, and its key leads to the same result.
 */
export async function kept(change, { hasOwnKeys }) {
    try {
        const made = change();
        await (hasOwnKeys ? made : within(made, { clock: systemClock, ...forever }, 10_000));
    }
    catch {
        // The result is returned.
    }
}
