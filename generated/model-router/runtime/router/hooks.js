/** An observer that throws must not cost a billed result. */
export function notify(hook, event) {
    try {
        hook?.(event);
    }
    catch {
        // The call goes on.
    }
}
