/** An observer that throws must not cost a billed result, and one that rejects must not end the process. */
export async function notify<Event>(observer: ((event: Event) => unknown) | undefined, event: Event): Promise<void> {
  try {
    await observer?.(event);
  } catch {
    // The call goes on.
  }
}

type Observers<Events> = { readonly [Name in keyof Events]?: ((event: Events[Name]) => unknown) | undefined };

export function notifyAll<Events, Name extends keyof Events>(
  observers: readonly Observers<Events>[],
  name: Name,
  event: Events[Name],
): void {
  for (const one of observers) void notify(one[name], event);
}
