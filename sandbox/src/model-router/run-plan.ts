import type { Answer } from '../answer.ts';
import { type RouterCall, scopeOf } from '../context.ts';
import type { ServedModel } from '../models/served-model.ts';
import type { ProviderAnswer } from '../provider/provider.ts';
import type { KeyRecord, Unreplayable } from '../state/idempotency.ts';
import type { Claim } from '../state/records.ts';
import type { Run } from '../state/run.ts';
import type { Settings, Timings } from '../state/settings.ts';
import type { CallKey } from './keyed-call.ts';
import { answerOfProvider } from './provider-answer.ts';

export type Dispatch = {
  call: RouterCall;
  model: ServedModel;
  answer: ProviderAnswer;
  key: CallKey;
  ledgerPage: number;
};
type Course = Pick<Run, 'id' | 'operation' | 'submittedAt' | 'startsAt' | 'endsAt' | 'timesOutAt' | 'errorType'>;

/** What is kept of an admitted call besides its course. */
function runOf({ call, model, answer, key, ledgerPage }: Dispatch, course: Course): Run {
  return {
    ...course,
    modelId: model.id,
    scope: scopeOf(call.account),
    alias: call.account.alias,
    key: key?.key,
    isBilled: answer.isBilled,
    servedBy: answer.servedBy,
    received: answer.received,
    withdrawnAt: undefined,
    replays: 0,
    disconnectedAt: undefined,
    ledgerPage,
  };
}

export type SyncPlan = {
  run: Run;
  /** The caller waits until then (ms). */
  releasedAt: number;
  /** The router stopped holding before the answer was there. */
  isLate: boolean;
  hasHandle: boolean;
};

/** A synchronous run from its dispatch on: how long it takes, and how long its caller is held (MR-LIM-01). */
export function planSyncRun(dispatch: Dispatch, timings: Timings, { id, now }: { id: string; now: number }): SyncPlan {
  const { answer } = dispatch;
  const endsAt = now + (answer.durationMs > 0 ? answer.durationMs : timings.providerMs);
  const heldUntil = answer.deadline === undefined ? now + timings.holdMs : now;
  const isLate = answer.deadline !== undefined || endsAt > heldUntil;
  const course = { submittedAt: now, startsAt: now, endsAt, timesOutAt: undefined, errorType: errorTypeOf(answer) };
  return {
    run: runOf(dispatch, { id, operation: 'run', ...course }),
    releasedAt: Math.min(endsAt, heldUntil),
    isLate,
    hasHandle: dispatch.key !== undefined && answer.deadline !== 'lost',
  };
}

/** A queued run from its admission on; a handle that the router lost is a deadline that passed. */
export function planQueuedRun(dispatch: Dispatch, timings: Timings, { id, now }: { id: string; now: number }): Run {
  const { answer } = dispatch;
  const startsAt = now + timings.waitingMs;
  return runOf(dispatch, {
    id,
    operation: 'submit',
    submittedAt: now,
    startsAt,
    endsAt: startsAt + (answer.durationMs > 0 ? answer.durationMs : timings.runningMs),
    timesOutAt: now + timings.queueTimeoutMs,
    errorType: answer.deadline === 'lost' ? 'deadline_exceeded' : errorTypeOf(answer),
  });
}

/** Binds the key to its first accepted call; undefined for a call without one. */
export function claimOf(key: CallKey, record: Omit<KeyRecord, 'fingerprint'>): Claim | undefined {
  return key === undefined ? undefined : { slot: key.slot, record: { ...record, fingerprint: key.fingerprint } };
}

/** The category of an answer that is no result. */
function errorTypeOf(answer: ProviderAnswer): string | undefined {
  return answerOfProvider(answer).serviceHeaders['Error-Type'];
}

/** Why the record of a synchronous run will not do for a replay (MR-IDM-28 to MR-IDM-30). */
export function unreplayableOf(answer: ProviderAnswer, settings: Settings): Unreplayable | undefined {
  if (answer.deadline === 'lost') return 'lost';
  if (answer.kind === 'result' && answer.replay !== 'safe') return answer.replay;
  return settings.failingRecordWrites > 0 ? 'failed-write' : undefined;
}

/** What something between router and caller sends in place of the first answer. */
export function foreign({ status, mediaType, body }: NonNullable<ProviderAnswer['intercepted']>): Answer {
  return { status, headers: { 'Content-Type': mediaType }, serviceHeaders: {}, body, isForeign: true };
}
