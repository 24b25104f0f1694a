import { type Answer, go, type Step, stop, withHeaders } from '../answer.ts';
import { type Context, type RouterCall, scopeOf } from '../context.ts';
import { type Bytes, sha256 } from '../digest.ts';
import { decideKey, type KeyDecision } from '../state/idempotency.ts';
import {
  bodyTooLarge,
  deadlineExceeded,
  internalError,
  invalidInput,
  keyConflict,
  keySpent,
  keyStillRunning,
} from './refusals.ts';

/** The key that a call was sent with and what it is bound to; undefined for a call without one. */
export type CallKey = { key: string; slot: string; fingerprint: string } | undefined;
/** What became of a call before its work: refused, which leaves its key free (MR-IDM-33), or ready to be dispatched. */
export type Prepared = Step<() => Answer | Promise<Answer>>;
type Prepare = (body: Bytes, key: CallKey) => Prepared;

/**
 * Reads the body and settles the Idempotency-Key if there is one. Nothing is awaited between the decision and the record that
 * dispatched work makes of it, so two calls with one key cannot both be fresh.
 */
export async function performKeyedCall(call: RouterCall, context: Context, prepare: Prepare): Promise<Answer> {
  const body = await call.readBody();
  if (body === undefined) return bodyTooLarge;
  const text = parseKey(call.headers.get('idempotency-key'));
  if (text.kind === 'stop') return text.answer;
  const key = keyOf(text.value, call, body);
  const known = key === undefined ? undefined : answerFromRecord(key, context);
  if (known !== undefined) return known;
  const prepared = prepare(body, key);
  return prepared.kind === 'stop' ? prepared.answer : prepared.value();
}

/** Compared are method, path, query and the exact bytes of the body (MR-IDM-24 to MR-IDM-27, NS-45). */
function keyOf(key: string | undefined, call: RouterCall, body: Bytes): CallKey {
  if (key === undefined) return undefined;
  const line = `${call.method} ${call.url.pathname} ${call.url.search} `;
  const fingerprint = sha256(Buffer.concat([Buffer.from(line), body]));
  return { key, slot: `${scopeOf(call.account)} ${key}`, fingerprint };
}

/** Undefined when the key is free. */
function answerFromRecord({ slot, fingerprint }: NonNullable<CallKey>, context: Context): Answer | undefined {
  const { records } = context.world;
  const decision = decideKey(records.findKey(slot), fingerprint, context.config.clock.now());
  switch (decision.kind) {
    case 'fresh':
      return undefined;
    case 'conflict':
      return keyConflict;
    case 'still-running':
      return keyStillRunning(decision.forMs);
    case 'collect-later':
      return deadlineExceeded(decision.forMs);
    case 'spent':
      return keySpent;
    case 'replay':
      return replay(decision, context);
  }
}

/** Costs nothing and starts nothing; a count of credits is not part of it (MR-IDM-02, MR-HDR-27). */
function replay({ answerId, runId }: Extract<KeyDecision, { kind: 'replay' }>, { world }: Context): Answer {
  const recorded = world.records.findAnswer(answerId);
  const run = world.records.findRun(runId);
  if (recorded === undefined || run === undefined) return internalError; // all three were written as one
  world.records.change({ ...run, replays: run.replays + 1 });
  const { 'Credits-Used': _, ...serviceHeaders } = recorded.serviceHeaders;
  return withHeaders({ ...recorded, serviceHeaders }, { 'Idempotent-Replayed': 'true' });
}

/** Visible ASCII, 1 to 255 characters (NS-32). */
function parseKey(header: string | null): Step<string | undefined> {
  if (header === null) return go(undefined);
  if (/^[\x21-\x7e]{1,255}$/.test(header)) return go(header);
  return stop(invalidInput('Idempotency-Key must be 1 to 255 visible ASCII characters.'));
}
