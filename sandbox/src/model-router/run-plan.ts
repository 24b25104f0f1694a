import { errorType } from '../http/messages.ts';
import type { ServedModel } from '../models/served-model.ts';
import type { ProviderResponse } from '../provider/provider-response.ts';
import type { KeyRecord } from '../state/idempotency.ts';
import type { Claim } from '../state/records.ts';
import type { Run } from '../state/run.ts';
import type { Timings } from '../state/settings.ts';
import type { RouterCall } from './catalog.ts';
import type { CallKey } from './keyed-call.ts';
import { toReply } from './provider-reply.ts';

export type Dispatch = { call: RouterCall; model: ServedModel; response: ProviderResponse; key: CallKey };
type Course = Pick<Run, 'id' | 'operation' | 'submittedAt' | 'startsAt' | 'endsAt' | 'timesOutAt' | 'errorType'>;

/** The record of an admitted call. */
function recordRun({ call, model, response, key }: Dispatch, course: Course): Run {
  return {
    ...course,
    modelId: model.id,
    scope: call.account.scope,
    alias: call.account.alias,
    key: key?.key,
    isBilled: response.isBilled,
    servedBy: response.servedBy,
    received: response.received,
    withdrawnAt: undefined,
    replays: 0,
    disconnectedAt: undefined,
  };
}

export type SyncPlan = {
  run: Run;
  /** The caller waits until then (ms). */
  releasedAt: number;
  /** The router stopped holding before the response was there. */
  isLate: boolean;
  hasHandle: boolean;
};

/** A synchronous run from its dispatch on: how long it takes, and how long its caller is held (MR-LIM-01). */
export function planSyncRun(dispatch: Dispatch, timings: Timings, { id, now }: { id: string; now: number }): SyncPlan {
  const { response } = dispatch;
  const endsAt = now + (response.durationMs > 0 ? response.durationMs : timings.providerMs);
  const heldUntil = response.deadline === undefined ? now + timings.holdMs : now;
  const isLate = response.deadline !== undefined || endsAt > heldUntil;
  const course = { submittedAt: now, startsAt: now, endsAt, timesOutAt: undefined, errorType: readErrorType(response) };
  return {
    run: recordRun(dispatch, { id, operation: 'run', ...course }),
    releasedAt: Math.min(endsAt, heldUntil),
    isLate,
    hasHandle: dispatch.key !== undefined && response.deadline !== 'lost',
  };
}

/** A queued run from its admission on; a handle that the router lost is a deadline that passed. */
export function planQueuedRun(dispatch: Dispatch, timings: Timings, { id, now }: { id: string; now: number }): Run {
  const { response } = dispatch;
  const startsAt = now + timings.waitingMs;
  return recordRun(dispatch, {
    id,
    operation: 'submit',
    submittedAt: now,
    startsAt,
    endsAt: startsAt + (response.durationMs > 0 ? response.durationMs : timings.runningMs),
    timesOutAt: now + timings.queueTimeoutMs,
    errorType: response.deadline === 'lost' ? 'deadline_exceeded' : readErrorType(response),
  });
}

type Answer = Pick<KeyRecord, 'answerId' | 'releasedAt' | 'endsAt' | 'unreplayable'>;

/** Binds the key to its first accepted call; undefined for a call without one. */
export function claimKey(key: CallKey, run: Run, answer: Answer): Claim | undefined {
  if (key === undefined) return undefined;
  const { slot, fingerprint } = key;
  return { slot, record: { ...answer, fingerprint, runId: run.id, firstAcceptedAt: run.submittedAt } };
}

/** The category of a response that is not a result. */
function readErrorType(response: ProviderResponse): string | undefined {
  return toReply(response).headers[errorType];
}
