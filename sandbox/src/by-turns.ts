import { passedMs } from './clock.ts';

/** A line of callers, served in the order they came, a small helping in each turn of the event loop. */
export type Turns<T> = {
  /** Serves at once whoever need not wait. */
  take(caller: T): void;
  /** Somebody was let in: before more work begins, whoever stands behind them is let in as well. */
  letIn(): void;
};
export type Serving<T> = {
  serve(caller: T): void;
  /** Called for those who have to wait, before they do. */
  hold(caller: T): void;
};

const helpingMs = 0.2;
const letInAtMost = 64; // before somebody is served after all

/**
 * The loop takes up one new connection in each turn, and without helpings a turn answers every connection there is: in a crowd that
 * connects at once, the last would wait while the first are answered again and again.
 */
export function byTurns<T>({ serve, hold }: Serving<T>): Turns<T> {
  const line: T[] = [];
  let [isTurnPlanned, isSomebodyNew, letInSince] = [false, false, 0];
  let helpingEnds: number | undefined; // of this turn, once it has begun
  const planTurn = (): void => {
    if (!isTurnPlanned) setImmediate(turn);
    isTurnPlanned = true;
  };
  const mayBeServed = (): boolean => {
    if (isSomebodyNew && letInSince < letInAtMost) return false;
    helpingEnds ??= passedMs() + helpingMs;
    return passedMs() < helpingEnds;
  };
  const turn = (): void => {
    isTurnPlanned = false;
    helpingEnds = undefined;
    letInSince = isSomebodyNew && line.length > 0 ? letInSince + 1 : 0;
    const before = line.length;
    while (line.length > 0 && mayBeServed()) serve(line.shift() as T); // it is not empty
    if (line.length < before) letInSince = 0;
    isSomebodyNew = false;
    if (line.length > 0) planTurn();
  };
  return {
    take(caller) {
      planTurn();
      if (line.length === 0 && mayBeServed()) return serve(caller);
      hold(caller);
      line.push(caller);
    },
    letIn() {
      isSomebodyNew = true;
      planTurn();
    },
  };
}
