/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** Keyed responses are kept for 24 hours, and an older key starts a new run (MR-IDM-46, MR-IDM-49). */
export const keyLifetimeMs = 24 * 60 * 60 * 1000;
/** Whether both calls would be one logical run. */
export function isSameCall(one, other) {
    return (one.operation === other.operation && one.url === other.url && one.body === other.body && one.owner === other.owner);
}
/** Its addresses are all that collects an admitted request. */
export function admitCall(call, queued) {
    return { ...call, body: '', queued };
}
/** Survives a failed call, not the end of the process. */
export function createMemoryKeyStore() {
    const calls = new Map();
    const change = async (key, to) => {
        Object.assign(calls.get(key) ?? {}, to);
    };
    return {
        async begin(call, { adopt }) {
            // A day after its key a call is refused when it is made again, and then nobody misses it.
            for (const [key, { call: old }] of calls)
                if (old.firstSentAt + 2 * keyLifetimeMs < call.firstSentAt)
                    calls.delete(key);
            const earlier = adopt
                ? [...calls.values()].find((one) => one.state === 'idle' && isSameCall(one.call, call))
                : calls.get(call.key);
            const stored = earlier?.call ?? call;
            calls.set(stored.key, { call: stored, state: 'held' });
            return { stored, isNew: earlier === undefined };
        },
        async take(key) {
            const found = calls.get(key);
            if (found?.state === 'held')
                return undefined;
            void change(key, { state: 'held' });
            return found?.call;
        },
        async admit(key, queued) {
            const found = calls.get(key);
            if (found !== undefined)
                void change(key, { call: admitCall(found.call, queued) });
        },
        keepListed: (key) => change(key, { state: 'listed' }),
        finish: async (key) => void calls.delete(key),
        async finishQueued(requestId) {
            for (const [key, { call }] of calls)
                if (call.queued?.requestId === requestId)
                    calls.delete(key);
        },
        release: (key) => change(key, { state: 'idle' }),
        async pending() {
            const idle = [...calls.values()].filter(({ state }) => state !== 'held');
            return idle
                .map(({ call }) => ({ ...call, isHeld: false }))
                .sort((one, other) => one.firstSentAt - other.firstSentAt);
        },
    };
}
