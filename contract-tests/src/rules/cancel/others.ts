import { memberOf, responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Evidence, Probe, Step } from '../../probe.ts';
import { requireMember, requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { get, stepFrom, urlFrom } from '../../steps.ts';
import { hasCapability } from '../../target.ts';
import type { MemberMatcher } from '../vocabulary/matchers.ts';
import { follow, followCancel, polled, submit, submitted } from '../vocabulary/router-steps.ts';
import { untilOver } from '../vocabulary/told-runs.ts';

const family = 'cancel';
const api = 'router';
const cost = 'billed';
const appliesTo = hasCapability('state');

const endOf = (name: string, of: string): Step =>
  stepFrom(name, (earlier: Evidence) => get(api, urlFrom(earlier, of, '/status_url')), { repeat: untilOver });

const notCancelled: MemberMatcher = { expected: 'anything but cancelled', is: (value) => value !== 'cancelled' };

const besideAnother = (context: ProbeContext): Probe => ({
  steps: [
    submitted(context),
    { ...submit('another', context.model('authored')), mustAnswer: [201] },
    followCancel('cancel'),
    endOf('end-of-another', 'another'),
  ],
});

/** Nobody collected yet, so what is there after the cancellation was left by it. */
const uncollected = (context: ProbeContext): Probe => ({
  steps: [submitted(context), polled(), followCancel('cancel'), follow('collect', 'response_url')],
});

export const cancelOthersRules: readonly Rule[] = [
  defineRule({
    id: 'cancel.pending.concerns-no-other-request',
    family,
    requirements: ['MR-CAN-03', 'MR-QUE-26', 'MR-CTG-20'],
    needs: ['cancel.pending.is-requested'],
    api,
    cost,
    appliesTo,
    probe: besideAnother,
    // What else it may end as is said elsewhere.
    judge: (evidence) => requireMember(responseOf(evidence, 'end-of-another'), '/error_type', notCancelled),
  }),
  defineRule({
    id: 'cancel.completed.leaves-the-result',
    family,
    requirements: ['MR-CAN-13'],
    needs: ['cancel.completed.is-already-completed'],
    api,
    cost,
    appliesTo,
    probe: uncollected,
    judge: (evidence) => {
      if (memberOf(responseOf(evidence, 'end'), '/error_type') !== undefined)
        return { kind: 'not-observable', because: 'the request did not succeed' };
      return requireStatus(responseOf(evidence, 'collect'), 200);
    },
  }),
];
