import { DeadlinePassed, readElapsed, systemClock, withDeadline } from '../http/clock.ts';
import { omitUndefined } from '../http/omit-undefined.ts';
import { readMediaType } from '../http/read-body.ts';
import { explainEnd, explainLostAttempt } from '../http/send.ts';
import { guardStream } from '../http/stream.ts';
import type { RouterCall } from './connection.ts';
import type { Answer } from './policy.ts';
import type { ResponseFacts } from './response-facts.ts';
import { type CallIdentity, createError, createLocalError } from './router-error.ts';

/** A finished run: its output, decoded by the media type of the response, and facts from the headers. */
export type RunResult<Output> = ResponseFacts & {
  readonly data: Output;
  /** Text of the JSON, because `data` rounds integers beyond 2^53, such as 64-bit seeds. */
  readonly text?: string;
  /** From the response, in lower case and without parameters. */
  readonly mediaType: string;
  /** The response, whose body has already been read. */
  readonly response: Response;
  /** Idempotency key of a run. Absent if the call had no key, and for queued requests. */
  readonly idempotencyKey?: string;
  /** Removes the call from the pending calls. Only needed with `settle: 'manual'`, and for a stream that is not read. */
  readonly settle: () => Promise<void>;
  /** Always false here: the output has the model's own format. Other results are a `ConvertedResult`. */
  readonly mayBeUnconverted: false;
};

/** A different provider may have served the run. If its output could not be converted, it has that provider's format. */
export type ConvertedResult<Output, Unconverted = unknown> =
  | RunResult<Output>
  | (Omit<RunResult<Unconverted>, 'mayBeUnconverted'> & { readonly mayBeUnconverted: true });

/** Returns the result of a call. Ends its record: now, after its stream is read, or when the caller settles it. */
export async function toResult<Result extends ConvertedResult<unknown>>(
  answer: Answer,
  settle: 'manual' | undefined,
  call: RouterCall,
): Promise<Result> {
  const { facts, body, identity, url, attempts, status, end: close } = answer;
  const { idempotencyKey, queued } = identity;
  let { response } = answer;
  let data = body.value;
  if (body.kind === 'stream') {
    response = guardStream(response, call, {
      idleTimeoutMs: call.client.idleTimeoutMs,
      close,
      whenRead: async (isWhole) => {
        if (settle !== 'manual') await endRecord(idempotencyKey, isWhole ? 'finish' : 'release', call);
      },
      explain(cause) {
        // mayHaveRun: a stream that has started may be billed.
        const state = { attempts, mayHaveRun: true, status, requestId: facts.requestId };
        const ended = explainEnd(cause, identity, state, call);
        if (ended !== cause) return ended;
        const { message, cause: why } = explainLostAttempt(cause, true, call.redact);
        return createError(identity, { kind: 'network', message, cause: why, isRetryable: true, ...state });
      },
    });
    data = response.body;
  }
  if (settle === 'manual') await endRecord(idempotencyKey, 'release', call);
  else if (body.kind !== 'stream') await endRecord(idempotencyKey, 'finish', call);
  const mayBeUnconverted =
    /[?&]model_provider=(?!.*&strict_mode=true)/.test(url) || facts.fallbackProvider !== undefined;
  const result: object = {
    ...facts,
    data,
    ...omitUndefined({
      text: body.kind === 'json' ? body.text : undefined,
      idempotencyKey: queued === undefined ? idempotencyKey : undefined,
    }),
    mediaType: readMediaType(response.headers),
    response,
    settle: async () => {
      // Not with the deadline of the call, which may have passed while the caller saved the result.
      const time = { ...call, signal: undefined, endsAt: Infinity };
      if (idempotencyKey !== undefined) await waitForStore(call.client.keys.finish(idempotencyKey), identity, time);
    },
    mayBeUnconverted,
  };
  return result as Result; // The types of outputs only exist at compile time.
}

/** How a stored call ended: with an outcome (`finish`), without a run (`discard`), or with an unknown outcome (`release`). */
export type RecordEnding = 'finish' | 'discard' | 'release';

export async function endRecord(key: string | undefined, ending: RecordEnding, call: RouterCall): Promise<void> {
  if (key !== undefined) await changeStore(() => call.client.keys[ending](key), call);
}

/**
 * Changes the store after a response. An error must not lose the result: the call is then listed as pending. Waits at most
 * ten seconds, and at most one after the call was aborted or its deadline passed. The change continues in any case.
 */
export async function changeStore(change: () => Promise<void>, { clock, signal, endsAt }: RouterCall): Promise<void> {
  const leftMs = signal?.aborted ? 0 : endsAt - readElapsed(clock);
  try {
    await withDeadline(
      change(),
      { clock: systemClock, signal: undefined, endsAt: Infinity },
      Math.min(10_000, Math.max(1000, leftMs)),
    );
  } catch {
    // Ignored: a failure here must not cost the caller the result.
  }
}

/** Waits at most a minute for the key store. If the call ends first, calls `undo` with a later result. */
export async function waitForStore<Result>(
  work: Promise<Result>,
  identity: CallIdentity,
  call: RouterCall,
  undo: (result: Result) => void = () => undefined,
): Promise<Result> {
  const working = work.catch((cause: unknown) => {
    throw createLocalError(identity, `the key store failed: ${cause instanceof Error ? cause.message : cause}`, cause);
  });
  try {
    return await withDeadline(working, call, 60_000, () => '; the key store did not respond');
  } catch (error) {
    if (error instanceof DeadlinePassed || call.signal?.aborted) void working.then(undo, () => undefined);
    throw explainEnd(error, identity, { attempts: 0 }, call);
  }
}
