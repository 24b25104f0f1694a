import { passedMs } from './clock.ts';

/** Hands work on in the order it came, in small helpings, and lets the event loop turn after each. */
export type Turns<A extends unknown[]> = {
  take(...args: A): void;
  /** Somebody was let in: before more work begins, whoever stands behind them is let in as well. */
  letIn(): void;
};

const helpingMs = 0.2;
const letInAtMost = 64; // before somebody is served after all

/**
 * The loop takes up one new connection in each turn, and without helpings a turn answers every connection there is: in a crowd that
 * connects at once, the last would wait while the first are answered again and again.
 */
export function byTurns<A extends unknown[]>(work: (...args: A) => void): Turns<A> {
  const waiting: A[] = [];
  let isSomebodyNew = false;
  let letInSince = 0;
  const serve = (): void => {
    if (isSomebodyNew && letInSince < letInAtMost) {
      isSomebodyNew = false;
      letInSince += 1;
      return void setImmediate(serve);
    }
    letInSince = 0;
    const until = passedMs() + helpingMs;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      work(...next);
      if (passedMs() >= until) break;
    }
    if (waiting.length > 0) setImmediate(serve);
  };
  return {
    take: (...args) => {
      if (waiting.push(args) === 1) setImmediate(serve);
    },
    letIn: () => {
      isSomebodyNew = true;
    },
  };
}
