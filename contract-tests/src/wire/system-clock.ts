import type { Clock } from '../contract/exchange.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

export function printTime(ms: number): string {
  return new Date(ms).toISOString();
}

export function parseTime(text: string): number {
  return Date.parse(text);
}

export function startTimer(ms: number, onEnd: () => void): () => void {
  const timer = setTimeout(onEnd, ms);
  return () => clearTimeout(timer);
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
