/** A program without a heartbeat for this long counts as gone. */
export const staleMs = 10_000;
const beatMs = 2_000;

/** Calls `beat` every two seconds until the returned function is called, which waits for the last beat. */
export function keepAlive(beat: () => Promise<unknown>): () => Promise<void> {
  let last = Promise.resolve();
  const timer = setInterval(() => {
    last = last.then(async () => void (await beat())).catch(() => undefined);
  }, beatMs);
  (timer as { unref?: () => void }).unref?.(); // only Node has it; without it the timer keeps the process running
  return () => {
    clearInterval(timer);
    return last;
  };
}
