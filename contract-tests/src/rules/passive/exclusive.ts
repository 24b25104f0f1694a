import type { ProbeContext } from '../../contract/context.ts';
import { computeEnd, readHeader } from '../../contract/evidence.ts';
import { type CheckResult, type Finding, finding, observed } from '../../contract/finding.ts';
import { alternateModel, outcomesModel } from '../../contract/hooks.ts';
import { defineFamily, type Rule } from '../../contract/rule.ts';
import { state } from '../../requires.ts';
import { isReplay } from '../builders/keyed-calls.ts';
import { isOperation, isResponseTo, type ObservedResponse, readMember } from './observed-response.ts';
import { onAll, passive, type TraceCheck } from './passive-rule.ts';

const showsPosition = isResponseTo('submitRequest 201', 'readStatus 200', 'collectRequest 202');
const isSubmission = isResponseTo('submitRequest 201');

/** When a queued request was first seen to have ended. */
function findEnds(responses: readonly ObservedResponse[]): ReadonlyMap<unknown, number> {
  const ends = new Map<unknown, number>();
  for (const one of responses) {
    const { request_id: id } = one.parameters;
    const isComplete =
      isResponseTo('collectRequest 200', 'cancelRequest 409')(one) ||
      (isResponseTo('readStatus 200')(one) && readMember(one, 'status') === 'COMPLETED');
    if (id !== undefined && isComplete && !ends.has(id)) ends.set(id, computeEnd(one.exchange));
  }
  return ends;
}

/**
 * For a response, the calls of this check that may have been under way in its time: runs and submissions that overlap it, and queued
 * requests that were not seen to end. After a 504 work may go on that nobody sees end.
 */
function openConcurrency(responses: readonly ObservedResponse[]) {
  const ends = findEnds(responses);
  const places = new Map(responses.map((one, index) => [one, index]));
  const calls = responses.filter((one) => isOperation(one, 'runModel', 'submitRequest'));
  const isOver = (call: ObservedResponse, by: number): boolean => {
    const id = isSubmission(call) ? readMember(call, 'request_id') : undefined;
    const end = id === undefined ? computeEnd(call.exchange) : (ends.get(id) ?? Number.POSITIVE_INFINITY);
    return call.response.status !== 504 && end <= by;
  };
  return (one: ObservedResponse, settleMs = 0): readonly ObservedResponse[] => {
    const own = one.parameters['request_id'] ?? readMember(one, 'request_id');
    const { timing } = one.exchange;
    const isLater = (call: ObservedResponse): boolean =>
      Number(places.get(call)) > Number(places.get(one)) &&
      call.exchange.timing.startedAtMs >= computeEnd(one.exchange);
    const isOwn = (call: ObservedResponse): boolean =>
      call === one || (isSubmission(call) && readMember(call, 'request_id') === own);
    return calls.filter((call) => !(isOwn(call) || isLater(call) || isOver(call, timing.startedAtMs - settleMs)));
  };
}

const checkFront: TraceCheck = (responses, context) => {
  const positions = responses.filter(
    (one) =>
      showsPosition(one) &&
      !isReplay(one.response) &&
      readMember(one, 'status') !== 'COMPLETED' &&
      typeof readMember(one, 'queue_position') === 'number',
  );
  if (positions.length === 0) return undefined;
  const own = positions.filter((one) => isUsedByNobodyElse(one, context));
  const findOthers = openConcurrency(responses);
  const behind = own.filter((one) => readMember(one, 'queue_position') !== 0 && findOthers(one).length === 0);
  if (behind.length > 0 || positions.some((one) => readMember(one, 'queue_position') === 0))
    return behind.map((one) => {
      const at = { step: one.response.step, pointer: '/queue_position' };
      const actual = String(readMember(one, 'queue_position'));
      return finding('value-unexpected', at, '0, for no other request is ahead', actual);
    });
  return observed(`0 was never seen among ${positions.length} positions; ${stateIt}`);
};

const stateIt = 'with conform.live.exclusive it would be a finding';

/** The two models of the test hooks are there for the gate. */
function isUsedByNobodyElse({ parameters }: ObservedResponse, { isExclusive, isScripted }: ProbeContext): boolean {
  const model = `${parameters['provider']}/${parameters['model']}`;
  return isExclusive || (isScripted && [outcomesModel, alternateModel].includes(model));
}

const header = 'X-Committed-Spend-Current';

/** Equal calls reserve equal amounts, which their own responses may still count. */
function describeCall({ exchange: { request, credentials } }: ObservedResponse): string {
  return JSON.stringify([credentials, request.url, new TextDecoder().decode(request.body)]);
}

const checkSpend: TraceCheck = (responses, { isExclusive, kind }): CheckResult | undefined => {
  const findOthers = openConcurrency(responses);
  // What was reserved for a call may become free a moment after its end.
  const settleMs = kind === 'live' ? 1_000 : 0;
  const stated = responses
    .filter((one) => isResponseTo('runModel 200')(one) && !isReplay(one.response) && Number.isInteger(readSpend(one)))
    .map((one) => ({ one, others: findOthers(one, settleMs) }));
  if (stated.length === 0) return undefined;
  const alike = Map.groupBy(stated, ({ one }) => describeCall(one)).values();
  const grown = [...alike].flatMap((group) => group.slice(1).flatMap((later) => findGrowth(group, later)));
  if (isExclusive || grown.length === 0) return grown;
  return observed(`the committed spend has grown between equal calls ${grown.length} times; ${stateIt}`);
};

type Spending = { readonly one: ObservedResponse; readonly others: readonly ObservedResponse[] };

/** More is committed than at an earlier equal call, and nothing is under way that was not then. */
function findGrowth(group: readonly Spending[], { one, others }: Spending): readonly Finding[] {
  const earlier = group
    .slice(
      0,
      group.findIndex((each) => each.one === one),
    )
    .find((each) => readSpend(each.one) < readSpend(one) && others.every((other) => each.others.includes(other)));
  if (earlier === undefined) return [];
  const expected = `${readSpend(earlier.one)}, as at ${earlier.one.response.step}, for no other call has begun and not ended`;
  return [finding('values-differ', { step: one.response.step, header }, expected, String(readSpend(one)))];
}

function readSpend({ response }: ObservedResponse): number {
  return Number(readHeader(response, header)?.trim() || Number.NaN);
}

/** What a check can know only where nobody else uses the models and the workspace: its owner says so. */
export const exclusiveRules: readonly Rule[] = defineFamily(
  { ...passive, requires: [state] },
  {
    'trace.status.front-is-position-0': {
      sentence: 'A request that has no other one ahead is at position 0.',
      requirements: ['MR-QUE-09', 'MR-QUE-10'],
      check: onAll(checkFront),
    },
    'trace.spend.is-free-when-calls-have-ended': {
      sentence: 'The committed spend returns to what it was when the calls of the check have ended.',
      requirements: ['MR-HDR-18', 'MR-HDR-19'],
      check: onAll(checkSpend),
    },
  },
);
