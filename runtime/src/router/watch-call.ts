import { readElapsed } from '../http/clock.ts';
import { notifyAll } from '../http/notify.ts';
import { randomKey } from '../http/random-key.ts';
import type { Session } from './connection.ts';
import { localFailure } from './failures.ts';
import type { RouterError, RouterOperation } from './router-error.ts';

/** What a method was called with, as far as it can be checked. */
export type Invocation = {
  readonly operation: RouterOperation;
  readonly model?: string | undefined;
  readonly options: object | undefined;
  /** The names of its options beside those of every call, with a space between. */
  readonly takes?: string;
};

const everyCall = 'signal deadlineMs maxWaitMs maxAttempts attemptTimeoutMs headers';

/** A misspelled option would change nothing, and nobody would see it. */
export function checkOptions({ operation, model, options = {}, takes = '' }: Invocation): void {
  const known = `${everyCall} ${takes}`.split(' ');
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw localFailure({ operation, model }, `${unknown} is no option; there are ${known.join(', ')}`);
  const { headers = {} } = options as { headers?: object };
  if (namesKey(headers)) throw localFailure({ operation, model }, 'a key is given as the option key, not as a header');
}

export function namesKey(headers: object): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'idempotency-key');
}

/** One call of a method: with checked options, an id of its own, and observers that see its start and its end. */
export async function watchCall<Result>(
  session: Session,
  invocation: Invocation,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  checkOptions(invocation);
  const { connection } = session;
  const { clock, observers } = connection;
  const startedAt = readElapsed(clock);
  const event = { callId: randomKey(), operation: invocation.operation, model: invocation.model };
  notifyAll(observers, 'onStart', event);
  const end = (outcome: { error?: RouterError }): void =>
    notifyAll(observers, 'onEnd', { ...event, durationMs: readElapsed(clock) - startedAt, ...outcome });
  try {
    const result = await work({ ...session, connection: { ...connection, callId: event.callId } });
    end({});
    return result;
  } catch (error) {
    end({ error: error as RouterError }); // nothing else is thrown but for mistakes of the program
    throw error;
  }
}
