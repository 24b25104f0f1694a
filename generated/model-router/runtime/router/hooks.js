/** An observer that throws must not cost a billed result, and one that rejects must not end the process. */
export async function notify(hook, event) {
    try {
        await hook?.(event);
    }
    catch {
        // The call goes on.
    }
}
