import { isJsonObject, keepIntegers, measureJson } from '../../../specs/src/index.ts';
import type { Bytes } from '../digest.ts';
import { type Reply, withHeaders } from '../http/messages.ts';
import type { InputCheck } from '../models/served-model.ts';
import { validationEntries } from '../models/validation-entries.ts';
import { parseJson, withBigints } from '../parse-json.ts';
import type { RunBody } from '../provider/provider-response.ts';
import { type CommittedSpend, sumSpend, takeCall, toSpendHeaders, usedUpWaitMs } from '../state/quotas.ts';
import type { World } from '../state/world.ts';
import type { RouterCall } from './catalog.ts';
import { insufficientCredits, invalidInput, rateLimited, refusals, validationFailed } from './errors.ts';

/** A body that is not a JSON object is a 400: there is no field to name in a 422 (MR-STC-01). */
export function parseInput(bytes: Bytes): RunBody | Reply {
  const because = whyTooMuch(bytes);
  if (because !== undefined) return invalidInput(`The request body ${because}.`);
  const input = parseJson(bytes);
  if (input === undefined) return invalidInput('The request body is not valid JSON in UTF-8.');
  return isJsonObject(input) ? { bytes, input } : invalidInput('The request body must be a JSON object.');
}

const deepestLevel = 500; // more than any model needs, and what a recursive schema check survives
const mostValues = 200_000; // every caller waits while they are read, checked and sorted

/** The reason for not reading a JSON text; undefined if it may be read. */
export function whyTooMuch(bytes: Bytes): string | undefined {
  const { deepest, values } = measureJson(bytes);
  if (deepest > deepestLevel) return 'is nested too deeply';
  return values > mostValues ? `holds more than ${mostValues} values` : undefined;
}

/** Without a check the schema is unauthored, and any object is valid. */
export function refuseInput({ bytes, input }: RunBody, check: InputCheck | undefined): Reply | undefined {
  const text = new TextDecoder().decode(bytes);
  const failures = check?.(withBigints(text, input)) ?? [];
  return failures.length === 0 ? undefined : validationFailed(validationEntries(failures, keepIntegers(text)));
}

/** Refuses a valid call that may not start now; undefined if it may (OP-031: quotas and credits come last). */
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
  if (readSpend(account, world).remainingCents >= callCents) return undefined;
  return withSpend(refusals.spendCapReached, call, world);
}

/** The three headers as they are now, also on a replay. */
export function withSpend(reply: Reply, { account }: RouterCall, world: World): Reply {
  return withHeaders(reply, toSpendHeaders(readSpend(account, world)));
}

/** Queued requests count from their admission as well (OP-050). */
function readSpend({ scope, spend }: RouterCall['account'], { settings, records, config }: World): CommittedSpend {
  const { limits } = settings;
  const almostAllCents = Math.max(0, limits.spendCents - Math.floor(limits.callCents / 2));
  return sumSpend(limits, records.live.count(scope, config.clock.now()), spend === 'at-cap' ? almostAllCents : 0);
}
