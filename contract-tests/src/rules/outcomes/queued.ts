import type { Probe } from '../../contract/probe.ts';
import { defineFamily, type Rule } from '../../contract/rule.ts';
import { type Expectation, expectCategory, expectMember, expectStatus, onResponse } from '../builders/expectations.ts';
import { array, exactly } from '../builders/matchers.ts';
import { follow, untilCompleted } from '../builders/router-steps.ts';
import {
  type Failure,
  failure,
  ifItFails,
  lostWork,
  scripted,
  scriptedOrInputFor,
  scriptedSubmit,
} from '../builders/scripted-runs.ts';

/**
 * How queued requests fail: on collect as on the synchronous route; with 410 or with the route's own status where no model
 * was reached, for the documents give both (NS-40).
 */
const endings: readonly Failure[] = [
  failure(['policy', 'that policy rejected'], [400, 'content_policy_violation'], ['MR-CTG-06']),
  failure(['provider-error', 'whose provider failed'], [502, 'provider_error'], ['MR-CTG-07']),
  failure(['provider-timeout', 'whose provider took too long'], [504, 'provider_timeout'], ['MR-CTG-08']),
  failure(['deadline', 'that passed its deadline'], [504, 'deadline_exceeded'], ['MR-COL-20', 'MR-CTG-16'], lostWork),
  failure(['refused-input', 'whose input the provider refused'], [422, 'invalid_input'], ['MR-COL-18'], {
    input: { outcome: 'refused_input' },
  }),
  failure(
    ['internal-error', 'on which the router failed'],
    [410, 'internal_error'],
    ['MR-COL-17', 'MR-STC-09', 'MR-CTG-15'],
  ),
  failure(
    ['unavailable', 'that met an unavailable service'],
    [410, 'service_unavailable'],
    ['MR-COL-17', 'MR-STC-09', 'MR-CTG-18'],
  ),
];

const otherStatuses: Readonly<Record<string, number>> = { internal_error: 500, service_unavailable: 503 };

/** All are submitted before the first is polled, so that they wait together. */
const endEach = (chosen: readonly Failure[]): Probe => [
  ...chosen.map(({ name, input }) => scriptedSubmit(name, input)),
  ...chosen.flatMap(({ name }) => [
    follow(`${name}-end`, 'status_url', { of: name, repeat: untilCompleted, mustAnswer: [200, 410] }),
    follow(`${name}-collect`, 'response_url', { of: name }),
    follow(`${name}-later`, 'status_url', { of: name }),
  ]),
];
/** An input of the owner can bring these about, each without the others. */
const reachableAlone = ['policy', 'provider-error'];
const scriptedEndings = endEach(endings.filter(({ name }) => !reachableAlone.includes(name)));

/** Whether a failure is reported with 410 or by the status alone is open (C-16). */
const expectFailedStatus =
  (category: string): Expectation =>
  (response, context, evidence) => {
    if (response.status === 410) return expectCategory(category)(response, context, evidence);
    const [completed, errorType] = [exactly('COMPLETED'), exactly(category)];
    const expectation = expectStatus(200, expectMember('/status', completed), expectMember('/error_type', errorType));
    return expectation(response, context, evidence);
  };

export const queuedOutcomeRules: readonly Rule[] = defineFamily(
  { ...scripted, family: 'outcomes' },
  endings.flatMap((ending) => {
    const { name, sentence: story, category, status, requirements } = ending;
    const shared = reachableAlone.includes(name)
      ? { probe: endEach([ending]), requires: scriptedOrInputFor(ending.input) }
      : { probe: scriptedEndings };
    return [
      {
        ...shared,
        id: `outcomes.queued.${name}.shows-in-the-status`,
        sentence: `The status of a queued request ${story} names that category.`,
        requirements: ['MR-QUE-11', 'MR-STA-09', 'MR-QUE-33'],
        check: ifItFails(`${name}-collect`, onResponse([`${name}-end`, `${name}-later`], expectFailedStatus(category))),
      },
      {
        ...shared,
        id: `outcomes.queued.${name}.is-collected`,
        sentence: `Collecting a queued request ${story} gives that error.`,
        requirements,
        check: ifItFails(
          `${name}-collect`,
          onResponse(
            `${name}-collect`,
            expectStatus(
              [status, otherStatuses[category] ?? []].flat(),
              expectCategory(category),
              status === 422 ? expectMember('/detail', array) : expectMember('/error_type', exactly(category)),
            ),
          ),
        ),
      },
    ];
  }),
);
