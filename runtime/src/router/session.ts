import type { TimeLimit } from './call.ts';
import type { Connection } from './connection.ts';
import type { KeyStore } from './key-store.ts';
import type { CallOptions } from './router-types.ts';

/** A client at work: what its calls share, and where it keeps its keys. */
export type Session = { readonly connection: Connection; readonly store: KeyStore };

const day = 24 * 60 * 60 * 1000;

export function limitOf({ signal, deadlineMs }: CallOptions, { connection }: Session, usualMs = day): TimeLimit {
  const lasts = deadlineMs ?? usualMs;
  if (Number.isNaN(lasts)) throw new TypeError('deadlineMs is no number');
  return { signal: signal ?? new AbortController().signal, deadlineMs: lasts, endsAt: connection.clock.now() + lasts };
}
