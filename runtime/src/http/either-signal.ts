/** Aborted as soon as one of both is. Node has `AbortSignal.any` from 20.3 on, Safari from 17.4. */
export function eitherSignal(one: AbortSignal, other: AbortSignal): AbortSignal {
  if ('any' in AbortSignal) return AbortSignal.any([one, other]);
  const either = new AbortController();
  for (const signal of [one, other]) {
    const stop = (): void => either.abort(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true, signal: either.signal });
  }
  return either.signal;
}
