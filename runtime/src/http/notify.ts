/** An observer that throws must not cost a billed result, and one that rejects must not end the process. */
export async function notify<Event>(observer: ((event: Event) => unknown) | undefined, event: Event): Promise<void> {
  try {
    await observer?.(event);
  } catch {
    // The call goes on.
  }
}
