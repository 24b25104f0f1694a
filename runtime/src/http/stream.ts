import { DeadlinePassed, type TimeLimit, withDeadline } from './clock.ts';
import { readBodyChunks } from './read-body.ts';

export type StreamGuard = {
  readonly idleTimeoutMs: number;
  /** Closes the connection. */
  readonly close: (why?: unknown) => void;
  /** Called when the stream ends, before the reader is notified. `isWhole`: the body was read completely. */
  readonly whenRead: (isWhole: boolean) => Promise<void>;
  /** Converts a `DeadlinePassed`, an abort or a lost connection to the error that the reader receives. */
  readonly explain: (cause: unknown) => unknown;
};

/** Maximum time between two reads of the stream. */
const maxPauseMs = 600_000;

/** Returns a response for the caller to read. An idle stream or reader, an abort and the deadline end the connection. */
export function guardStream(
  response: Response,
  time: TimeLimit,
  { idleTimeoutMs, close, whenRead, explain }: StreamGuard,
): Response {
  const parts = readBodyChunks(response);
  let ended: { readonly why: unknown } | undefined;
  let endPause = (): void => undefined;
  const finish = async (isWhole: boolean, why?: unknown): Promise<void> => {
    if (ended !== undefined) return;
    ended = { why };
    endPause();
    if (!isWhole) close(why);
    await whenRead(isWhole);
  };
  // At the deadline of the call, the stream may have been sent and read all the time.
  const explainLimit = (what: string) => (isDeadline: boolean) => (isDeadline ? '' : `; ${what}`);
  const pause = (limitMs: number, what: string): void => {
    const next = new Promise<void>((resolve) => {
      endPause = resolve;
    });
    withDeadline(next, { ...time, isIdle: true }, limitMs, explainLimit(what)).catch((why: unknown) =>
      finish(false, why),
    );
  };
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      endPause();
      try {
        if (ended !== undefined) throw ended.why ?? new DeadlinePassed();
        const part = await withDeadline(parts.next(), time, idleTimeoutMs, explainLimit('the stream sent no bytes'));
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
  // Don't read ahead, so that the stream ends only when the reader reaches its end.
  return new Response(new ReadableStream(source, { highWaterMark: 0 }), response);
}
