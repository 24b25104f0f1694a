import { type Time, within } from './clock.ts';

export type StreamGuard = {
  /** `whenRead` is what is done before the reader sees it when the body was read to its end, or was not. */
  readonly call: { readonly whenRead?: (isWhole: boolean) => Promise<void> };
  /** Ends the request itself. */
  readonly request: AbortController;
  /** The error that the reader gets: of a `DeadlinePassed`, of an abort, or of a connection that is gone. */
  readonly explain: (cause: unknown) => unknown;
};

/** A response whose body the caller reads after the call has returned. */
export function guardStream(
  response: Response,
  { call, request, explain }: StreamGuard,
  time: Time & { readonly idleTimeoutMs: number },
): Response {
  const reader = (response.body ?? new Blob([]).stream()).getReader();
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const finish = async (isWhole: boolean, why?: unknown): Promise<void> => {
    end();
    if (!isWhole) request.abort(why);
    await call.whenRead?.(isWhole);
  };
  // Who reads can still be stopped.
  within(ended, { ...time, isIdle: true }).catch((why: unknown) => finish(false, why));
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      try {
        const { value } = await within(reader.read(), time, time.idleTimeoutMs, () => '; the stream gave no bytes');
        if (value !== undefined) return controller.enqueue(value);
        await finish(true);
        controller.close();
      } catch (cause) {
        await finish(false, cause);
        controller.error(explain(cause));
      }
    },
    cancel: () => finish(false),
  };
  // The end is seen when the reader comes to it, and not before.
  return new Response(new ReadableStream(source, { highWaterMark: 0 }), response);
}
