/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { sleepUnreferenced, systemClock } from '../http/clock.js';
import { randomKey } from '../http/credential.js';
import { dropBody, hashText, isSameCall, keyLifetimeMs, listedMs, toAdmittedCall, toFinishedCall, } from '../router/key-store.js';
/** A program that writes no heartbeat for this long is considered gone. */
const staleMs = 10_000;
const purgeEveryMs = 60 * 60 * 1000;
/** Records of explicit keys are kept for 30 days, so that the key doesn't start a second run. */
const explicitKeyMs = 30 * 24 * 60 * 60 * 1000;
/** Calls that this program works on, as `STORE KEY`. */
const callsInProgress = new Set();
/** Holder of a record that is about to be removed. */
const removalHolder = 'removal';
/** Creates a key store that saves to `records`, such as a table. Programs can share it and resume calls after a crash. */
export function createKeyStore(records, { clock = systemClock, purgesAtStart = false } = {}) {
    const heldCalls = new Map();
    let purgedAt = purgesAtStart ? 0 : clock.now();
    let storeName; // Created lazily: some platforms have no random numbers while modules load.
    const printHolder = () => {
        storeName ??= randomKey();
        return `${storeName} ${clock.now()}`;
    };
    const startWork = async (call, mayHaveRun, writeCall) => {
        const firstHolder = printHolder();
        if (!(await writeCall(firstHolder)))
            return false;
        const key = call.idempotencyKey;
        const other = heldCalls.get(key);
        if (other !== undefined) {
            other.users += 1; // Another caller found the record before `writeCall` resolved.
            return true;
        }
        const heldCall = {
            call,
            holder: firstHolder,
            users: 1,
            mayHaveRun,
            stop: () => {
                stopBeating.abort();
                return heartbeats;
            },
        };
        const writeHeartbeat = async () => {
            const holder = printHolder();
            if (await records.hold(key, holder, heldCall.holder))
                heldCall.holder = holder;
        };
        const stopBeating = new AbortController();
        const heartbeats = (async () => {
            for (;;) {
                await sleepUnreferenced(2000, stopBeating.signal);
                await writeHeartbeat().catch(() => undefined);
            }
        })().catch(() => undefined); // The signal has ended the sleep.
        heldCalls.set(key, heldCall);
        callsInProgress.add(`${storeName} ${key}`);
        return true;
    };
    /** Another program is never certainly `alive`: it may have stopped after its last heartbeat. */
    const readHolderState = ({ key, holder }) => {
        const [name, at] = holder?.split(' ') ?? [];
        if (callsInProgress.has(`${name} ${key}`))
            return 'alive';
        const isOther = name !== undefined && name !== storeName;
        return isOther && Math.abs(clock.now() - Number(at)) < staleMs ? 'unknown' : 'gone';
    };
    /** Makes this store the holder of a record. Returns undefined if the record was changed, or is about to be removed. */
    const becomeHolder = async (record) => {
        if (record.holder?.startsWith(`${removalHolder} `) && readHolderState(record) === 'unknown')
            return undefined;
        const call = requireCall(record);
        const isOurs = await startWork(call, true, (holder) => records.hold(record.key, holder, record.holder ?? undefined));
        return isOurs ? call : undefined;
    };
    /** Ends the work of one caller. `change` gets the held call, whose `users` is 0 if it was the last caller. */
    const endWork = async (key, change) => {
        const heldCall = heldCalls.get(key);
        if (heldCall !== undefined)
            heldCall.users = Math.max(0, heldCall.users - 1);
        try {
            if (heldCall?.users === 0)
                await heldCall.stop(); // A late heartbeat would claim the call again.
            await change(heldCall);
        }
        finally {
            if (heldCall?.users === 0 && heldCalls.get(key) === heldCall) {
                heldCalls.delete(key);
                callsInProgress.delete(`${storeName} ${key}`);
            }
        }
    };
    const writeCall = (call) => records.update(call.idempotencyKey, printCall(call));
    const findCall = async (key) => heldCalls.get(key)?.call ?? readCall((await records.list(key))[0]?.text);
    const forget = (key) => {
        const heldCall = heldCalls.get(key);
        if (heldCall !== undefined)
            heldCall.users = 1; // All callers lose their record.
        return endWork(key, () => records.remove(key));
    };
    /** Returns the records to list. Removes old records, and bodies that can no longer be sent. */
    const listCurrent = async () => {
        const current = [];
        purgedAt = clock.now();
        for (const record of await records.list()) {
            let call = readCall(record.text);
            const age = call === undefined ? 0 : clock.now() - call.firstSentAt;
            const lastsMs = call?.isExplicit ? explicitKeyMs : call?.queued === undefined ? listedMs : keyLifetimeMs;
            if (age >= lastsMs)
                await forget(record.key);
            else if (call?.body !== undefined && age >= keyLifetimeMs) {
                call = dropBody(call);
                await writeCall(call);
            }
            if (age < Math.min(lastsMs, listedMs))
                current.push({ record, call });
        }
        return current;
    };
    return {
        async begin(call) {
            const { idempotencyKey: key, isExplicit } = call;
            // Ignore errors of the store here, because the call itself reports them.
            if (clock.now() - purgedAt > purgeEveryMs)
                void listCurrent().catch(() => undefined);
            const text = printCall(call);
            for (let waitedMs = 0; waitedMs < staleMs; waitedMs += 25) {
                const [record] = await records.list(key);
                if (record === undefined) {
                    if (await startWork(call, false, (holder) => records.add({ key, text, holder })))
                        return { stored: call, isNew: true };
                    await clock.sleep(25); // Another call is writing the record.
                    continue;
                }
                const found = requireCall(record);
                if (!isSameCall(found, call))
                    return { stored: found, isNew: false };
                const stored = { ...found, isExplicit: isExplicit || found.isExplicit };
                if (stored.isExplicit !== found.isExplicit)
                    await writeCall(stored);
                const heldCall = heldCalls.get(key);
                if (heldCall?.users)
                    heldCall.users += 1;
                else if (heldCall !== undefined || (await becomeHolder(record)) === undefined) {
                    await clock.sleep(25); // Another call is ending, or another program has changed the holder.
                    continue;
                }
                const holding = heldCalls.get(key);
                if (holding !== undefined)
                    holding.call = stored;
                return { stored, isNew: false };
            }
            throw new Error(`another call is still writing the record of the key ${key}`);
        },
        async take(key) {
            const [record] = await records.list(key);
            if (record === undefined || heldCalls.has(key) || readHolderState(record) === 'alive')
                return undefined;
            return becomeHolder(record);
        },
        async admit(key, queued) {
            const call = await findCall(key);
            if (call === undefined)
                return;
            const heldCall = heldCalls.get(key);
            const admitted = toAdmittedCall(call, queued);
            void heldCall?.stop();
            if (heldCall !== undefined)
                heldCall.call = admitted;
            await writeCall(admitted);
        },
        async finish(key) {
            const call = await findCall(key);
            const finished = call && toFinishedCall(call);
            if (finished === undefined)
                return forget(key);
            await endWork(key, async (heldCall) => {
                if (heldCall !== undefined)
                    Object.assign(heldCall, { call: finished, mayHaveRun: true });
                await writeCall(finished);
                if (heldCall?.users === 0)
                    await records.hold(key, undefined, heldCall.holder);
            });
        },
        release: (key) => endWork(key, async (heldCall) => {
            if (heldCall === undefined)
                return;
            heldCall.mayHaveRun = true;
            if (heldCall.users === 0)
                await records.hold(key, undefined, heldCall.holder);
        }),
        discard: (key) => endWork(key, async (heldCall) => {
            if (heldCall?.users !== 0)
                return;
            const { mayHaveRun, holder } = heldCall;
            // Fails if another program has become the holder: it may have sent the call.
            const isOurs = await records.hold(key, mayHaveRun ? undefined : `${removalHolder} ${clock.now()}`, holder);
            if (isOurs && !mayHaveRun)
                await records.remove(key);
        }),
        forget,
        async pending() {
            const found = [];
            for (const { record, call } of await listCurrent()) {
                const holderState = readHolderState(record);
                if (call === undefined)
                    found.push({ idempotencyKey: record.key, damaged: explainDamage(record) });
                else if (!call.isDone && holderState !== 'alive')
                    found.push({ ...call, isHeld: holderState === 'unknown' });
            }
            const readStart = (call) => (call.damaged === undefined ? call.firstSentAt : 0);
            return found.sort((one, other) => readStart(one) - readStart(other));
        },
    };
}
function requireCall(record) {
    const call = readCall(record.text);
    if (call !== undefined)
        return call;
    const advice = `forget(router, '${record.key}') removes it`;
    throw new Error(`the record of the call cannot be read: ${explainDamage(record)}; ${advice}`);
}
const explainDamage = ({ reason }) => reason ?? 'its record is damaged';
function printCall(call) {
    const text = JSON.stringify(call);
    return `${hashText(text)} ${text}`;
}
/** Returns undefined if the text is missing or damaged. */
function readCall(record) {
    const [, hash, text = ''] = /^(\w+) (.*)$/s.exec(record ?? '') ?? [];
    return hash === hashText(text) ? JSON.parse(text) : undefined; // The hash guarantees that `printCall` wrote it.
}
