import { DeadlinePassed, type Time, within } from './clock.ts';
import { readParts } from './read-body.ts';

export type StreamGuard = Time & {
  readonly idleTimeoutMs: number;
  /** Closes the connection. */
  readonly close: (why?: unknown) => void;
  /** Called when the stream ends, before the reader sees it. `isWhole`: the body was read to its end. */
  readonly whenRead: (isWhole: boolean) => Promise<void>;
  /** Returns the error that the reader gets for a `DeadlinePassed`, an abort, or a lost connection. */
  readonly explain: (cause: unknown) => unknown;
};

/** Longest pause of the reader between two parts. */
const maxPauseMs = 10 * 60_000;

/**
 * Returns a response whose body the caller reads later. The connection is closed if it sends no bytes for `idleTimeoutMs`, if the reader
 * does not start within that time or pauses for 10 minutes, at the deadline, and with the signal.
 */
export function guardStream(response: Response, guard: StreamGuard): Response {
  const { idleTimeoutMs, close, whenRead, explain } = guard;
  const parts = readParts(response);
  let ended: { readonly why: unknown } | undefined;
  /** Ends the timer of the reader's pause. */
  let endPause = (): void => undefined;
  const finish = async (isWhole: boolean, why?: unknown): Promise<void> => {
    if (ended !== undefined) return;
    ended = { why };
    endPause();
    if (!isWhole) close(why);
    await whenRead(isWhole);
  };
  const pause = (limitMs: number, what: string): void => {
    const next = new Promise<void>((resolve) => {
      endPause = resolve;
    });
    within(next, { ...guard, isIdle: true }, limitMs, () => `; ${what}`).catch((why: unknown) => finish(false, why));
  };
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      endPause();
      try {
        if (ended !== undefined) throw ended.why ?? new DeadlinePassed();
        const part = await within(parts.next(), guard, idleTimeoutMs, () => '; the stream gave no bytes');
        if (!part.done) {
          pause(maxPauseMs, 'nothing was read from the stream');
          return controller.enqueue(part.value);
        }
        await finish(true);
        controller.close();
      } catch (cause) {
        await finish(false, cause);
        controller.error(explain(cause));
      }
    },
    cancel: () => finish(false),
  };
  pause(idleTimeoutMs, 'the stream was not read');
  // Nothing is read ahead, so the reader sees the end when it gets there.
  return new Response(new ReadableStream(source, { highWaterMark: 0 }), response);
}
