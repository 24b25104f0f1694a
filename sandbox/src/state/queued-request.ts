import type { JsonObject } from '../../../specs/src/index.ts';

/** A run that was admitted to the queue; times in milliseconds on the sandbox's clock. */
export type QueuedRequest = {
  id: string;
  modelId: string;
  scope: string;
  input: JsonObject;
  submittedAt: number;
  startsAt: number;
  endsAt: number;
  cancelledAt: number | undefined;
};
/** Where a request stands; both ended phases are COMPLETED on the wire (MR-QUE-17). */
export type Phase = 'waiting' | 'running' | 'succeeded' | 'cancelled';
export type Submission = { id: string; modelId: string; scope: string; input: JsonObject };

/** How long a request stays collectable is not documented: NS-21. */
export const requestLifetimeMs = 24 * 60 * 60 * 1000;

export function admit(
  submission: Submission,
  timings: { waitingMs: number; runningMs: number },
  now: number,
): QueuedRequest {
  const startsAt = now + timings.waitingMs;
  return { ...submission, submittedAt: now, startsAt, endsAt: startsAt + timings.runningMs, cancelledAt: undefined };
}

export function phaseOf(request: QueuedRequest, now: number): Phase {
  if (request.cancelledAt !== undefined) return 'cancelled';
  if (now >= request.endsAt) return 'succeeded';
  return now >= request.startsAt ? 'running' : 'waiting';
}

export function hasEnded(request: QueuedRequest, now: number): boolean {
  const phase = phaseOf(request, now);
  return phase === 'succeeded' || phase === 'cancelled';
}

/** A completed request stays as it was (MR-CAN-13); any other is withdrawn at once, dispatched or not. */
export function cancel(request: QueuedRequest, now: number): QueuedRequest {
  return hasEnded(request, now) ? request : { ...request, cancelledAt: now };
}

/** Milliseconds until the request leaves its phase; none once it has ended. */
export function untilNextPhase(request: QueuedRequest, now: number): number {
  const phase = phaseOf(request, now);
  if (phase === 'waiting') return request.startsAt - now;
  return phase === 'running' ? request.endsAt - now : 0;
}

export function isForgotten(request: QueuedRequest, now: number): boolean {
  return now >= request.submittedAt + requestLifetimeMs;
}
