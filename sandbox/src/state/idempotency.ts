/** Why a record cannot be replayed (MR-IDM-28, MR-IDM-29, MR-IDM-30); `lost` left no handle to what the provider accepted. */
export type Unreplayable = 'oversized' | 'unsafe-asset' | 'failed-write' | 'lost';

/**
 * What a key remembers of its first accepted call. The window is counted from that call and never renewed (MR-IDM-47). The
 * caller is held until `releasedAt`, the provider responds at `endsAt` (ms); without a wait both are the same.
 */
export type KeyRecord = {
  fingerprint: string;
  firstAcceptedAt: number;
  runId: string;
  /** The id of the recorded reply that is replayed. */
  answerId: string;
  releasedAt: number;
  endsAt: number;
  unreplayable: Unreplayable | undefined;
};

export type KeyDecision =
  | { kind: 'fresh' }
  | { kind: 'replay'; runId: string; answerId: string }
  /** The first call is still held. */
  | { kind: 'still-running'; forMs: number }
  /** The caller is released, the provider still works, and the handle is kept. */
  | { kind: 'collect-later'; forMs: number }
  | { kind: 'spent' }
  | { kind: 'conflict' };

export const retentionMs = 24 * 60 * 60 * 1000;

/** Row by row the table of retry outcomes; a different call conflicts, however the first one ended (MR-IDM-16). */
export function decideKey(record: KeyRecord | undefined, fingerprint: string, now: number): KeyDecision {
  if (record === undefined || now >= record.firstAcceptedAt + retentionMs) return { kind: 'fresh' };
  if (record.fingerprint !== fingerprint) return { kind: 'conflict' };
  if (now < record.releasedAt) return { kind: 'still-running', forMs: record.releasedAt - now };
  if (record.unreplayable === 'lost') return { kind: 'spent' };
  if (now < record.endsAt) return { kind: 'collect-later', forMs: record.endsAt - now };
  if (record.unreplayable !== undefined) return { kind: 'spent' };
  return { kind: 'replay', runId: record.runId, answerId: record.answerId };
}
