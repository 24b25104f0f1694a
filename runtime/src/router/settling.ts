import { within } from '../http/clock.ts';
import type { Answer } from './attempt.ts';
import { type CallIdentity, storeFailure } from './failures.ts';
import type { KeyStore } from './key-store.ts';

export type SettleOptions = {
  /**
   * Keeps the call in `pending()` until the result's `settle()` is called, so that a crash before you have stored the result
   * loses nothing.
   */
  readonly settle?: 'manual' | undefined;
};

/** A result, and how the store learns that its caller has it. */
type Settling = {
  readonly isManual: boolean;
  /** Absent for a call without a key, or where nothing is known of it. */
  readonly key: string | undefined;
  readonly finish: () => Promise<void>;
};

/**
 * Forgets the key of a result: at once, or when a stream was read to its end, or when the caller settles it. Until then its
 * key collects the same result again.
 */
export async function settleResult<Of extends Answer>(
  answer: Of,
  { isManual, key, finish }: Settling,
  { call, keys }: { call: CallIdentity; keys: KeyStore },
): Promise<Of & { readonly settle: () => Promise<void> }> {
  const settle = (): Promise<void> =>
    finish().catch((cause: unknown) => {
      throw storeFailure(call, 'the key cannot be settled', cause);
    });
  if (isManual && key !== undefined) {
    await kept(keys.keepListed(key));
    return { ...answer, settle };
  }
  if (answer.whenRead === undefined) await kept(finish());
  else
    answer.whenRead(async (isWhole) => {
      if (isWhole) await kept(finish());
      else if (key !== undefined) await kept(keys.release(key));
    });
  return { ...answer, settle };
}

const longestChangeMs = 10_000;

/**
 * A change of the store that comes after the response. One that fails or hangs must not cost the result: the call is then listed as
 * pending although it is not, and its key leads to the same result.
 */
export async function kept(change: Promise<void>): Promise<void> {
  const limit = { signal: new AbortController().signal, ms: longestChangeMs };
  await within(change, limit).catch(() => undefined);
}
