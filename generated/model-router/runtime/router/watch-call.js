/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { readElapsed } from '../http/clock.js';
import { notifyAll } from '../http/notify.js';
import { randomKey } from '../http/random-key.js';
import { localFailure } from './failures.js';
const everyCall = 'signal deadlineMs maxWaitMs maxAttempts attemptTimeoutMs headers';
/** A misspelled option would change nothing, and nobody would see it. */
export function checkOptions({ operation, model, options = {}, takes = '' }) {
    const known = `${everyCall} ${takes}`.split(' ');
    const unknown = Object.keys(options).find((name) => !known.includes(name));
    if (unknown !== undefined)
        throw localFailure({ operation, model }, `${unknown} is no option; there are ${known.join(', ')}`);
    const { headers = {} } = options;
    if (namesKey(headers))
        throw localFailure({ operation, model }, 'a key is given as the option key, not as a header');
}
export function namesKey(headers) {
    return Object.keys(headers).some((name) => name.toLowerCase() === 'idempotency-key');
}
/** One call of a method: with checked options, an id of its own, and observers that see its start and its end. */
export async function watchCall(session, invocation, work) {
    checkOptions(invocation);
    const { connection } = session;
    const { clock, observers } = connection;
    const startedAt = readElapsed(clock);
    const event = { callId: randomKey(), operation: invocation.operation, model: invocation.model };
    notifyAll(observers, 'onStart', event);
    const end = (outcome) => notifyAll(observers, 'onEnd', { ...event, durationMs: readElapsed(clock) - startedAt, ...outcome });
    try {
        const result = await work({ ...session, connection: { ...connection, callId: event.callId } });
        end({});
        return result;
    }
    catch (error) {
        end({ error: error }); // nothing else is thrown but for mistakes of the program
        throw error;
    }
}
