import { hasEnded, isForgotten, phaseOf, type QueuedRequest } from './queued-request.ts';

/** All requests by id in order of submission, and those of them that may still be under way. */
export type Queue = { requests: Map<string, QueuedRequest>; live: Map<string, QueuedRequest> };

export function createQueue(): Queue {
  return { requests: new Map(), live: new Map() };
}

/** Puts a request, new or changed, and lets go of those whose time is over. */
export function putRequest(queue: Queue, request: QueuedRequest, now: number): void {
  queue.requests.set(request.id, request);
  if (hasEnded(request, now)) queue.live.delete(request.id);
  else queue.live.set(request.id, request);
  for (const [id, oldest] of queue.requests) {
    if (!isForgotten(oldest, now)) break;
    queue.requests.delete(id);
  }
}

/** A request of nobody else and under no other model; undefined otherwise (MR-COL-15). */
export function findRequest(
  queue: Queue,
  wanted: { id: string; modelId: string; scope: string },
  now: number,
): QueuedRequest | undefined {
  const request = queue.requests.get(wanted.id);
  if (request === undefined || isForgotten(request, now)) return undefined;
  return request.modelId === wanted.modelId && request.scope === wanted.scope ? request : undefined;
}

/** How many requests of the same model wait ahead of this one, whoever sent them (MR-QUE-09). */
export function countAhead(queue: Queue, request: QueuedRequest, now: number): number {
  let ahead = 0;
  for (const other of queue.live.values()) {
    if (other.id === request.id) break;
    if (other.modelId === request.modelId && phaseOf(other, now) === 'waiting') ahead += 1;
  }
  return ahead;
}

export function countUnderWay(queue: Queue, scope: string, now: number): number {
  let count = 0;
  for (const request of queue.live.values()) {
    if (hasEnded(request, now)) queue.live.delete(request.id);
    else if (request.scope === scope) count += 1;
  }
  return count;
}
