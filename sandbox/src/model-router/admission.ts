import { isJsonObject, measureJson } from '../../../specs/src/index.ts';
import { type Bytes, sha256 } from '../digest.ts';
import { creditsUsed, type Reply, withHeaders } from '../http/messages.ts';
import type { InputCheck, ModelDocument, ServedModel } from '../models/served-model.ts';
import { validationEntries } from '../models/validation-entries.ts';
import { parseJson } from '../parse-json.ts';
import type { ProviderChoice, RunBody } from '../provider/provider-response.ts';
import { type KeyRecord, retentionMs } from '../state/records.ts';
import { takeCall, usedUpWaitMs } from '../state/settings.ts';
import type { World } from '../state/world.ts';
import type { RouterCall } from './catalog.ts';
import {
  deadlineExceeded,
  insufficientCredits,
  invalidInput,
  keyStillRunning,
  rateLimited,
  refusals,
  validationFailed,
} from './replies.ts';

// Checks calls that may start work, in this order: key, body, provider, input, quotas (OP-031).

/** An Idempotency-Key, the slot of its record, and the fingerprint of the call. */
export type CallKey = { key: string; slot: string; fingerprint: string };

/** Returns the body and the Idempotency-Key, if any, of a call that may start work; otherwise its reply, such as a replay. */
export function readKeyedCall(call: RouterCall, world: World): { bytes: Bytes; key: CallKey | undefined } | Reply {
  const { body: bytes, headers, method } = call.request;
  if (bytes === 'too-large') return refusals.bodyTooLarge;
  const key = headers['idempotency-key'];
  if (key === undefined) return { bytes, key };
  if (!world.config.isKey(key)) return invalidInput('This Idempotency-Key is not valid; use a UUID, for example.');
  const slot = `${call.account.scope} ${key}`;
  // Compares method, path, query and the exact bytes of the body (MR-IDM-24 to MR-IDM-27, OP-045).
  const fingerprint = sha256(Buffer.concat([Buffer.from(`${method} ${call.path} ${call.query} `), bytes]));
  const record = world.records.findKey(slot);
  const outcome = record && retryOutcome(record, fingerprint, world.config.clock.now());
  if (record === undefined || outcome === undefined) return { bytes, key: { key, slot, fingerprint } };
  return outcome === 'replay' ? replay(record, world) : outcome;
}

/** Implements the table of retry outcomes: a different call always conflicts (MR-IDM-16). Returns undefined if the key is unused. */
export function retryOutcome(record: KeyRecord, fingerprint: string, now: number): Reply | 'replay' | undefined {
  if (now >= record.firstAcceptedAt + retentionMs) return undefined;
  if (record.fingerprint !== fingerprint) return refusals.keyConflict;
  if (now < record.releasedAt) return keyStillRunning(record.releasedAt - now);
  if (record.unreplayable === 'lost') return refusals.keySpent;
  // The caller got a timeout, but the provider is still working, and the handle is kept.
  if (now < record.endsAt) return deadlineExceeded(record.endsAt - now);
  return record.unreplayable === undefined ? 'replay' : refusals.keySpent;
}

/** A replay starts no run and costs nothing, so it has no credits header (MR-IDM-02, MR-HDR-27). */
function replay({ answerId, runId }: KeyRecord, { records }: World): Reply {
  const recorded = records.findReply(answerId);
  const run = records.findRun(runId);
  // Cannot happen: key, reply and run are written together.
  if (recorded === undefined || run === undefined) return refusals.internalError;
  records.change({ ...run, replays: run.replays + 1 });
  const { [creditsUsed]: _, ...headers } = recorded.headers;
  return withHeaders({ ...recorded, headers }, { 'Idempotent-Replayed': 'true' });
}

/** A body that is not a JSON object is a 400, because a 422 could not name a field (MR-STC-01). */
export function parseInput(bytes: Bytes): RunBody | Reply {
  const because = explainTooLarge(bytes);
  if (because !== undefined) return invalidInput(`The request body ${because}.`);
  const input = parseJson(bytes);
  if (input === undefined) return invalidInput('The request body is not valid JSON in UTF-8.');
  return isJsonObject(input) ? { bytes, input } : invalidInput('The request body must be a JSON object.');
}

const deepestLevel = 500; // More than any model needs, and a depth that recursive schema checks can handle.
const mostValues = 200_000; // Other callers wait while values are read, checked and sorted.

/** Returns why a JSON text is too large to be parsed; undefined if it is not. */
export function explainTooLarge(bytes: Bytes): string | undefined {
  const { deepest, values } = measureJson(bytes);
  if (deepest > deepestLevel) return 'is nested too deeply';
  return values > mostValues ? `contains more than ${mostValues} values` : undefined;
}

/** Reads the query of a run. The provider must be the model's own or one of the document's alternates (OP-004, OP-005). */
export function chooseProvider(
  { query, model, document }: { query: URLSearchParams; model: ServedModel; document: ModelDocument },
  { catalog }: World,
): ProviderChoice | Reply {
  const strict = query.get('strict_mode') ?? 'false';
  if (strict !== 'true' && strict !== 'false') return invalidInput('strict_mode must be true or false.');
  const providers = new Map([[model.provider, model]]);
  // Skip alternates that are not in the catalog or cannot be read.
  for (const { provider, modelId } of document.alternates) {
    const alternate = catalog.byId.get(modelId);
    if (provider !== model.provider && alternate?.document() !== undefined) providers.set(provider, alternate);
  }
  const provider = query.get('model_provider') ?? model.provider;
  const by = providers.get(provider);
  if (by === undefined) return invalidInput('model_provider is not a registered provider of this model.');
  const wanted = query.get('fallback_provider');
  const wantedFallbacks = wanted === 'auto' ? [...providers.values()] : wanted === null ? [] : [providers.get(wanted)];
  const knownFallbacks = wantedFallbacks.filter((one) => one !== undefined);
  if (knownFallbacks.length < wantedFallbacks.length)
    return invalidInput('fallback_provider is not a registered provider of this model.');
  const fallbacks = knownFallbacks.filter(({ id }) => id !== by.id);
  if (provider === model.provider) return { by, manner: 'native', fallbacks };
  // A fallback needs conversion, which strict mode forbids (OP-249). Strict mode has no effect on the model's own provider (OP-234).
  return strict === 'true' ? { by, manner: 'strict', fallbacks: [] } : { by, manner: 'converted', fallbacks };
}

/** If `check` is undefined, the model has no authored schema, so any object is valid. */
export function refuseInput({ input }: RunBody, check: InputCheck | undefined): Reply | undefined {
  const failures = check?.(input) ?? [];
  return failures.length === 0 ? undefined : validationFailed(validationEntries(failures, input));
}

/** Rejects a valid call that may not start now. Checks quotas and credits last (OP-031). */
export function refuseAdmission(call: RouterCall, world: World, operation: 'run' | 'submit'): Reply | undefined {
  const { account } = call;
  const { callsPerWindow: calls, windowMs, inFlight, callCents } = world.settings.limits;
  const now = world.config.clock.now();
  if (world.records.isFull(now)) return refusals.stateFull;
  const isUsedUp = account.quota === 'used-up';
  const waitMs = isUsedUp ? usedUpWaitMs : takeCall(world.windows, account.scope, { calls, windowMs }, now);
  if (waitMs > 0) return withSpend(rateLimited(waitMs), call, world);
  if (!account.hasCredits) return insufficientCredits(operation);
  if (inFlight !== undefined && world.records.live.count(account.scope, now) >= inFlight)
    return withSpend(refusals.tooManyInFlight, call, world);
  const { spendCents, committedCents } = readSpend(account, world);
  return spendCents - committedCents >= callCents ? undefined : withSpend(refusals.spendCapReached, call, world);
}

/** Adds the three spend headers with current values in cents, also to a replay (MR-HDR-17, MR-HDR-19, MR-HDR-20). */
export function withSpend(reply: Reply, { account }: RouterCall, world: World): Reply {
  const { spendCents, committedCents } = readSpend(account, world);
  return withHeaders(reply, {
    'X-Committed-Spend-Limit': String(spendCents),
    'X-Committed-Spend-Current': String(committedCents),
    'X-Committed-Spend-Remaining': String(spendCents - committedCents),
  });
}

/** Computes the committed spend. Queued requests count from their admission (OP-050). */
function readSpend({ scope, spend }: RouterCall['account'], { settings, records, config }: World) {
  const { spendCents, callCents } = settings.limits;
  const elsewhereCents = spend === 'at-cap' ? Math.max(0, spendCents - Math.floor(callCents / 2)) : 0;
  const cents = records.live.count(scope, config.clock.now()) * callCents + elsewhereCents;
  // Never exceeds the cap, even after the cap was lowered, so that the three numbers add up.
  return { spendCents, committedCents: Math.min(spendCents, cents) };
}
