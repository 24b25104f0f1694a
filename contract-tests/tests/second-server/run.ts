import { nameScope } from './accounts.ts';
import { type Answer, branded, type Headers, InvalidFields, Refusal } from './answers.ts';
import type { Failure } from './attempts.ts';
import { type Call, makeFingerprint, readKey, requireModel } from './call.ts';
import { checkInput, type Input, parseInput } from './input.ts';
import type { KeyRecord } from './keys.ts';
import type { Model } from './models.ts';
import { acceptedStatus, isHeldAtOnce } from './outcomes.ts';
import { type Result, type RunOptions, startWork, type Work } from './work.ts';

// POST /v2/models/{provider}/{model}

/** A longer response is not recorded. */
const largestRecord = 8 * 2 ** 20;

export async function runModel(call: Call): Promise<Answer> {
  const model = requireModel(call);
  const options = readOptions(call, model);
  const key = readKey(call);
  const bytes = await call.body();
  const input = parseInput(bytes);
  const fingerprint = makeFingerprint(call, input);
  const scope = nameScope(call.account);
  const { keys, limits, bugs } = call.world;
  const hold = planHold(model, input, options);

  const known = key === undefined ? undefined : keys.find(scope, key);
  if (known) {
    keys.check(known, fingerprint);
    return resume(call, hold, known);
  }
  limits.takeQuota(call.account);
  if (!options.strict) checkInput(model, input);
  if (!call.account.credits) throw new Refusal(402, 'insufficient_credits', 'The workspace has no credits left.');
  const release = limits.admit(call.account, model.priceCents);
  try {
    const assignment = { model, sent: { input, bytes }, scope, via: 'run' } as const;
    const work = startWork(call.world, assignment, options);
    if (key === undefined) return await attend(call, hold, work, undefined, false);
    if (bugs.has('run-key-stored-late')) await work.done;
    const record = keys.open(scope, key, fingerprint, { kind: 'run', work, attended: false });
    return await attend(call, hold, work, record, false);
  } finally {
    release();
  }
}

/** How long a call is held, and the provider's status when it accepted the work. */
type Hold = { readonly ms: number; readonly atOnce: boolean; readonly acceptedStatus: number };

function planHold(model: Model, input: Input, options: RunOptions): Hold {
  const atOnce = options.provider === undefined && isHeldAtOnce(model, input);
  return { ms: model.holdMs, atOnce, acceptedStatus: atOnce ? acceptedStatus(input) : 202 };
}

function readOptions(call: Call, model: Model): RunOptions {
  const provider = call.query.get('model_provider') ?? undefined;
  const strict = call.query.get('strict_mode') ?? 'false';
  const wish = call.query.get('fallback_provider') ?? undefined;
  const current = provider ?? model.provider;
  const others = [...model.alternates, model.provider].filter((one) => one !== current);
  const fallback = wish === 'auto' || wish === 'any' ? others[0] : wish;
  if (strict !== 'true' && strict !== 'false') {
    throw new Refusal(400, 'invalid_input', 'strict_mode has to be true or false.');
  }
  for (const name of [provider, fallback]) {
    if (name !== undefined && name !== model.provider && !model.alternates.includes(name)) {
      throw new Refusal(400, 'invalid_input', 'This provider does not serve the model.');
    }
  }
  const alternate = provider === model.provider ? undefined : provider;
  return {
    provider: alternate,
    strict: alternate !== undefined && strict === 'true',
    fallback: fallback === current ? undefined : fallback,
  };
}

async function resume(call: Call, hold: Hold, record: KeyRecord): Promise<Answer> {
  const { state } = record;
  if (state.kind !== 'run') throw new Refusal(409, 'invalid_input', 'This Idempotency-Key belongs to another request.');
  if (state.attended && !state.work.settled) {
    const headers = { 'retry-after': 1, ...call.world.limits.spendHeaders(call.account) };
    throw new Refusal(409, 'concurrency_limit_exceeded', 'The call with this key still runs.', { headers });
  }
  return attend(call, hold, state.work, record, true);
}

/** Waits for the work until it ends, the hold time is over or the caller hangs up. */
async function attend(
  call: Call,
  hold: Hold,
  work: Work,
  record: KeyRecord | undefined,
  again: boolean,
): Promise<Answer> {
  const { state } = record ?? {};
  if (state?.kind === 'run') state.attended = true;
  const end = hold.atOnce ? (again && work.settled) || 'late' : await awaitFirst(call, work, hold.ms);
  if (state?.kind === 'run') state.attended = false;
  if (end === 'gone') {
    call.world.log('client_disconnected');
    throw new Refusal(499, 'client_disconnected', 'The caller closed the connection.');
  }
  if (end !== 'late') return deliver(call, end, record, again);
  const headers = { [branded(call.world.brand, 'upstream-status')]: hold.acceptedStatus, 'retry-after': 1 };
  throw new Refusal(504, 'deadline_exceeded', 'The provider accepted the call and still works on it.', { headers });
}

async function awaitFirst(call: Call, work: Work, ms: number): Promise<Result | 'late' | 'gone'> {
  if (work.settled) return work.settled;
  let forget = () => {};
  const late = new Promise<'late'>((done) => {
    forget = call.world.clock.after(ms, () => done('late'));
  });
  const end = await Promise.race([work.done, late, call.gone.then(() => 'gone' as const)]);
  forget();
  return end;
}

function deliver(call: Call, result: Result, record: KeyRecord | undefined, again: boolean): Answer {
  const { attempt } = result;
  const replayed: Headers = again ? { 'idempotent-replayed': 'true' } : {};
  if (attempt.kind === 'failure') {
    // A refusal of the request itself would come again; after a failure of provider or router the key is free.
    if (record && attempt.blame === 'nobody') record.state = { kind: 'spent' };
    else if (attempt.blame !== 'request') record?.release();
    throw makeRefusal(call, attempt, replayed);
  }
  const tooLarge = attempt.output.bytes.length > largestRecord;
  if (record && (tooLarge || !attempt.replayable)) record.state = { kind: 'spent' };
  const { brand, limits } = call.world;
  const headers: Headers = {
    'content-type': attempt.output.mediaType,
    'x-content-type-options': 'nosniff',
    ...limits.spendHeaders(call.account),
    ...replayed,
  };
  if (result.fallback) headers[branded(brand, 'router-fallback-provider')] = result.fallback;
  if (result.dropped.length > 0) headers[branded(brand, 'router-dropped-params')] = asHeader(result.dropped);
  if (!again && attempt.creditsUsed !== undefined) headers[branded(brand, 'credits-used')] = attempt.creditsUsed;
  return { status: 200, headers, body: attempt.output.bytes };
}

/** A JSON string that holds the text of the array, in ASCII. */
function asHeader(sentences: readonly string[]): string {
  const inAscii = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(JSON.stringify(sentences).replace(/[\u007f-\uffff]/g, inAscii));
}

export function makeRefusal(call: Call, failure: Failure, more: Headers = {}, status = failure.status): Refusal {
  const headers: Headers = { ...more };
  if (failure.upstreamStatus) headers[branded(call.world.brand, 'upstream-status')] = failure.upstreamStatus;
  if (failure.problems) return new InvalidFields(failure.problems, headers);
  return new Refusal(status, failure.errorType, failure.detail, { headers, body: { upstream_detail: null } });
}
