/** A program that gave no sign of life for so long is gone. */
export const staleMs = 10_000;
const beatMs = 2_000;

/** Gives a sign of life again and again until the returned function is called, which waits for the last one. */
export function keepAlive(beat: () => Promise<unknown>): () => Promise<void> {
  let last = Promise.resolve();
  const timer = setInterval(() => {
    last = last.then(async () => void (await beat())).catch(() => undefined);
  }, beatMs);
  (timer as { unref?: () => void }).unref?.(); // Node's, which else keeps a program running
  return () => {
    clearInterval(timer);
    return last;
  };
}
