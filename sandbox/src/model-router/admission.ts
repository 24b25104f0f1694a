import { isJsonObject, measureJson } from '../../../specs/src/index.ts';
import { type Bytes, sha256 } from '../digest.ts';
import { creditsUsed, type Reply, withHeaders } from '../http/messages.ts';
import type { InputCheck, ModelDocument, ServedModel } from '../models/served-model.ts';
import { createValidationEntries } from '../models/validation-entries.ts';
import { parseJson } from '../parse-json.ts';
import type { ProviderChoice, RunBody } from '../provider/provider-response.ts';
import { type KeyRecord, retentionMs } from '../state/records.ts';
import { countCall, usedUpWaitMs } from '../state/settings.ts';
import type { World } from '../state/world.ts';
import type { RouterCall } from './catalog.ts';
import {
  deadlineExceeded,
  insufficientCredits,
  invalidInput,
  keyStillRunning,
  rateLimited,
  routerErrors,
  validationFailed,
} from './replies.ts';

// Checks calls that may start a run, in this order: key, body, provider, input, quotas (OP-031).

/** An Idempotency-Key. `slot`: the key with its scope, under which its record is stored. `fingerprint`: digest of the call. */
export type CallKey = { key: string; slot: string; fingerprint: string };

/** Returns the body and the Idempotency-Key (if any) of a call that may start a run. If the key decides the reply, returns the reply. */
export function readKeyedCall(call: RouterCall, world: World): { bytes: Bytes; key: CallKey | undefined } | Reply {
  const { body: bytes, headers, method } = call.request;
  if (bytes === 'too-large') return routerErrors.bodyTooLarge;
  const key = headers['idempotency-key'];
  if (key === undefined) return { bytes, key };
  if (!world.config.isKey(key)) return invalidInput('This Idempotency-Key is not valid; use a UUID, for example.');
  const slot = `${call.account.scope} ${key}`;
  // Two calls are the same if method, path, query and the exact bytes of the body are equal (MR-IDM-24 to MR-IDM-27, OP-045).
  const fingerprint = sha256(Buffer.concat([Buffer.from(`${method} ${call.path} ${call.query} `), bytes]));
  const record = world.records.findKey(slot);
  const outcome = record && decideRetry(record, fingerprint, world.config.clock.now());
  if (record === undefined || outcome === undefined) return { bytes, key: { key, slot, fingerprint } };
  return outcome === 'replay' ? createReplay(record, world) : outcome;
}

/** Decides the reply for a call with a used key, as in the API's table of retries. Returns undefined if the key has expired. */
export function decideRetry(record: KeyRecord, fingerprint: string, now: number): Reply | 'replay' | undefined {
  if (now >= record.firstAcceptedAt + retentionMs) return undefined;
  // A different call always conflicts (MR-IDM-16).
  if (record.fingerprint !== fingerprint) return routerErrors.keyConflict;
  if (now < record.releasedAt) return keyStillRunning(record.releasedAt - now);
  if (record.unreplayable === 'lost') return routerErrors.keySpent;
  // The caller got a timeout, but the provider is still working, so the result can be collected later.
  if (now < record.endsAt) return deadlineExceeded(record.endsAt - now);
  return record.unreplayable === undefined ? 'replay' : routerErrors.keySpent;
}

/** Returns the recorded reply. A replay costs nothing, so it has no credits header (MR-IDM-02, MR-HDR-27). */
function createReplay({ replyId, runId }: KeyRecord, { records }: World): Reply {
  const recorded = records.findReply(replyId);
  const run = records.findRun(runId);
  // Cannot happen, because key, reply and run are stored together.
  if (recorded === undefined || run === undefined) return routerErrors.internalError;
  records.updateRun({ ...run, replays: run.replays + 1 });
  const { [creditsUsed]: _, ...headers } = recorded.headers;
  return withHeaders({ ...recorded, headers }, { 'Idempotent-Replayed': 'true' });
}

/** Parses the body of a run. A body that is not a JSON object gets a 400, because a 422 could not name a field (MR-STC-01). */
export function parseInput(bytes: Bytes): RunBody | Reply {
  const reason = explainTooLarge(bytes);
  if (reason !== undefined) return invalidInput(`The request body ${reason}.`);
  const input = parseJson(bytes);
  if (input === undefined) return invalidInput('The request body is not valid JSON in UTF-8.');
  return isJsonObject(input) ? { bytes, input } : invalidInput('The request body must be a JSON object.');
}

const maxDepth = 500; // More than any model needs, but few enough levels for recursive checks of schemas.
const maxValues = 200_000; // Limited, because other callers wait while the values of a body are checked.

/** Returns why a JSON text is too large to be parsed, for use after a subject; undefined if it is not too large. */
export function explainTooLarge(bytes: Bytes): string | undefined {
  const { deepest, values } = measureJson(bytes);
  if (deepest > maxDepth) return 'is nested too deeply';
  return values > maxValues ? `contains more than ${maxValues} values` : undefined;
}

/** Reads the query of a run. The provider must be the model's own or one of the document's alternates (OP-004, OP-005). */
export function chooseProvider(
  { query, model, document }: { query: URLSearchParams; model: ServedModel; document: ModelDocument },
  { catalog }: World,
): ProviderChoice | Reply {
  const strictMode = query.get('strict_mode') ?? 'false';
  if (strictMode !== 'true' && strictMode !== 'false') return invalidInput('strict_mode must be true or false.');
  const providers = new Map([[model.provider, model]]);
  // Skip alternates that are not in the catalog or cannot be read.
  for (const { provider, modelId } of document.alternates) {
    const alternate = catalog.byId.get(modelId);
    if (provider !== model.provider && alternate?.document() !== undefined) providers.set(provider, alternate);
  }
  const provider = query.get('model_provider') ?? model.provider;
  const servingModel = providers.get(provider);
  if (servingModel === undefined) return invalidInput('model_provider is not a registered provider of this model.');
  const requested = query.get('fallback_provider');
  const requestedFallbacks =
    requested === 'auto' ? [...providers.values()] : requested === null ? [] : [providers.get(requested)];
  const knownFallbacks = requestedFallbacks.filter((one) => one !== undefined);
  if (knownFallbacks.length < requestedFallbacks.length)
    return invalidInput('fallback_provider is not a registered provider of this model.');
  const fallbacks = knownFallbacks.filter(({ id }) => id !== servingModel.id);
  if (provider === model.provider) return { servingModel, mode: 'native', fallbacks };
  // A fallback needs conversion, which strict mode forbids (OP-249). Strict mode has no effect on the model's own provider (OP-234).
  return strictMode === 'true'
    ? { servingModel, mode: 'strict', fallbacks: [] }
    : { servingModel, mode: 'converted', fallbacks };
}

/** Returns a 422 for an invalid input. If `check` is undefined, the model has no authored schema, so any object is valid. */
export function checkInput({ input }: RunBody, check: InputCheck | undefined): Reply | undefined {
  const failures = check?.(input) ?? [];
  return failures.length === 0 ? undefined : validationFailed(createValidationEntries(failures, input));
}

/** Returns an error for a valid call that exceeds a quota, the credits or the spend cap. */
export function checkQuotas(call: RouterCall, world: World, operation: 'run' | 'submit'): Reply | undefined {
  const { account } = call;
  const { callsPerWindow: calls, windowMs, inFlight, callCents } = world.settings.limits;
  const now = world.config.clock.now();
  if (world.records.isFull(now)) return routerErrors.stateFull;
  const isUsedUp = account.quota === 'used-up';
  const waitMs = isUsedUp ? usedUpWaitMs : countCall(world.windows, account.scope, { calls, windowMs }, now);
  if (waitMs > 0) return withSpend(rateLimited(waitMs), call, world);
  if (!account.hasCredits) return insufficientCredits(operation);
  if (inFlight !== undefined && world.records.live.count(account.scope, now) >= inFlight)
    return withSpend(routerErrors.tooManyInFlight, call, world);
  const { spendCents, committedCents } = readSpend(account, world);
  return spendCents - committedCents >= callCents ? undefined : withSpend(routerErrors.spendCapReached, call, world);
}

/** Adds the three spend headers, in cents. A replay gets current values, too (MR-HDR-17, MR-HDR-19, MR-HDR-20). */
export function withSpend(reply: Reply, { account }: RouterCall, world: World): Reply {
  const { spendCents, committedCents } = readSpend(account, world);
  return withHeaders(reply, {
    'X-Committed-Spend-Limit': String(spendCents),
    'X-Committed-Spend-Current': String(committedCents),
    'X-Committed-Spend-Remaining': String(spendCents - committedCents),
  });
}

/** Returns the spend cap and the committed spend, in cents. Queued requests count from their admission (OP-050). */
function readSpend({ scope, spend }: RouterCall['account'], { settings, records, config }: World) {
  const { spendCents, callCents } = settings.limits;
  // An account at its cap has committed most of its spend elsewhere.
  const elsewhereCents = spend === 'at-cap' ? Math.max(0, spendCents - Math.floor(callCents / 2)) : 0;
  const cents = records.live.count(scope, config.clock.now()) * callCents + elsewhereCents;
  // Limited to the cap, which may have been lowered, so that the three numbers add up.
  return { spendCents, committedCents: Math.min(spendCents, cents) };
}
