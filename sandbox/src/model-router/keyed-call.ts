import { type Answer, go, type Step, stop, withHeaders } from '../answer.ts';
import { type Context, type RouterCall, scopeOf } from '../context.ts';
import { type Bytes, sha256 } from '../digest.ts';
import { decideKey, recordAnswer, startRecord } from '../state/idempotency.ts';
import { bodyTooLarge, invalidInput, keyConflict, keyStillRunning } from './refusals.ts';

/** What became of a call before its work: refused, which leaves its key free (MR-IDM-33), or ready to be dispatched. */
export type Prepared = Step<() => Answer | Promise<Answer>>;

/** Reads the body, settles the Idempotency-Key if there is one, and records what dispatched work answers. */
export async function performKeyedCall(
  call: RouterCall,
  context: Context,
  prepare: (body: Bytes) => Prepared,
): Promise<Answer> {
  const body = await call.readBody();
  if (body === undefined) return bodyTooLarge;
  const key = parseKey(call.headers.get('idempotency-key'));
  if (key.kind === 'stop') return key.answer;
  if (key.value === undefined) {
    const prepared = prepare(body);
    return prepared.kind === 'stop' ? prepared.answer : prepared.value();
  }
  return performWithKey({ call, context, body, slot: `${scopeOf(call.account)} ${key.value}` }, prepare);
}

type KeyedCall = { call: RouterCall; context: Context; body: Bytes; slot: string };

// Nothing is awaited between the decision and the record, so two calls with one key cannot both be fresh.
async function performWithKey(
  { call, context, body, slot }: KeyedCall,
  prepare: (body: Bytes) => Prepared,
): Promise<Answer> {
  const { clock } = context.config;
  const { keys } = context.world;
  const fingerprint = sha256(`${call.method} ${call.url.pathname} ${call.url.search} `, body);
  const decision = decideKey(keys.get(slot), fingerprint, clock.now());
  switch (decision.kind) {
    case 'conflict':
      return keyConflict;
    case 'still-running':
      return keyStillRunning;
    case 'replay':
      return withHeaders(decision.answer, { 'Idempotent-Replayed': 'true' });
    case 'fresh': {
      const prepared = prepare(body);
      if (prepared.kind === 'stop') return prepared.answer;
      startRecord(keys, { slot, fingerprint }, clock.now());
      try {
        return recordAnswer(keys, slot, await prepared.value());
      } catch (error) {
        keys.delete(slot); // nothing was produced, so the key is free again
        throw error;
      }
    }
  }
}

/** Visible ASCII, 1 to 255 characters (NS-32). */
function parseKey(header: string | null): Step<string | undefined> {
  if (header === null) return go(undefined);
  if (/^[\x21-\x7e]{1,255}$/.test(header)) return go(header);
  return stop(invalidInput('Idempotency-Key must be 1 to 255 visible ASCII characters.'));
}
