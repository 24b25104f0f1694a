import { DeadlinePassed, longestTimerMs } from './clock.ts';

export type StreamLimits = {
  /** What is left of the call's time. */
  readonly deadlineMs: number;
  /** How long the body may give nothing to a reader that waits. */
  readonly idleMs: number;
  /** The error that the reader gets: of a `DeadlinePassed`, of an abort, or of a connection that is gone. */
  readonly explain: (cause: unknown) => unknown;
};
/** A response whose body the caller reads after the call has returned. */
export type GuardedResponse = {
  readonly response: Response;
  /** Sets what is done once, before the reader sees it, when the body was read to its end or was not. */
  readonly whenRead: (work: (isWhole: boolean) => Promise<void>) => void;
};

/** `attempt` ends the request itself; `release` lets go of the caller's signal, which may outlive thousands of calls. */
export function guardStream(
  response: Response,
  { deadlineMs, idleMs, explain }: StreamLimits,
  { attempt, release }: { attempt: AbortController; release: () => void },
): GuardedResponse {
  const reader = response.body?.getReader();
  let work = async (_isWhole: boolean): Promise<void> => undefined;
  const endAfter = (ms: number, ...why: ConstructorParameters<typeof DeadlinePassed>): ReturnType<typeof setTimeout> =>
    setTimeout(() => attempt.abort(new DeadlinePassed(...why)), Math.min(ms, longestTimerMs));
  const deadline = endAfter(deadlineMs);
  (deadline as { unref?(): void }).unref?.(); // a body that nobody reads keeps no process of Node alive
  const finish = (isWhole: boolean): Promise<void> => {
    clearTimeout(deadline);
    release();
    const last = work(isWhole);
    work = async () => undefined;
    return last;
  };
  const source: UnderlyingDefaultSource<Uint8Array> = {
    start(controller) {
      attempt.signal.addEventListener('abort', () => {
        controller.error(explain(attempt.signal.reason));
        reader?.cancel().catch(() => undefined);
        void finish(false);
      });
    },
    async pull(controller) {
      const idle = endAfter(idleMs, '; the stream gave no bytes', { limitMs: idleMs });
      try {
        const part = await reader?.read().finally(() => clearTimeout(idle));
        if (part?.value !== undefined) return controller.enqueue(part.value);
        await finish(true);
        controller.close();
      } catch (cause) {
        await finish(false);
        controller.error(explain(cause)); // after an end by the client this changes nothing
      }
    },
    async cancel(reason) {
      await finish(false);
      await reader?.cancel(reason);
    },
  };
  // The end is seen when the reader comes to it, and not before.
  const guarded = new Response(new ReadableStream(source, { highWaterMark: 0 }), response);
  return {
    response: guarded,
    whenRead(next) {
      work = next;
    },
  };
}
