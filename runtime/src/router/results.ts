import { systemClock, within } from '../http/clock.ts';
import { present } from '../http/present.ts';
import { readMediaType } from '../http/read-body.ts';
import { explainEnd, explainLoss } from '../http/send.ts';
import { guardStream } from '../http/stream.ts';
import type { RouterCall } from './connection.ts';
import { type CallIdentity, fail, fromStore } from './failures.ts';
import type { Answer } from './policy.ts';
import type { ResponseFacts } from './response-facts.ts';

/** A finished run: the output, decoded by the response's own media type, and the facts of the headers. */
export type RunResult<Output> = ResponseFacts & {
  readonly data: Output;
  /** For JSON, the body as it came: `data` rounds integers beyond 2^53, such as seeds of 64 bits. */
  readonly text?: string;
  /** From the response, in lower case and without parameters. */
  readonly mediaType: string;
  /** Its body is used up. */
  readonly response: Response;
  /** The key of a run; absent without one and for a queued request. */
  readonly idempotencyKey?: string;
  /**
   * Says that you have the result, so that its key can be forgotten. Only needed with `settle: 'manual'`, and for a stream that is not
   * read to its end; it does nothing where the key is forgotten already.
   */
  readonly settle: () => Promise<void>;
  /** False: no other provider was involved, so the output is the model's own. */
  readonly mayBeUnconverted: false;
};

/** Another provider served the run. Where its output could not be converted, it is in that provider's own shape. */
export type ConvertedResult<Output, Unconverted = unknown> =
  | RunResult<Output>
  | (Omit<RunResult<Unconverted>, 'mayBeUnconverted'> & { readonly mayBeUnconverted: true });

/**
 * A result, whose call is over in the store: at once, or when a stream was read to its end, or when the caller settles it. Until then
 * the key collects the same result again. An output departs from its schema now and then; that is never an error here.
 */
export async function toResult(
  answer: Answer,
  settle: 'manual' | undefined,
  call: RouterCall,
): Promise<ConvertedResult<unknown>> {
  const { facts, body, identity, url, attempts, status, end: close } = answer;
  const { idempotencyKey, queued } = identity;
  const { clock, keys, idleTimeoutMs } = call.client;
  let { response } = answer;
  let data = body.value;
  if (body.kind === 'stream') {
    response = guardStream(response, {
      ...{ clock, signal: call.signal, endsAt: call.endsAt, idleTimeoutMs, close },
      whenRead: async (isWhole) => {
        if (settle !== 'manual') await leaveLate(identity, isWhole ? 'done' : 'open', call);
      },
      explain(cause) {
        // A stream that has begun may be billed, however its connection ended.
        const state = { attempts, isOpen: true, status, ...present({ requestId: facts.requestId }) };
        const ended = explainEnd(cause, identity, state, call);
        if (ended !== cause) return ended;
        const { message, cause: why } = explainLoss(cause, true, call.redact);
        return fail(identity, { kind: 'network', message, cause: why, isRetryable: true, ...state });
      },
    });
    data = response.body;
  } else if (settle !== 'manual') await leaveLate(identity, 'done', call);
  if (settle === 'manual' && idempotencyKey !== undefined) await kept(() => keys.keepListed(idempotencyKey), call);
  const isConverted = /[?&]model_provider=(?!.*&strict_mode=true)/.test(url) || facts.fallbackProvider !== undefined;
  const result = {
    ...facts,
    data,
    ...(body.kind === 'json' ? present({ text: body.text }) : {}),
    mediaType: readMediaType(response.headers),
    response,
    settle: () => fromStore(leave(identity, 'done', call), identity),
    ...present({ idempotencyKey: queued === undefined ? idempotencyKey : undefined }),
  };
  return isConverted ? { ...result, mayBeUnconverted: true } : { ...result, mayBeUnconverted: false };
}

/**
 * How a call leaves the store: with its outcome known, with nothing that was run, given up by its caller, or with an unknown outcome, to be
 * resumed.
 */
export type Leaving = 'done' | 'unspent' | 'aborted' | 'open';
type StoredIdentity = Pick<CallIdentity, 'idempotencyKey' | 'queued'>;

async function leave({ idempotencyKey: key, queued }: StoredIdentity, how: Leaving, call: RouterCall): Promise<void> {
  const { keys } = call.client;
  if (key === undefined) {
    // A caller that collects by the request id may have submitted with the same store.
    if (how === 'done' && queued !== undefined) await keys.finishQueued(queued.requestId);
  } else if (how === 'done') await keys.finish(key);
  else if (how === 'unspent') await keys.forget(key);
  else await keys.release(key, { wasAborted: how === 'aborted' });
}

/** The same after the response, when a failure of the store must not cost the result. */
export const leaveLate = (identity: StoredIdentity, how: Leaving, call: RouterCall): Promise<void> =>
  kept(() => leave(identity, how, call), call);

/**
 * A change of the store that comes after the response. One that fails, throws at once or hangs must not cost the result: the call is then
 * listed as pending although it is not, and its key leads to the same result.
 */
export async function kept(change: () => Promise<void>, { client: { hasOwnKeys } }: RouterCall): Promise<void> {
  try {
    const made = change();
    const time = { clock: systemClock, signal: undefined, endsAt: Number.POSITIVE_INFINITY };
    await (hasOwnKeys ? made : within(made, time, 10_000));
  } catch {
    // The result is returned.
  }
}
