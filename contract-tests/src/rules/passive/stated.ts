import type { JsonValue } from '../../../../specs/src/index.ts';
import type { TargetContext } from '../../contract/context.ts';
import { computeEnd, findMembers, isReplay, readMember } from '../../contract/evidence.ts';
import { type Finding, finding, observed } from '../../contract/finding.ts';
import { alternateModel, outcomesModel } from '../../contract/target.ts';
import { anyOf, hook, input, state } from '../../requires.ts';
import { parseTime } from '../../wire/system-clock.ts';
import * as expect from '../expect.ts';
import type { ObservedResponse, TraceCheck } from './passive-rule.ts';
import { isOperation, isResponseTo, isResult, nameModel, traceRule } from './passive-rule.ts';

/** True for models of the test hooks, which only the gate calls. */
function isHookModel(one: ObservedResponse, { isScripted }: TargetContext): boolean {
  return isScripted && [outcomesModel, alternateModel].includes(nameModel(one));
}

const isCompleted = (one: ObservedResponse): boolean =>
  isResponseTo('collectRequest 200', 'cancelRequest 409')(one) ||
  (isResponseTo('readStatus 200')(one) && readMember(one, '/status') === 'COMPLETED');

/** A response, and the other calls and requests that may have been running then, such as a run after its 504. */
type Moment = { readonly one: ObservedResponse; readonly others: readonly unknown[] };

/**
 * Lists the wanted responses to calls that overlap no run or submission. Calls release their spend `settleMs` after
 * their end.
 */
function listMoments(
  responses: readonly ObservedResponse[],
  isWanted: (one: ObservedResponse) => boolean,
  settleMs = 0,
): readonly Moment[] {
  const pending = new Set<unknown>();
  const seen = new Set<unknown>();
  const calls = responses.filter((one) => isOperation(one, 'runModel', 'submitRequest'));
  return responses.flatMap((one) => {
    const { timing } = one.exchange;
    const id = one.parameters['request_id'] ?? readMember(one, '/request_id');
    const isAdmitted = isOperation(one, 'submitRequest') && one.status < 300;
    if (isCompleted(one)) pending.delete(id);
    // Without an id in the handle, the end of the request cannot be observed, so the request stays pending.
    else if (isAdmitted && !seen.has(id)) pending.add(id ?? one);
    // After a 503 or 504, the work may continue.
    else if (isOperation(one, 'runModel', 'submitRequest') && [503, 504].includes(one.status)) pending.add(one);
    if (id !== undefined) seen.add(id);
    if (!isWanted(one)) return [];
    const isDisturbed = calls.some(
      ({ exchange }) =>
        exchange !== one.exchange &&
        exchange.timing.startedAtMs < computeEnd(one.exchange) &&
        computeEnd(exchange) + settleMs > timing.startedAtMs,
    );
    return isDisturbed ? [] : [{ one, others: [...pending].filter((other) => other !== id && other !== one) }];
  });
}

const exclusiveHint = 'with conform.live.exclusive, this would be a finding';

const checkFront: TraceCheck = (responses, context) => {
  const isWaiting = isResponseTo('submitRequest 201', 'readStatus 200', 'collectRequest 202');
  const positioned = listMoments(
    responses,
    (one) =>
      isWaiting(one) &&
      !isReplay(one) &&
      readMember(one, '/status') !== 'COMPLETED' &&
      typeof readMember(one, '/queue_position') === 'number',
  );
  if (positioned.length === 0) return undefined;
  const behind = positioned.filter(
    ({ one, others }) => others.length === 0 && Number(readMember(one, '/queue_position')) > 0,
  );
  const certain = behind.filter(({ one }) => context.isExclusive || isHookModel(one, context));
  if (certain.length === 0 && behind.length === positioned.length)
    return observed(`no waiting request was ever at position 0; ${exclusiveHint}`);
  return certain.flatMap(({ one: response }) => {
    const actual = expect.jsonText(readMember(response, '/queue_position'));
    return expect.wrongAt(response.step, '/queue_position', '0, because no other request is ahead', actual);
  });
};

const header = 'X-Committed-Spend-Current';
const readSpend = (response: ObservedResponse): number => expect.readCents(response, header);

/** Returns equal texts for calls that reserve the same spend. A replay may reserve less, so its text differs. */
function describeCall({ one }: Moment): string {
  const { request, credentials } = one.exchange;
  return JSON.stringify([credentials, request.url, new TextDecoder().decode(request.body), isReplay(one)]);
}

const checkSpend: TraceCheck = (responses, { isExclusive, kind }) => {
  // A rejected call reserves nothing, so it may show less spend than an earlier equal call, but not more.
  const isRun = isResponseTo('runModel 200', 'runModel 429');
  const withSpend = listMoments(
    responses,
    (one) => isRun(one) && (kind === 'live' || !isReplay(one)) && Number.isInteger(readSpend(one)),
    kind === 'live' ? 1_000 : 0,
  );
  const last = withSpend.at(-1);
  if (last === undefined) return undefined;
  const grown = [...Map.groupBy(withSpend, describeCall).values()].flatMap((alike) =>
    alike.flatMap(({ one, others }, index): readonly Finding[] => {
      const isLess = (before: Moment) =>
        readSpend(before.one) < readSpend(one) && others.every((other) => before.others.includes(other));
      const earlier = alike.slice(0, index).find(isLess);
      if (earlier === undefined) return [];
      const expected = `${readSpend(earlier.one)}, as in step ${earlier.one.step}, because no more calls are in flight`;
      return [finding('values-differ', { step: one.step, header }, expected, String(readSpend(one)))];
    }),
  );
  if (grown.length > 0) return isExclusive ? grown : observed(`the committed spend has grown; ${exclusiveHint}`);
  const later = responses.slice(responses.lastIndexOf(last.one) + 1);
  const mayHaveRun = (one: ObservedResponse): boolean => !isReplay(one) && (one.status < 400 || one.status >= 500);
  const isUnseen = later.some((one) => isOperation(one, 'runModel', 'submitRequest') && mayHaveRun(one));
  if (kind !== 'live' || !isExclusive || !isUnseen) return [];
  return observed(
    'no response showed the committed spend after the last call: the budget allowed no replay, or the replay has no spend headers',
  );
};

/** Reads how long a signed link in a common format is valid, and when it expires (Unix time in milliseconds). */
function readSignature(link: string): { readonly validForMs?: number; readonly expiresAt?: number } {
  const query = [...(URL.parse(link)?.searchParams ?? [])];
  const read = (...names: readonly string[]): string =>
    query.find(([name]) => names.includes(name.toLowerCase()))?.[1] ?? '';
  const validFor = read('x-amz-expires', 'x-goog-expires');
  if (/^\d{1,9}$/.test(validFor)) {
    const validForMs = Number(validFor) * 1_000;
    const [, year, month, day, hour, minute, second] =
      /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(read('x-amz-date', 'x-goog-date')) ?? [];
    const signedAt = parseTime(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
    return Number.isNaN(signedAt) ? { validForMs } : { validForMs, expiresAt: signedAt + validForMs };
  }
  const end = read('expires', 'expires_at', 'exp', 'expiry');
  if (/^\d{9,11}$/.test(end)) return { expiresAt: Number(end) * 1_000 };
  if (/^\d{12,14}$/.test(end)) return { expiresAt: Number(end) };
  const time = read('se', 'expires', 'expires_at', 'expiry');
  return /^\d{4}-\d\d-\d\dT/.test(time) ? { expiresAt: parseTime(time) } : {};
}

export function readExpiry(link: string): number | undefined {
  return readSignature(link).expiresAt;
}

/** Returns how long a signed link is valid, in milliseconds. `nowMs`: time on the target, if known. */
export function readLifetime(link: string, nowMs: number | undefined): number | undefined {
  const { validForMs, expiresAt } = readSignature(link);
  return validForMs ?? (nowMs === undefined || expiresAt === undefined ? undefined : expiresAt - nowMs);
}

/** Only reports a model if all of its links are valid for too long, because an asset may keep its provider's link. */
const checkLinks: TraceCheck = (responses, context) => {
  const isLink = (_: string, value: JsonValue): boolean => typeof value === 'string' && /^https?:/.test(value);
  const links = responses.flatMap((one) => {
    if (!isResult(one) || isReplay(one) || one.parsed.kind !== 'json') return [];
    const configuredHours = context.owned.find(({ id }) => id === nameModel(one))?.linkHours;
    const hours = configuredHours ?? (isHookModel(one, context) ? 24 : undefined);
    // A clock moved by test hooks differs from the gate's own clock.
    const nowMs = context.has('clock') ? undefined : computeEnd(one.exchange);
    return findMembers(one.parsed.value, isLink).flatMap(({ pointer, value }) => {
      const lifeHours = (readLifetime(String(value), nowMs) ?? Number.NaN) / 3_600_000;
      return hours === undefined || Number.isNaN(lifeHours) ? [] : [{ one, pointer, hours, lifeHours }];
    });
  });
  if (links.length === 0) return undefined;
  // Tolerance for clock differences.
  const isTooLong = ({ hours, lifeHours }: (typeof links)[number]): boolean => lifeHours > hours + 0.1;
  const byModel = [...Map.groupBy(links, ({ one }) => nameModel(one)).values()];
  const tooLong = byModel.filter((modelLinks) => modelLinks.every(isTooLong)).flat();
  return tooLong.flatMap(({ one: { step }, pointer, hours, lifeHours }) =>
    expect.wrongAt(
      step,
      pointer,
      `a link that is valid for at most ${hours} hours`,
      `valid for ${Math.round(lifeHours)} hours`,
    ),
  );
};

/** Rules that need a statement in the owner's configuration, or models of the test hooks. */
export const statedRules = [
  traceRule('trace.status.front-is-position-0', {
    sentence: 'A request with no other request ahead of it is at position 0.',
    requirements: ['MR-QUE-09', 'MR-QUE-10'],
    readsAttributed: true,
    requires: [state],
    check: checkFront,
  }),
  traceRule('trace.spend.is-free-when-calls-have-ended', {
    concern: 'spending',
    sentence: 'The committed spend returns to its initial value after the calls of the check have ended.',
    requirements: ['MR-HDR-18', 'MR-HDR-19'],
    readsAttributed: true,
    requires: [state],
    check: checkSpend,
  }),
  traceRule('trace.links.are-valid-no-longer-than-stated', {
    concern: 'access',
    sentence: 'Signed links of the service expire no later than the documents or the owner of the service promise.',
    requirements: ['MR-AST-06', 'MR-AST-09', 'MR-AST-11', 'MR-AST-14', 'MR-AST-24'],
    readsAttributed: true,
    requires: [anyOf(hook('assets'), input('linkHours'))],
    check: checkLinks,
  }),
];
