import { systemClock, within } from '../http/clock.ts';
import { present } from '../http/present.ts';
import { readMediaType } from '../http/read-body.ts';
import { explainEnd, explainLoss } from '../http/send.ts';
import { guardStream } from '../http/stream.ts';
import type { RouterCall } from './connection.ts';
import type { Answer } from './policy.ts';
import type { ResponseFacts } from './response-facts.ts';
import { explainStoreErrors, fail } from './router-error.ts';

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
        // A stream that has started may be billed.
        const state = { attempts, mayHaveRun: true, status, requestId: facts.requestId };
        const ended = explainEnd(cause, identity, state, call);
        if (ended !== cause) return ended;
        const { message, cause: why } = explainLoss(cause, true, call.redact);
        return fail(identity, { kind: 'network', message, cause: why, isRetryable: true, ...state });
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
    ...present({
      text: body.kind === 'json' ? body.text : undefined,
      idempotencyKey: queued === undefined ? idempotencyKey : undefined,
    }),
    mediaType: readMediaType(response.headers),
    response,
    settle: async () => {
      if (idempotencyKey !== undefined) await explainStoreErrors(call.client.keys.finish(idempotencyKey), identity);
    },
    mayBeUnconverted,
  };
  return result as Result; // The types of outputs only exist at compile time.
}

/** How a stored call ended: with an outcome (`finish`), without a run (`forget`), or with an unknown outcome (`release`). */
export type RecordEnding = 'finish' | 'forget' | 'release';

export async function endRecord(key: string | undefined, ending: RecordEnding, { client }: RouterCall): Promise<void> {
  if (key !== undefined) await changeStore(() => client.keys[ending](key));
}

/** Changes the store after a response. An error must not lose the result: the call is then listed as pending. */
export async function changeStore(change: () => Promise<void>): Promise<void> {
  try {
    await within(change(), { clock: systemClock, signal: undefined, endsAt: Infinity }, 10_000);
  } catch {
    // The caller still gets the result.
  }
}
