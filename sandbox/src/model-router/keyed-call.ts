import { type Bytes, sha256 } from '../digest.ts';
import { creditsUsed, type Reply, withHeaders } from '../http/messages.ts';
import { type KeyRecord, retentionMs } from '../state/records.ts';
import type { World } from '../state/world.ts';
import type { RouterCall } from './catalog.ts';
import { deadlineExceeded, invalidInput, keyStillRunning, refusals } from './errors.ts';

/** An Idempotency-Key, the slot of its record, and what it is bound to. */
export type CallKey = { key: string; slot: string; fingerprint: string };

/** The body of a call that may be new and its Idempotency-Key, if it has one; or the reply that a used key gets. */
export function readKeyedCall(call: RouterCall, world: World): { bytes: Bytes; key: CallKey | undefined } | Reply {
  const { body: bytes, headers, method } = call.request;
  if (bytes === 'too-large') return refusals.bodyTooLarge;
  const key = headers['idempotency-key'];
  if (key === undefined) return { bytes, key };
  if (!world.config.isKey(key)) return invalidInput('This Idempotency-Key cannot be used; a UUID can.');
  const slot = `${call.account.scope} ${key}`;
  // Method, path, query and the exact bytes of the body are compared (MR-IDM-24 to MR-IDM-27, OP-045).
  const fingerprint = sha256(Buffer.concat([Buffer.from(`${method} ${call.path} ${call.query} `), bytes]));
  const record = world.records.findKey(slot);
  const outcome = record && retryOutcome(record, fingerprint, world.config.clock.now());
  if (record === undefined || outcome === undefined) return { bytes, key: { key, slot, fingerprint } };
  return outcome === 'replay' ? replay(record, world) : outcome;
}

/** Follows the table of retry outcomes row by row; a different call always conflicts (MR-IDM-16). Undefined when the key is free. */
export function retryOutcome(record: KeyRecord, fingerprint: string, now: number): Reply | 'replay' | undefined {
  if (now >= record.firstAcceptedAt + retentionMs) return undefined;
  if (record.fingerprint !== fingerprint) return refusals.keyConflict;
  if (now < record.releasedAt) return keyStillRunning(record.releasedAt - now);
  if (record.unreplayable === 'lost') return refusals.keySpent;
  // The caller is released, the provider still works, and the handle is kept.
  if (now < record.endsAt) return deadlineExceeded(record.endsAt - now);
  return record.unreplayable === undefined ? 'replay' : refusals.keySpent;
}

/** A replay starts no run and costs nothing, so it has no count of credits (MR-IDM-02, MR-HDR-27). */
function replay({ answerId, runId }: KeyRecord, { records }: World): Reply {
  const recorded = records.findReply(answerId);
  const run = records.findRun(runId);
  if (recorded === undefined || run === undefined) return refusals.internalError; // all three were written as one
  records.change({ ...run, replays: run.replays + 1 });
  const { [creditsUsed]: _, ...headers } = recorded.headers;
  return withHeaders({ ...recorded, headers }, { 'Idempotent-Replayed': 'true' });
}
