import type { Answer } from '../answer.ts';

/** What a key remembers of its first call; the window is counted from that call and never renewed (MR-IDM-47). */
export type KeyRecord = { fingerprint: string; firstSeenAt: number; answer: Answer | undefined };
export type KeyDecision =
  | { kind: 'fresh' }
  | { kind: 'replay'; answer: Answer }
  | { kind: 'still-running' }
  | { kind: 'conflict' };

const retentionMs = 24 * 60 * 60 * 1000;

export function decideKey(record: KeyRecord | undefined, fingerprint: string, now: number): KeyDecision {
  if (record === undefined || isExpired(record, now)) return { kind: 'fresh' };
  if (record.fingerprint !== fingerprint) return { kind: 'conflict' };
  return record.answer === undefined ? { kind: 'still-running' } : { kind: 'replay', answer: record.answer };
}

export type KeyRecords = Map<string, KeyRecord>;

export function startRecord(
  records: KeyRecords,
  { slot, fingerprint }: { slot: string; fingerprint: string },
  now: number,
): void {
  records.delete(slot); // so that order of insertion stays order of age
  records.set(slot, { fingerprint, firstSeenAt: now, answer: undefined });
  for (const [oldest, record] of records) {
    if (!isExpired(record, now)) break;
    records.delete(oldest);
  }
}

export function recordAnswer(records: KeyRecords, slot: string, answer: Answer): Answer {
  const record = records.get(slot);
  if (record !== undefined) records.set(slot, { ...record, answer });
  return answer;
}

function isExpired(record: KeyRecord, now: number): boolean {
  return now >= record.firstSeenAt + retentionMs;
}
