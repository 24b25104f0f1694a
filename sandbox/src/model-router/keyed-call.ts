import { type Bytes, sha256 } from '../digest.ts';
import { creditsUsed, isReply, type Reply, withHeaders } from '../http/messages.ts';
import { decideKey, type KeyDecision } from '../state/idempotency.ts';
import type { World } from '../state/world.ts';
import type { RouterCall } from './catalog.ts';
import { deadlineExceeded, invalidInput, keyStillRunning, refusals } from './errors.ts';

/** The Idempotency-Key of a call and what it is bound to; undefined for a call without one. */
export type CallKey = { key: string; slot: string; fingerprint: string } | undefined;
/** Refused, which leaves the key free (MR-IDM-33), or ready to be dispatched. */
type Prepare = (body: Bytes, key: CallKey) => Reply | (() => Reply | Promise<Reply>);

/**
 * Decides by the Idempotency-Key, if there is one, whether a call is new. Nothing is awaited between the decision and the record
 * that dispatched work makes of it, so two calls with one key cannot both be new.
 */
export async function performKeyedCall(call: RouterCall, world: World, prepare: Prepare): Promise<Reply> {
  const { body, headers } = call.request;
  if (body === 'too-large') return refusals.bodyTooLarge;
  const header = headers['idempotency-key'];
  if (header !== undefined && !world.config.isKey(header)) {
    return invalidInput('This Idempotency-Key cannot be used; a UUID can.');
  }
  const key = readKey(header, call, body);
  const known = key === undefined ? undefined : replyFromRecord(key, world);
  if (known !== undefined) return known;
  const prepared = prepare(body, key);
  return isReply(prepared) ? prepared : prepared();
}

/** Compared are method, path, query and the exact bytes of the body (MR-IDM-24 to MR-IDM-27, NS-45). */
function readKey(key: string | undefined, { request, path, query, account }: RouterCall, body: Bytes): CallKey {
  if (key === undefined) return undefined;
  const fingerprint = sha256(Buffer.concat([Buffer.from(`${request.method} ${path} ${query} `), body]));
  return { key, slot: `${account.scope} ${key}`, fingerprint };
}

/** Undefined when the key is free. */
function replyFromRecord({ slot, fingerprint }: NonNullable<CallKey>, world: World): Reply | undefined {
  const decision = decideKey(world.records.findKey(slot), fingerprint, world.config.clock.now());
  switch (decision.kind) {
    case 'fresh':
      return undefined;
    case 'conflict':
      return refusals.keyConflict;
    case 'still-running':
      return keyStillRunning(decision.forMs);
    case 'collect-later':
      return deadlineExceeded(decision.forMs);
    case 'spent':
      return refusals.keySpent;
    case 'replay':
      return replay(decision, world);
  }
}

/** Costs nothing and starts nothing; a count of credits is left out (MR-IDM-02, MR-HDR-27). */
function replay({ answerId, runId }: Extract<KeyDecision, { kind: 'replay' }>, { records }: World): Reply {
  const recorded = records.findReply(answerId);
  const run = records.findRun(runId);
  if (recorded === undefined || run === undefined) return refusals.internalError; // all three were written as one
  records.change({ ...run, replays: run.replays + 1 });
  const { [creditsUsed]: _, ...headers } = recorded.headers;
  return withHeaders({ ...recorded, headers }, { 'Idempotent-Replayed': 'true' });
}
