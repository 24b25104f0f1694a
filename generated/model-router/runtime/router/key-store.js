/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** Whether both calls would be one logical run. */
export function isSameCall(one, other) {
    return (one.operation === other.operation && one.url === other.url && one.body === other.body && one.owner === other.owner);
}
/** Survives a failed call, not the end of the process. */
export function createMemoryKeyStore() {
    const calls = new Map();
    const idle = () => [...calls.values()].filter(({ isHeld }) => !isHeld).map(({ call }) => call);
    return {
        async begin(call, { adopt }) {
            const same = adopt ? idle().find((one) => one.queued === undefined && isSameCall(one, call)) : undefined;
            const taken = same ?? call;
            calls.set(taken.key, { call: taken, isHeld: true });
            return taken;
        },
        async take(key) {
            const found = calls.get(key);
            if (found === undefined || found.isHeld)
                return undefined;
            found.isHeld = true;
            return found.call;
        },
        async admit(key, queued) {
            const found = calls.get(key);
            if (found !== undefined)
                found.call = { ...found.call, queued };
        },
        async finish(key) {
            calls.delete(key);
        },
        async release(key) {
            const found = calls.get(key);
            if (found !== undefined)
                found.isHeld = false;
        },
        async pending() {
            return idle().sort((one, other) => one.firstSentAt - other.firstSentAt);
        },
    };
}
