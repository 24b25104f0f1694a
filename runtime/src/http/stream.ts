import { DeadlinePassed, type Time, within } from './clock.ts';
import { chunksOf } from './read-body.ts';

export type StreamGuard = Time & {
  readonly idleTimeoutMs: number;
  /** Closes the connection. */
  readonly close: (why?: unknown) => void;
  /** Called when the body was read to its end, or was not; before the reader sees it. */
  readonly whenRead: (isWhole: boolean) => Promise<void>;
  /** The error that the reader gets for a `DeadlinePassed`, an abort, or a connection that is gone. */
  readonly explain: (cause: unknown) => unknown;
};

/** How long a reader may pause between two parts. */
const longestPauseMs = 10 * 60_000;

/**
 * A response whose body the caller reads after the call has returned. Its connection is closed where it gives no bytes for `idleTimeoutMs`,
 * where the reader does not begin within that time or pauses for too long, at the deadline, and with the signal.
 */
export function guardStream(response: Response, guard: StreamGuard): Response {
  const { idleTimeoutMs, close, whenRead, explain } = guard;
  const chunks = chunksOf(response);
  let ended: { readonly why: unknown } | undefined;
  /** Ends the pause of the reader, which has a bound too. */
  let goOn = (): void => undefined;
  const finish = async (isWhole: boolean, why?: unknown): Promise<void> => {
    if (ended !== undefined) return;
    ended = { why };
    goOn();
    if (!isWhole) close(why);
    await whenRead(isWhole);
  };
  const pause = (limitMs: number, what: string): void => {
    const next = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    within(next, { ...guard, isIdle: true }, limitMs, () => `; ${what}`).catch((why: unknown) => finish(false, why));
  };
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      goOn();
      try {
        if (ended !== undefined) throw ended.why ?? new DeadlinePassed();
        const part = await within(chunks.next(), guard, idleTimeoutMs, () => '; the stream gave no bytes');
        if (part !== undefined) {
          pause(longestPauseMs, 'nothing was read from the stream');
          return controller.enqueue(part);
        }
        await finish(true);
        controller.close();
      } catch (cause) {
        const why = explain(cause);
        await finish(false, cause);
        controller.error(why);
      }
    },
    cancel: () => finish(false),
  };
  pause(idleTimeoutMs, 'the stream was not read');
  // The end is seen when the reader comes to it, and not before.
  return new Response(new ReadableStream(source, { highWaterMark: 0 }), response);
}
