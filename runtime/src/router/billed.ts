import { type Progress, send } from '../http/send.ts';
import { buildModelUrl, formatQuery, type RouterCall } from './connection.ts';
import { isSameCall, keyLifetimeMs, type StoredCall } from './key-store.ts';
import type { ProviderOptions, RunOptions, SubmitOptions } from './options.ts';
import { type Answer, createPolicy, type RequestSpec } from './policy.ts';
import { readCategory } from './response-facts.ts';
import { type ConvertedResult, endRecord, type RecordEnding, toResult, waitForStore } from './results.ts';
import {
  type CallIdentity,
  createError,
  createErrorOfAnswer,
  createLocalError,
  hasKnownOutcome,
  isRouterError,
  newRunWarning,
} from './router-error.ts';
import type { AnyModel } from './router-types.ts';

/** Clocks of different programs may differ by this much. */
const clockToleranceMs = 300_000;

export type AnyRunOptions = RunOptions & ProviderOptions;

export async function run(
  model: AnyModel,
  input: unknown,
  options: AnyRunOptions,
  call: RouterCall,
): Promise<ConvertedResult<unknown>> {
  const { modelProvider, fallbackProvider, strictMode, settle } = options;
  const identity = identifyCall('run', model);
  if (strictMode === true && modelProvider === undefined)
    throw createLocalError(identity, 'strictMode needs modelProvider');
  if (options.as === 'stream' && typeof ReadableStream !== 'function')
    throw createLocalError(identity, "as: 'stream': this platform has no ReadableStream");
  const query = formatQuery({
    model_provider: modelProvider,
    strict_mode: strictMode?.toString(),
    fallback_provider: fallbackProvider,
  });
  const url = buildModelUrl(call.client, identity) + query;
  const request = { identity, model, url, body: prepareInput(input, identity, options) };
  const answer = await sendBilled({ ...request, parse: (one: Answer) => one }, options, call);
  return await toResult(answer, settle, call);
}

type BilledIdentity = CallIdentity & { readonly operation: 'run' | 'submit'; readonly model: string };
export type BilledRequest<Result> = {
  readonly identity: BilledIdentity;
  readonly model: AnyModel;
  readonly url: string;
  readonly body: string;
  readonly parse: RequestSpec<Result>['parse'];
};

export const identifyCall = (
  operation: 'run' | 'submit',
  { id, chargesOnPolicyRejection, inputAuthored }: AnyModel,
): BilledIdentity => ({ operation, model: id, chargesOnPolicyRejection, inputAuthored });

/** Returns the body of a run. If `validate` rejects the input, throws the error that the service would return. */
export function prepareInput(input: unknown, identity: CallIdentity, { validate }: SubmitOptions): string {
  const sent = stringifyInput(input, identity);
  if (!validate) return sent;
  if (typeof validate !== 'function')
    throw createLocalError(identity, 'validate must be the function validateInput of the model');
  // Reads a long integer as a BigInt, because a double would round it. Some platforms don't pass `source`.
  const toExact = (_: string, value: unknown, { source = '' }: { source?: string } = {}): unknown =>
    typeof value === 'number' && /^-?\d{16,}$/.test(source) ? BigInt(source) : value;
  const result = validate(JSON.parse(sent, /\d{16}/.test(sent) ? toExact : undefined));
  if (result.valid) return sent;
  const answered = {
    status: 422,
    body: { kind: 'json', value: { detail: result.detail } },
    category: readCategory('', 'invalid_input', String),
    facts: { replayed: false },
  } as const;
  throw createErrorOfAnswer({ ...identity, inputAuthored: true }, answered, { redact: String, attempts: 0 });
}

/** Sends a run or a submission. With a key, the call is stored before its first byte is sent (MR-IDM-37). */
export async function sendBilled<Result extends object>(
  request: BilledRequest<Result>,
  { idempotencyKey: given, as }: AnyRunOptions,
  call: RouterCall,
  resumed?: StoredCall,
): Promise<Result> {
  const { client } = call;
  const { identity: unkeyed, url, body, parse, model } = request;
  const isOutput = unkeyed.operation === 'run';
  const spec: RequestSpec<Result> = {
    identity: unkeyed,
    url,
    body,
    parse,
    isOutput,
    // A different provider may return different media types.
    outputMediaTypes: /[?&](model|fallback)_provider=/.test(url) ? undefined : model.outputMediaTypes,
    repetition: given === false ? 'unkeyed' : 'keyed',
    // Replays have their own status (MR-IDM-03), and a gateway may change the status of a run.
    successes: [200, 201],
    isStream: isOutput && as === 'stream',
    timeoutMs: client.runTimeoutMs,
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
  };
  if (given === false) return await send(call, createPolicy(spec, call));
  const { stored, isNew } = resumed ? { stored: resumed, isNew: false } : await recordOrFindCall(request, given, call);
  const { idempotencyKey, firstSentAt, isExplicit } = stored;
  const identity = { ...unkeyed, idempotencyKey, mayHaveRun: !isNew };
  const at = firstSentAt + keyLifetimeMs - clockToleranceMs; // Earlier, so that the key doesn't expire in transit.
  const aheadMs = firstSentAt - call.clock.now();
  const isAhead = aheadMs > clockToleranceMs;
  const hint = isExplicit || isAhead ? `. forget(router, '${idempotencyKey}') frees the key` : '';
  const refuseKey = (why: string, progress: Progress, cause?: unknown): Error => {
    const message = `the key ${idempotencyKey} ${why}, and ${newRunWarning}${hint}`;
    const { attempts } = progress;
    const mayHaveRun = !isNew || progress.mayHaveRun;
    return createError({ ...identity, mayHaveRun }, { kind: 'local', message, cause, attempts });
  };
  const refuseOld = (progress: Progress, cause?: unknown): Error =>
    refuseKey('is 24 hours old: its output can no longer be fetched', progress, cause);
  try {
    const headers = { ...spec.headers, 'Idempotency-Key': idempotencyKey };
    if (isAhead) {
      const why = `was first sent ${Math.round(aheadMs / 60_000)} minutes in the future, so its age is unknown`;
      throw refuseKey(why, { attempts: 0, mayHaveRun: false });
    }
    return await send(call, createPolicy({ ...spec, identity, headers, expiry: { at, refuse: refuseOld } }, call));
  } catch (error) {
    const ending = decideRecordEnding(error);
    const isTooOld = call.clock.now() >= at && !(isNew && ending === 'discard');
    await endRecord(idempotencyKey, isTooOld ? 'finish' : ending, call);
    throw error;
  }
}

/** Decides what to do with the record of a failed call. It stays open if an attempt may have started a run. */
function decideRecordEnding(error: unknown): RecordEnding {
  if (!isRouterError(error)) return 'release';
  const { kind, attempts, mayBeBilled } = error;
  if (attempts === 0 || (!mayBeBilled && (kind === 'network' || kind === 'local'))) return 'discard';
  if (kind !== 'router' && kind !== 'validation') return 'release';
  if (hasKnownOutcome(error)) return 'finish';
  return attempts === 1 && !error.isRetryable && error.status < 500 ? 'discard' : 'release';
}

/** Records a call before it is sent, or finds its record. */
async function recordOrFindCall(
  { identity, url, body }: BilledRequest<object>,
  given: string | undefined,
  call: RouterCall,
): Promise<{ stored: StoredCall; isNew: boolean }> {
  const { client, clock } = call;
  const { operation, model } = identity;
  // Not `??`: a null, for example from an empty database column, would start a new run on each call.
  const idempotencyKey = given === undefined ? call.id : given;
  if (typeof idempotencyKey !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey))
    throw createLocalError(identity, 'idempotencyKey must be 1 to 255 visible ASCII characters');
  const keyed = { ...identity, idempotencyKey };
  const newCall: StoredCall = {
    idempotencyKey,
    operation,
    model,
    url,
    body,
    owner: await client.credential.owner(),
    firstSentAt: clock.now(),
    isExplicit: given !== undefined,
  };
  const record = await waitForStore(client.keys.begin(newCall), keyed, call, ({ stored }) => {
    if (isSameCall(stored, newCall)) void endRecord(idempotencyKey, 'discard', call);
  });
  if (isSameCall(record.stored, newCall)) return record;
  // Reject only this call; a call already in progress with the key continues.
  const isOwn = record.stored.owner === newCall.owner;
  const other = isOwn ? 'request' : 'credential; set credentialScope if both have the same owner';
  throw createLocalError(keyed, `the key ${idempotencyKey} belongs to a different ${other}`);
}

/** Converts an input to JSON. Rejects it if JSON would change it, because that would be a different, billed run. */
export function stringifyInput(input: unknown, identity: CallIdentity): string {
  const mark = `integer ${Math.random()} `;
  const integers: bigint[] = [];
  const paths = new Map<unknown, string>();
  let whyChanged: string | undefined;
  let text: string | undefined;
  function replace(this: object, name: string, value: unknown): unknown {
    const outer = paths.get(this);
    const path = outer === undefined ? 'input' : outer + (Array.isArray(this) ? `[${name}]` : `.${name}`);
    if (typeof value === 'object') paths.set(value, path);
    const original: unknown = Reflect.get(this, name);
    // A value with a `toJSON` method is intended to be converted, except for Node's Buffer.
    const isMeant = typeof Object(original).toJSON === 'function' && !ArrayBuffer.isView(original);
    const kind = Object.prototype.toString.call(original).slice(8, -1);
    const isLeftOut = original === undefined && !Array.isArray(this);
    if (typeof value === 'number' && !Number.isFinite(value)) whyChanged ??= `${path} is ${value}`;
    if (!isMeant && !isLeftOut && !/^(Object|Array|String|Number|BigInt|Boolean|Null)$/.test(kind))
      whyChanged ??= `${path} is of type ${kind}`;
    return typeof value === 'bigint' ? mark + (integers.push(value) - 1) : value;
  }
  try {
    text = JSON.stringify(input, replace);
  } catch (cause) {
    throw createLocalError(identity, 'the input cannot be written as JSON', cause);
  }
  if (whyChanged !== undefined)
    throw createLocalError(identity, `${whyChanged}, which JSON cannot hold; toDataUrl converts a file`);
  if (!text?.startsWith('{')) throw createLocalError(identity, 'the input must be a JSON object');
  return text.replace(new RegExp(`"${mark}(\\d+)"`, 'g'), (_, index) => String(integers[index]));
}
