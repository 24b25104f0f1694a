import { longestTimerMs } from './clock.ts';

/** Why a body broke off. */
export type StreamEnd = 'aborted' | 'deadline' | 'idle' | 'lost';
export type StreamLimits = {
  /** What is left of the call's time. */
  readonly deadlineMs: number;
  /** How long the body may give nothing to a reader that waits. */
  readonly idleMs: number;
  /** The error that the reader gets. */
  readonly explain: (end: StreamEnd, cause: unknown) => unknown;
};

/**
 * Bounds a body that is read after its call has returned. `attempt` ends the request itself; `onEnd` hears once whether the body came
 * to its end, and lets go of the caller's signal, which may outlive thousands of calls.
 */
export function guardStream(
  { body, status, statusText, headers }: Response,
  { deadlineMs, idleMs, explain }: StreamLimits,
  { attempt, onEnd }: { attempt: AbortController; onEnd: (isWhole: boolean) => void },
): Response {
  const reader = body?.getReader();
  let ended: StreamEnd = 'aborted';
  const endAfter = (ms: number, end: StreamEnd): ReturnType<typeof setTimeout> =>
    setTimeout(
      () => {
        ended = end;
        attempt.abort();
      },
      Math.min(ms, longestTimerMs),
    );
  const deadline = endAfter(deadlineMs, 'deadline');
  (deadline as { unref?(): void }).unref?.(); // a body that nobody reads keeps no process of Node alive
  const finish = (isWhole: boolean): void => {
    clearTimeout(deadline);
    onEnd(isWhole);
  };
  const guarded = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        attempt.signal.addEventListener('abort', () => {
          finish(false);
          controller.error(explain(ended, attempt.signal.reason));
          reader?.cancel().catch(() => undefined);
        });
      },
      async pull(controller) {
        const idle = endAfter(idleMs, 'idle');
        try {
          const part = await reader?.read();
          if (part?.value !== undefined) return controller.enqueue(part.value);
          finish(true);
          controller.close();
        } catch (cause) {
          finish(false);
          controller.error(explain('lost', cause)); // after an end by the client this changes nothing
        } finally {
          clearTimeout(idle);
        }
      },
      cancel(reason) {
        finish(false);
        return reader?.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(guarded, { status, statusText, headers });
}
