/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { systemClock } from '../http/clock.js';
import { admitCall, isSameCall, keyLifetimeMs, } from '../router/key-store.js';
import { createHeldCalls } from './held-calls.js';
import { findGroup, findQueuedGroup, printCall, readCall } from './record-text.js';
const purgeEveryMs = 60 * 60 * 1000;
/**
 * Keeps billed calls wherever records can be kept, so that they survive the end of the process and several programs may share them.
 * A program gives a sign of life every two seconds for each call that it works on. Whether another one lives cannot always be known:
 * what it may work on is asked for with its own key, which starts no second run.
 */
export function createKeyStore(records, { clock = systemClock } = {}) {
    const held = createHeldCalls(records, clock);
    const place = { records, held, clock };
    let purgedAt = clock.now();
    return {
        async begin(call, options) {
            if (clock.now() - purgedAt > purgeEveryMs) {
                purgedAt = clock.now();
                void listCurrent(place).catch(() => undefined); // what is wrong with the store shows in the call itself
            }
            const earlier = options.adopt ? await adopt(call, place) : await take(call.key, place);
            return earlier === undefined ? add(call, place) : { stored: earlier, isNew: false };
        },
        take: (key) => take(key, place),
        async admit(key, queued) {
            const own = held.get(key);
            const call = own?.call ?? readCall((await records.list({ key }))[0]?.text);
            if (call === undefined)
                return;
            const admitted = admitCall(call, queued);
            void own?.stop();
            if (own !== undefined)
                own.call = admitted;
            await records.update(key, { group: findGroup(admitted), text: printCall(admitted) });
        },
        async keepListed(key) {
            const own = held.get(key);
            if (own !== undefined)
                own.isListed = true;
        },
        finish: (key) => finish(key, place),
        async finishQueued(requestId) {
            for (const { key, text } of await records.list({ group: findQueuedGroup(requestId) }))
                if (readCall(text)?.queued?.requestId === requestId)
                    await finish(key, place);
        },
        async release(key) {
            const own = await held.end(key);
            if (own === undefined)
                return;
            held.forget(key);
            await records.hold(key, undefined, own.holder);
        },
        pending: () => listPending(place),
    };
}
async function add(call, { records, held }) {
    const { key } = call;
    const text = { key, group: findGroup(call), text: printCall(call) };
    if (await held.start(call, (holder) => records.add({ ...text, holder })))
        return { stored: call, isNew: true };
    // Another call sends this key already, and keeps it.
    const [record] = await records.list({ key });
    return { stored: record === undefined ? call : requireCall(record), isNew: false };
}
async function adopt(wanted, place) {
    for (const record of await place.records.list({ group: findGroup(wanted) }))
        if (isSameCall(requireCall(record), wanted)) {
            const call = await hold(record, place);
            if (call !== undefined)
                return call;
        }
    return undefined;
}
async function take(key, place) {
    const own = place.held.get(key);
    if (own?.isListed)
        return own.call;
    const [record] = await place.records.list({ key });
    return record && hold(record, place);
}
/** The call of a record; undefined where somebody works on it, or was faster, and is known to live. */
async function hold(record, { records, held }) {
    if (held.findLife(record) === 'alive')
        return undefined;
    const call = requireCall(record);
    const isOurs = await held.start(call, (holder) => records.hold(call.key, holder, record.holder ?? undefined));
    return isOurs ? call : undefined;
}
async function finish(key, { records, held }) {
    await held.end(key);
    await records.remove(key);
    held.forget(key); // not before: an equal call must not go on with what this program is done with
}
/** Forgets what can no longer be fetched: a result of the queue, and a run that was refused for a day when it was called again. */
async function listCurrent(place) {
    const { records, clock } = place;
    const current = [];
    for (const record of await records.list({})) {
        const call = readCall(record.text);
        const lastsMs = call?.queued === undefined ? 2 * keyLifetimeMs : keyLifetimeMs;
        if (call === undefined || clock.now() < call.firstSentAt + lastsMs)
            current.push(record);
        else
            await finish(call.key, place);
    }
    return current;
}
async function listPending(place) {
    const { held } = place;
    const found = [];
    for (const record of await listCurrent(place)) {
        const call = readCall(record.text);
        const life = held.findLife(record);
        if (call === undefined)
            found.push({ key: record.key, damaged: explainDamage(record) });
        else if (life !== 'alive' || held.get(call.key)?.isListed)
            found.push({ ...call, isHeld: life === 'unknown' });
    }
    const startOf = (call) => (call.damaged === undefined ? call.firstSentAt : 0);
    return found.sort((one, other) => startOf(one) - startOf(other));
}
function requireCall(record) {
    const call = readCall(record.text);
    if (call !== undefined)
        return call;
    throw new Error(`an earlier call, which may be this one, cannot be read: ${explainDamage(record)}; forget('${record.key}') removes it`);
}
const explainDamage = ({ reason }) => reason ?? 'its record is damaged';
