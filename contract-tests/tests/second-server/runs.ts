import { type Answer, checkInput, type Headers, type Input, Refusal } from './answers.ts';
import type { Model } from './models.ts';
import { dispatch, isFinal, type RunOptions } from './providers.ts';
import { type Call, type KeyRecord, type Result, requireModel } from './world.ts';

/** POST /v2/models/{provider}/{model} */
export async function runModel(call: Call): Promise<Answer> {
  const { world } = call;
  const model = requireModel(call);
  const options = readOptions(call, model);
  const input = await call.input();
  const keyed = findKey(call, input);
  const { known } = keyed;
  if (known !== undefined) {
    if (known.requestId !== undefined) throw conflict();
    if (known.result !== undefined) return deliver(call, known.result, true);
    const headers = { 'retry-after': 1, ...spendHeaders(call) };
    throw new Refusal(409, 'concurrency_limit_exceeded', 'The call with this key still runs.', headers);
  }
  requireQuota(call);
  if (!options.isStrict) checkInput(model, input);
  if (call.account.hasNoCredits) throw new Refusal(402, 'insufficient_credits', 'The workspace has no credits left.');
  const release = reserve(call, model.priceCents);
  try {
    const record: KeyRecord = { fingerprint: keyed.fingerprint };
    keyed.keep(record);
    const result = await dispatch(world, model, input, options);
    record.result = result;
    // Keep the key if a retry would fail in the same way; release it after a temporary failure of the provider.
    if (result.attempt instanceof Refusal && !isFinal(result.attempt)) keyed.forget();
    return deliver(call, result, false);
  } finally {
    release();
  }
}

function readOptions({ query }: Call, { id, alternates }: Model): RunOptions {
  const [own = ''] = id.split('/');
  const provider = query.get('model_provider') ?? own;
  const strict = query.get('strict_mode') ?? 'false';
  const wish = query.get('fallback_provider') ?? undefined;
  const fallback = wish === 'auto' ? [...alternates, own].find((one) => one !== provider) : wish;
  if (strict !== 'true' && strict !== 'false')
    throw new Refusal(400, 'invalid_input', 'strict_mode has to be true or false.');
  for (const name of [provider, fallback ?? own])
    if (name !== own && !alternates.includes(name))
      throw new Refusal(400, 'invalid_input', 'This provider does not serve the model.');
  return {
    ...(provider !== own && { provider, isStrict: strict === 'true' }),
    ...(fallback !== undefined && fallback !== provider && { fallback }),
  };
}

export const conflict = (): Refusal =>
  new Refusal(409, 'invalid_input', 'This Idempotency-Key belongs to another request.');

/** Finds the record of a key. Throws if its query (in any order) or its body (as a JSON value) differs from the call. */
export function findKey(call: Call, input: Input) {
  const { keys } = call.world;
  const key = call.header('idempotency-key');
  if (key !== undefined && (key.length < 1 || key.length > 255))
    throw new Refusal(400, 'invalid_input', 'Idempotency-Key has to have 1 to 255 characters.');
  const place = `${call.account.scope} ${key}`;
  const query = [...call.query].toSorted();
  const fingerprint = JSON.stringify([call.path, query, input]);
  const known = key === undefined ? undefined : keys.get(place);
  if (known !== undefined && known.fingerprint !== fingerprint) throw conflict();
  const keep = (record: KeyRecord): void => void (key !== undefined && keys.set(place, record));
  return { known, fingerprint, keep, forget: () => void keys.delete(place) };
}

export function requireQuota(call: Call): void {
  if (!call.account.isRateLimited) return;
  const headers = { 'retry-after': 1800, ...spendHeaders(call) };
  throw new Refusal(429, 'rate_limited', 'The quota of this hour is used up.', headers);
}

const usualCapCents = 20_000;

function countCommitted({ world, account }: Call): number {
  return (account.committedCents ?? 0) + (world.reserved.get(account.scope) ?? 0);
}

/** Reserves the price of a call; the returned function releases it. */
function reserve(call: Call, cents: number): () => void {
  const { account, world } = call;
  if (countCommitted(call) + cents > (account.spendCapCents ?? usualCapCents)) {
    const headers = { 'retry-after': 2, ...spendHeaders(call) };
    throw new Refusal(429, 'concurrency_limit_exceeded', 'All the spend that is allowed is committed.', headers);
  }
  const add = (more: number): void =>
    void world.reserved.set(account.scope, (world.reserved.get(account.scope) ?? 0) + more);
  add(cents);
  return () => add(-cents);
}

function spendHeaders(call: Call): Headers {
  const limit = call.account.spendCapCents ?? usualCapCents;
  const current = countCommitted(call);
  const left = limit - current;
  return {
    'x-committed-spend-limit': limit,
    'x-committed-spend-current': current,
    'x-committed-spend-remaining': call.world.has('run-spend-below-zero') ? left : Math.max(0, left),
  };
}

function deliver(call: Call, { attempt, fallback, dropped }: Result, isAgain: boolean): Answer {
  const replayed: Headers = isAgain ? { 'idempotent-replayed': 'true' } : {};
  if (attempt instanceof Refusal) {
    const { status, errorType, detail } = attempt;
    throw new Refusal(status, errorType, detail, { ...attempt.headers, ...replayed });
  }
  const { mediaType, bytes, credits } = attempt;
  const headers = {
    'content-type': mediaType,
    'x-content-type-options': 'nosniff',
    ...spendHeaders(call),
    ...replayed,
    ...(fallback !== undefined && { 'x-service-router-fallback-provider': fallback }),
    // A JSON string that contains the JSON text of the array.
    ...(dropped.length > 0 && { 'x-service-router-dropped-params': JSON.stringify(JSON.stringify(dropped)) }),
    ...(!isAgain && credits !== undefined && { 'x-service-credits-used': credits }),
  };
  return { status: 200, headers, body: bytes };
}
