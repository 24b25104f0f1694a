import type { Reply } from '../http/messages.ts';
import { hasClosed, type Ledger, ledgerLifetimeMs, OpenRuns, type Run, readLedger, runLifetimeMs } from './run.ts';

/** Why a response cannot be replayed (MR-IDM-28, MR-IDM-30). `lost`: the router has no id with which it could fetch the result. */
export type Unreplayable = 'oversized' | 'unsafe-asset' | 'lost';

/**
 * The first accepted call with an idempotency key. Its caller gets a reply at `releasedAt`; the provider finishes at `endsAt`
 * (MR-IDM-47).
 */
export type KeyRecord = {
  fingerprint: string;
  firstAcceptedAt: number;
  runId: string;
  replyId: string;
  releasedAt: number;
  endsAt: number;
  unreplayable: Unreplayable | undefined;
};

/** How long a key is kept after its first accepted call, in milliseconds. */
export const retentionMs = 24 * 60 * 60 * 1000;

/** A key record to store. `slot`: scope and key. */
export type KeyClaim = { slot: string; record: KeyRecord };

type Admission = { run: Run; replies: Readonly<Record<string, Reply>>; claim: KeyClaim | undefined };

/** Maximum size of all records together, because a small request may store a result of a megabyte for a day. */
const maxTotalBytes = 256 * 1024 * 1024;
const bytesPerRecord = 1_000;
const removalIntervalMs = 60_000;

/** Stores runs with their replies and keys, in the order of their admission. Callers must not change what they get. */
export class Records {
  readonly live = new OpenRuns();
  readonly #runs = new Map<string, Run>();
  readonly #replies = new Map<string, { readonly reply: Reply; readonly at: number }>();
  readonly #keys = new Map<string, KeyRecord>();
  #bodyBytes = 0;
  #removalAt = 0;

  /** Stores a run. Must be called before the run is dispatched. */
  addRun({ run, replies, claim }: Admission, now: number): void {
    if (now >= this.#removalAt) this.#removeExpired(now);
    this.#runs.set(run.id, run);
    for (const [id, reply] of Object.entries(replies)) {
      this.#replies.set(id, { reply, at: now });
      this.#bodyBytes += reply.body.length;
    }
    if (claim !== undefined) this.#keys.set(claim.slot, claim.record);
    if (!hasClosed(run, now)) this.live.put(run);
  }

  /** True if the records are too large to store another run, even after removing expired ones. */
  isFull(now: number): boolean {
    const isTooLarge = (): boolean =>
      this.#bodyBytes + bytesPerRecord * (this.#runs.size + this.#replies.size + this.#keys.size) > maxTotalBytes;
    if (isTooLarge()) this.#removeExpired(now);
    return isTooLarge();
  }

  updateRun(run: Run): void {
    this.#runs.set(run.id, run);
    this.live.put(run);
  }

  findRun(id: string): Run | undefined {
    return this.#runs.get(id);
  }

  findKey(slot: string): KeyRecord | undefined {
    return this.#keys.get(slot);
  }

  findReply(id: string): Reply | undefined {
    return this.#replies.get(id)?.reply;
  }

  ledger(now: number, atMost?: number): Ledger {
    return readLedger(this.#runs.values(), now, atMost);
  }

  clear(): void {
    this.#removeExpired(Number.POSITIVE_INFINITY);
    this.#removalAt = 0;
    this.live.clear();
  }

  /** Removes expired records. May be called late, because callers check the age of a record themselves. */
  #removeExpired(now: number): void {
    this.#removalAt = now + removalIntervalMs;
    for (const [id, { submittedAt }] of this.#runs) if (now - submittedAt > ledgerLifetimeMs) this.#runs.delete(id);
    for (const [slot, { firstAcceptedAt }] of this.#keys)
      if (now - firstAcceptedAt > retentionMs) this.#keys.delete(slot);
    for (const [id, { reply, at }] of this.#replies)
      if (now - at > Math.max(retentionMs, runLifetimeMs)) {
        this.#replies.delete(id);
        this.#bodyBytes -= reply.body.length;
      }
  }
}
