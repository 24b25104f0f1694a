import { scopeOf } from './accounts.ts';
import { type Answer, branded, type Headers, InvalidFields, Refusal } from './answers.ts';
import { type Call, requireModel } from './call.ts';
import { checkInput, parseInput } from './input.ts';
import { fingerprintOf, type KeyRecord, readKey } from './keys.ts';
import type { Model } from './models.ts';
import type { Failure } from './provider.ts';
import { type Result, type RunOptions, startWork, type Work } from './work.ts';

// POST /v2/models/{provider}/{model}

export async function runModel(call: Call): Promise<Answer> {
  const model = requireModel(call);
  const options = readOptions(call, model);
  const key = readKey(call);
  const input = parseInput(await call.body());
  const fingerprint = fingerprintOf(call, input);
  const { keys, limits, bugs } = call.world;

  const known = key === undefined ? undefined : keys.find(call, key);
  if (known) return resume(call, model, known, () => keys.check(call, known, fingerprint));

  limits.takeQuota(call.account);
  if (!options.strict) checkInput(model, input);
  if (!call.account.credits) throw new Refusal(402, 'insufficient_credits', 'The workspace has no credits left.');
  const release = limits.admit(call.account, model.priceCents);

  const assignment = { model, input, scope: scopeOf(call.account), via: 'run' } as const;
  const work = startWork(call.world, assignment, options, release);
  if (key === undefined) return attend(call, model, work, undefined, false);
  if (bugs.has('run-key-stored-late')) await work.done;
  const record = keys.open(call, key, fingerprint, { kind: 'run', work, attended: false });
  return attend(call, model, work, record, false);
}

function readOptions(call: Call, model: Model): RunOptions {
  const provider = call.query.get('model_provider') ?? undefined;
  const strict = call.query.get('strict_mode') ?? 'false';
  const wish = call.query.get('fallback_provider') ?? undefined;
  const fallback = wish === 'any' ? model.alternates[0] : wish;
  if (strict !== 'true' && strict !== 'false') {
    throw new Refusal(400, 'invalid_input', 'strict_mode has to be true or false.');
  }
  for (const name of [provider, fallback]) {
    if (name !== undefined && name !== model.provider && !model.alternates.includes(name)) {
      throw new Refusal(400, 'invalid_input', 'This provider does not serve the model.');
    }
  }
  const alternate = provider === model.provider ? undefined : provider;
  return { provider: alternate, strict: alternate !== undefined && strict === 'true', fallback };
}

async function resume(call: Call, model: Model, record: KeyRecord, check: () => void): Promise<Answer> {
  check();
  const { state } = record;
  if (state.kind !== 'run') throw new Refusal(409, 'invalid_input', 'This Idempotency-Key belongs to another request.');
  if (state.attended && !state.work.settled) {
    const headers = { 'retry-after': 1, ...call.world.limits.spendHeaders(call.account) };
    throw new Refusal(409, 'concurrency_limit_exceeded', 'The call with this key still runs.', { headers });
  }
  return attend(call, model, state.work, record, true);
}

/** Waits for the work until it ends, the hold time is over or the caller hangs up. */
async function attend(
  call: Call,
  model: Model,
  work: Work,
  record: KeyRecord | undefined,
  again: boolean,
): Promise<Answer> {
  const { state } = record ?? {};
  if (state?.kind === 'run') state.attended = true;
  let forget = () => {};
  const late = new Promise<'late'>((done) => {
    forget = call.world.clock.after(model.holdMs, () => done('late'));
  });
  const end = work.settled ?? (await Promise.race([work.done, late, call.gone.then(() => 'gone' as const)]));
  forget();
  if (state?.kind === 'run') state.attended = false;
  if (end === 'gone') {
    call.world.log('client_disconnected');
    throw new Refusal(499, 'client_disconnected', 'The caller closed the connection.');
  }
  if (end === 'late') throw deadline(call, record !== undefined);
  return deliver(call, end, record, again);
}

function deadline(call: Call, canCollect: boolean): Refusal {
  const hint: Headers = canCollect ? { 'retry-after': 1 } : {};
  const headers = { [branded(call.world.brand, 'upstream-status')]: 202, ...hint };
  return new Refusal(504, 'deadline_exceeded', 'The provider accepted the call and still works on it.', { headers });
}

function deliver(call: Call, result: Result, record: KeyRecord | undefined, again: boolean): Answer {
  const { attempt } = result;
  const replayed: Headers = again ? { 'idempotent-replayed': 'true' } : {};
  if (attempt.kind === 'failure') {
    // Only a refusal of the request itself would come again; after any other failure the key is free.
    if (attempt.blame !== 'request') record?.release();
    throw refusalOf(call, attempt, replayed);
  }
  if (record && !attempt.replayable) record.state = { kind: 'spent' };
  const { brand, limits } = call.world;
  const headers: Headers = {
    'content-type': attempt.output.mediaType,
    'x-content-type-options': 'nosniff',
    ...limits.spendHeaders(call.account),
    ...replayed,
  };
  if (result.fallback) headers[branded(brand, 'router-fallback-provider')] = result.fallback;
  if (result.dropped.length > 0) headers[branded(brand, 'router-dropped-params')] = asHeader(result.dropped);
  if (!again && call.names[0] === 'image-provider') headers[branded(brand, 'credits-used')] = 3;
  return { status: 200, headers, body: attempt.output.bytes };
}

/** A JSON string that holds the text of the array, in ASCII. */
function asHeader(sentences: readonly string[]): string {
  const inAscii = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(JSON.stringify(sentences).replace(/[\u007f-\uffff]/g, inAscii));
}

export function refusalOf(call: Call, failure: Failure, more: Headers = {}, status = failure.status): Refusal {
  const headers: Headers = { ...more };
  if (failure.upstreamStatus) headers[branded(call.world.brand, 'upstream-status')] = failure.upstreamStatus;
  if (failure.problems) return new InvalidFields(failure.problems, headers);
  return new Refusal(status, failure.errorType, failure.detail, { headers, body: { upstream_detail: null } });
}
