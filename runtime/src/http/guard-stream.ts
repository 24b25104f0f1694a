import { type Time, within } from './clock.ts';

/** Of a body that the caller reads after the call has returned. */
export type StreamGuard = {
  /** How long the body may give nothing to a reader that waits. */
  readonly idleMs: number;
  /** The error that the reader gets: of a `DeadlinePassed`, of an abort, or of a connection that is gone. */
  readonly explain: (cause: unknown) => unknown;
  /** What is done before the reader sees it when the body was read to its end, or was not. */
  readonly finish: (isWhole: boolean) => Promise<void> | undefined;
};

/** `end` ends the request itself. */
export function guardStream(
  response: Response,
  time: Time,
  guard: StreamGuard & { readonly end: (why: unknown) => void },
): Response {
  const { signal } = time;
  const { idleMs, explain, end } = guard;
  const reader = response.body?.getReader();
  // Who reads can still be stopped; the signal may outlive thousands of calls.
  const finish = (isWhole: boolean): Promise<void> | undefined => {
    signal.removeEventListener('abort', stop);
    if (!isWhole) end(signal.reason);
    return guard.finish(isWhole);
  };
  const stop = (): void => void finish(false);
  signal.addEventListener('abort', stop);
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      try {
        const read = reader?.read() ?? Promise.resolve(undefined);
        const part = await within(read, time, idleMs, () => '; the stream gave no bytes');
        if (part?.value !== undefined) return controller.enqueue(part.value);
        await finish(true);
        controller.close();
      } catch (cause) {
        await finish(false);
        controller.error(explain(cause));
      }
    },
    async cancel() {
      await finish(false);
    },
  };
  // The end is seen when the reader comes to it, and not before.
  return new Response(new ReadableStream(source, { highWaterMark: 0 }), response);
}
