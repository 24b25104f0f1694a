/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { randomKey } from '../http/random-key.js';
import { findGroup, findQueuedGroup, isSameCall, printCall, readCall } from './stored-calls.js';
/** Keyed responses are kept for 24 hours, and an older key starts a new run (MR-IDM-46, MR-IDM-49). */
export const keyLifetimeMs = 24 * 60 * 60 * 1000;
const beatMs = 2_000;
const staleMs = 10_000;
const purgeEveryMs = 60 * 60 * 1000;
/** What this program works on with any of its clients. */
const worked = new Set();
let program; // made late: some platforms give no random numbers while a module is loaded
/** Who this program is to others that use the store. */
function nameProgram() {
    program ??= randomKey();
    return program;
}
export function createKeys(store, clock) {
    const held = new Map();
    const signHolder = () => `${nameProgram()} ${clock.now()}`;
    let timer;
    let purgedAt = clock.now();
    const start = (call, holder) => {
        held.set(call.key, { call, holder, isListed: false, beats: true, beating: Promise.resolve() });
        worked.add(call.key);
        timer ??= setInterval(() => {
            for (const own of held.values())
                if (own.beats)
                    own.beating = own.beating.then(() => beat(own)).catch(() => { });
        }, beatMs);
        timer.unref?.(); // Node's, which else keeps a program running
    };
    const beat = async (own) => {
        const holder = signHolder();
        if (await store.hold(own.call.key, holder, own.holder))
            own.holder = holder;
    };
    const end = async (key) => {
        const own = held.get(key);
        held.delete(key);
        if (held.size === 0) {
            clearInterval(timer);
            timer = undefined;
        }
        await own?.beating; // what it has written decides who holds the call
        return own;
    };
    const findLife = ({ key, holder, life }) => {
        const [name, at] = holder?.split(' ') ?? [];
        if (name === undefined)
            return 'gone';
        if (name === nameProgram())
            return worked.has(key) ? 'alive' : 'gone';
        return life ?? (Math.abs(clock.now() - Number(at)) < staleMs ? 'unknown' : 'gone');
    };
    const hold = async (record, call) => {
        const holder = signHolder();
        if (!(await store.hold(call.key, holder, record.holder ?? undefined)))
            return false; // who was faster lives
        start(call, holder);
        return true;
    };
    const adopt = async (wanted) => {
        for (const record of await store.list({ group: findGroup(wanted) })) {
            const call = requireCall(record);
            if (isSameCall(call, wanted) && findLife(record) !== 'alive' && (await hold(record, call)))
                return call;
        }
        return undefined;
    };
    const forget = async (key) => {
        await end(key);
        await store.remove(key);
        worked.delete(key); // not before: an equal call must not go on with what this program is done with
    };
    /** Forgets what can no longer be fetched: a result of the queue, and a run that was refused for a day when it was called again. */
    const listCurrent = async () => {
        purgedAt = clock.now();
        const current = [];
        for (const record of await store.list({})) {
            const call = readCall(record.text);
            const lastsMs = call?.queued === undefined ? 2 * keyLifetimeMs : keyLifetimeMs;
            if (call === undefined || purgedAt < call.firstSentAt + lastsMs)
                current.push(record);
            else
                await store.remove(call.key);
        }
        return current;
    };
    return {
        async begin(call, options) {
            // What is wrong with the store shows in the call itself.
            if (clock.now() - purgedAt > purgeEveryMs)
                void listCurrent().catch(() => undefined);
            const earlier = options.adopt ? await adopt(call) : undefined;
            if (earlier !== undefined)
                return { stored: earlier, isNew: false };
            const holder = signHolder();
            if (await store.add({ key: call.key, group: findGroup(call), text: printCall(call), holder })) {
                start(call, holder);
                return { stored: call, isNew: true };
            }
            // Another call sends this key already, and keeps it.
            const [record] = await store.list({ key: call.key });
            return { stored: record === undefined ? call : requireCall(record), isNew: false };
        },
        async take(key) {
            const own = held.get(key);
            if (own?.isListed)
                return own.call;
            const [record] = await store.list({ key });
            if (record === undefined || findLife(record) === 'alive')
                return undefined;
            const call = requireCall(record);
            return (await hold(record, call)) ? call : undefined;
        },
        async admit(key, queued) {
            const own = held.get(key);
            const call = own?.call ?? readCall((await store.list({ key }))[0]?.text);
            if (call === undefined)
                return;
            // Its addresses are all that collects it.
            const admitted = { ...call, body: '', queued };
            if (own !== undefined)
                Object.assign(own, { call: admitted, beats: false });
            await store.update(key, { group: findGroup(admitted), text: printCall(admitted) });
        },
        keepListed(key) {
            const own = held.get(key);
            if (own !== undefined)
                own.isListed = true;
        },
        async finish(key) {
            const isOwn = (await end(key)) !== undefined;
            const [record] = isOwn ? [] : await store.list({ key });
            // Another program that works on it wants its result too.
            if (isOwn || (record !== undefined && findLife(record) === 'gone'))
                await forget(key);
        },
        async finishQueued(requestId) {
            for (const { key, text } of await store.list({ group: findQueuedGroup(requestId) })) {
                if (readCall(text)?.queued?.requestId !== requestId)
                    continue;
                await forget(key);
            }
        },
        async release(key) {
            const own = await end(key);
            if (own === undefined)
                return;
            worked.delete(key);
            await store.hold(key, undefined, own.holder);
        },
        async pending() {
            const found = [];
            for (const record of await listCurrent()) {
                const call = readCall(record.text);
                const life = findLife(record);
                if (call === undefined)
                    found.push({ key: record.key, damaged: explainDamage(record) });
                else if (life !== 'alive' || held.get(call.key)?.isListed)
                    found.push({ ...call, isHeld: life === 'unknown' });
            }
            return found.sort((one, other) => firstSentAt(one) - firstSentAt(other));
        },
        forget,
    };
}
function requireCall(record) {
    const call = readCall(record.text);
    if (call !== undefined)
        return call;
    throw new Error(`an earlier call, which may be this one, cannot be read: ${explainDamage(record)}; forget('${record.key}') removes it`);
}
const explainDamage = ({ reason }) => reason ?? 'its record is damaged';
const firstSentAt = (call) => (call.damaged === undefined ? call.firstSentAt : 0);
