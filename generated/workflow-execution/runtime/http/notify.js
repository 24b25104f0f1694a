/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** An observer that throws must not cost a billed result, and one that rejects must not end the process. */
export async function notify(observer, event) {
    try {
        await observer?.(event);
    }
    catch {
        // The call goes on.
    }
}
export function notifyAll(observers, name, event) {
    for (const one of observers)
        void notify(one[name], event);
}
