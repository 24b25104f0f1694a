import { forever, systemClock, within } from '../http/clock.ts';
import { present } from '../http/present.ts';
import { readMediaType } from '../http/read-body.ts';
import type { Answer } from './ask.ts';
import type { Work } from './connection.ts';
import { type CallIdentity, fromStore } from './failures.ts';
import type { ResponseFacts } from './response-facts.ts';

/** A finished run: the output, decoded by the response's own media type, and what the headers said. */
export type RunResult<Output> = ResponseFacts & {
  readonly data: Output;
  /** Of the response, in lower case and without parameters. */
  readonly mediaType: string;
  /** Its body is used up. */
  readonly response: Response;
  /** The idempotency key of a run; absent without one and for a queued request. */
  readonly key?: string;
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
 * A result, whose key is forgotten: at once, or when a stream was read to its end, or when the caller settles it. Until then the
 * key collects the same result again. An output departs from its schema now and then; that is never an error here.
 */
export async function toResult(answer: Answer, work: Work): Promise<ConvertedResult<unknown>> {
  const { call, response, facts, body } = answer;
  const { key } = call;
  const settle = (): Promise<void> => fromStore(leave(call, true, work), call);
  if (work.settle === undefined) {
    if (body.kind !== 'stream') await leaveLate(call, true, work);
    else call.whenRead = (isWhole) => leaveLate(call, isWhole, work);
  } else if (key !== undefined) await kept(() => work.keys.keepListed(key), work);
  return {
    ...facts,
    data: body.value,
    mediaType: readMediaType(response.headers),
    response,
    settle,
    ...present({ key: call.queued === undefined ? key : undefined }),
    mayBeUnconverted: isConverted(call.url) || facts.fallbackProvider !== undefined,
  };
}

/** Whether another provider is asked for the output of the model's own. */
const isConverted = (url: string): boolean => /[?&]model_provider=(?!.*&strict_mode=true)/.test(url);

/** The call `isOver` for the store, or stays there to be resumed. Who collects by the request id alone may have submitted with the same store. */
async function leave({ key, queued }: Partial<CallIdentity>, isOver: boolean, { keys }: Work): Promise<void> {
  if (key !== undefined) await (isOver ? keys.finish(key) : keys.release(key));
  else if (isOver && queued !== undefined) await keys.finishQueued(queued.requestId);
}

/** The same after the response. */
export const leaveLate = (call: Partial<CallIdentity>, isOver: boolean, work: Work): Promise<void> =>
  kept(() => leave(call, isOver, work), work);

/**
 * A change of the store that comes after the response. One that fails, throws at once or hangs must not cost the result: the call is then listed as
 * pending although it is not, and its key leads to the same result.
 */
export async function kept(change: () => Promise<void>, { hasOwnKeys }: Work): Promise<void> {
  try {
    const made = change();
    await (hasOwnKeys ? made : within(made, { clock: systemClock, ...forever }, 10_000));
  } catch {
    // The result is returned.
  }
}
