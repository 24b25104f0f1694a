import type { Clock } from '../definitions/ports.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/** Calls back once after `ms`; the returned function cancels it. */
export function startTimer(ms: number, onEnd: () => void): () => void {
  const timer = setTimeout(onEnd, ms);
  return () => clearTimeout(timer);
}

/** Resolves after the pending input and output of this turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
