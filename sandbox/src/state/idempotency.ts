/** Why a record cannot be replayed (MR-IDM-28, MR-IDM-29, MR-IDM-30); `lost` left no handle to what the provider accepted. */
export type Unreplayable = 'oversized' | 'unsafe-asset' | 'failed-write' | 'lost';

/**
 * The record of a key's first accepted call. Its window starts with that call and is never renewed (MR-IDM-47). The
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

export const retentionMs = 24 * 60 * 60 * 1000;
