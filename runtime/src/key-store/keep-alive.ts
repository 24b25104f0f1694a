import { unref } from '../http/clock.ts';

/** A program without a heartbeat for this long counts as gone. */
export const staleMs = 10_000;
const beatMs = 2_000;

/** Calls `beat` every two seconds until the returned function is called, which waits for the last beat. */
export function keepAlive(beat: () => Promise<unknown>): () => Promise<void> {
  let last = Promise.resolve();
  const timer = setInterval(() => {
    last = last.then(async () => void (await beat())).catch(() => undefined);
  }, beatMs);
  unref(timer);
  return () => {
    clearInterval(timer);
    return last;
  };
}
