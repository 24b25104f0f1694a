import type { Reply } from '../http/messages.ts';
import { hasClosed, type Ledger, ledgerLifetimeMs, OpenRuns, type Run, readLedger, runLifetimeMs } from './run.ts';

/** Why a record cannot be replayed (MR-IDM-28, MR-IDM-30). `lost`: the provider returned no id with which the result can be fetched. */
export type Unreplayable = 'oversized' | 'unsafe-asset' | 'lost';

/** The first accepted call of a key. The caller waits until `releasedAt`; the provider finishes at `endsAt` (MR-IDM-47). */
export type KeyRecord = {
  fingerprint: string;
  firstAcceptedAt: number;
  runId: string;
  replyId: string;
  releasedAt: number;
  endsAt: number;
  unreplayable: Unreplayable | undefined;
};

export const retentionMs = 24 * 60 * 60 * 1000;

export type KeyClaim = { slot: string; record: KeyRecord };

type Admission = { run: Run; replies: Readonly<Record<string, Reply>>; claim: KeyClaim | undefined };

/** Maximum size of all records together. Limited, because a small request may keep a result of a megabyte for a day. */
const maxTotalBytes = 256 * 1024 * 1024;
const bytesPerRecord = 1_000;
const removalIntervalMs = 60_000;

/** Runs, their replies and their keys, in order of admission. Readers must not change the shared values. */
export class Records {
  readonly live = new OpenRuns();
  readonly #runs = new Map<string, Run>();
  readonly #replies = new Map<string, { readonly reply: Reply; readonly at: number }>();
  readonly #keys = new Map<string, KeyRecord>();
  #bodyBytes = 0;
  #forgetsAt = 0;

  /** Records a run. Must be called before the run is dispatched. */
  addRun({ run, replies, claim }: Admission, now: number): void {
    if (now >= this.#forgetsAt) this.#forget(now);
    this.#runs.set(run.id, run);
    for (const [id, reply] of Object.entries(replies)) {
      this.#replies.set(id, { reply, at: now });
      this.#bodyBytes += reply.body.length;
    }
    if (claim !== undefined) this.#keys.set(claim.slot, claim.record);
    if (!hasClosed(run, now)) this.live.put(run);
  }

  /** Removes expired records. Returns true if the remaining ones are too large to admit another run. */
  isFull(now: number): boolean {
    const isTooLarge = (): boolean =>
      this.#bodyBytes + bytesPerRecord * (this.#runs.size + this.#replies.size + this.#keys.size) > maxTotalBytes;
    if (isTooLarge()) this.#forget(now);
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
    this.#forget(Number.POSITIVE_INFINITY);
    this.#forgetsAt = 0;
    this.live.clear();
  }

  /** Removes expired records. This may happen late, because readers check the age of a record themselves. */
  #forget(now: number): void {
    this.#forgetsAt = now + removalIntervalMs;
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
