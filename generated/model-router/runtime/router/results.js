/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { within } from '../http/clock.js';
import { readMediaType } from '../http/read-body.js';
import { fromStore } from './failures.js';
/**
 * A result, whose key is forgotten: at once, or when a stream was read to its end, or when the caller settles it. Until then the
 * key collects the same result again. An output departs from its schema now and then; that is never an error here.
 */
export async function toResult(answer, isAlternate, work) {
    const { call, response, facts, whenRead } = answer;
    const { key } = call;
    const settle = () => fromStore(forget(call, work), call, 'the key cannot be settled');
    if (work.settle === 'manual' && key !== undefined)
        await kept(work.keys.keepListed(key));
    else if (whenRead === undefined)
        await kept(forget(call, work));
    else
        whenRead((isWhole) => kept(isWhole ? forget(call, work) : release(call, work)));
    return {
        ...facts,
        data: readData(answer),
        mediaType: readMediaType(response.headers),
        response,
        settle,
        ...(key === undefined || call.queued !== undefined ? {} : { key }),
        mayBeUnconverted: isAlternate || facts.fallbackProvider !== undefined,
    };
}
function readData({ body, response }) {
    if (body.kind === 'json')
        return body.value;
    if (body.kind === 'text')
        return body.text;
    if (body.kind === 'bytes')
        return body.bytes;
    return body.kind === 'stream' ? response.body : undefined;
}
/** Nobody asks for the call again. Who collects by the request id alone may have submitted with the same store. */
export async function forget({ key, queued }, { keys }) {
    if (key !== undefined)
        await keys.finish(key);
    else if (queued !== undefined)
        await keys.finishQueued(queued.requestId);
}
/** The call stays in the store, to be resumed. */
export async function release({ key }, { keys }) {
    if (key !== undefined)
        await keys.release(key);
}
const longestChangeMs = 10_000;
/**
 * A change of the store that comes after the response. One that fails or hangs must not cost the result: the call is then listed as
 * pending although it is not, and its key leads to the same result.
 */
export async function kept(change) {
    const limit = { signal: new AbortController().signal, ms: longestChangeMs };
    await within(change, limit).catch(() => undefined);
}
