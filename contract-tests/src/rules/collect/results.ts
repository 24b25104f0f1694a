import { headerOf, mediaTypeOf, memberOf, responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Draft } from '../../finding.ts';
import type { Evidence, Probe } from '../../probe.ts';
import { finding, requireHeader, requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { hasCapability } from '../../target.ts';
import { requireSameBytes, sameBytes, withoutSignatures } from '../vocabulary/byte-comparison.ts';
import { filled, nosniff } from '../vocabulary/matchers.ts';
import { follow, polled, run, submitted } from '../vocabulary/router-steps.ts';

const family = 'collect';
const api = 'router';
const cost = 'billed';
const appliesTo = hasCapability('state');
const collected = 'collect.result.answers-with-200';

const toTheEnd = (context: ProbeContext): Probe => ({
  steps: [submitted(context), polled(), follow('collect', 'response_url')],
});
const bothWays = (context: ProbeContext): Probe => ({
  steps: [...toTheEnd(context).steps, run('run', context.model('authored'))],
});

function mediaTypeFindings(evidence: Evidence): readonly Draft[] {
  const [collectedAs, ranAs] = [responseOf(evidence, 'collect'), responseOf(evidence, 'run')].map(mediaTypeOf);
  if (collectedAs === ranAs) return [];
  const at = { step: 'collect', header: 'Content-Type' };
  return [finding('media-type-unexpected', at, { expected: ranAs ?? 'absent', actual: collectedAs ?? 'absent' })];
}

export const collectResultRules: readonly Rule[] = [
  defineRule({
    id: collected,
    family,
    requirements: ['MR-COL-04', 'MR-QUE-23'],
    api,
    cost,
    appliesTo,
    probe: toTheEnd,
    judge: (evidence) => {
      const end = memberOf(responseOf(evidence, 'end'), '/error_type');
      if (end !== undefined) return { kind: 'not-observable', because: 'the request did not succeed' };
      return requireStatus(responseOf(evidence, 'collect'), 200);
    },
  }),
  defineRule({
    id: 'collect.result.carries-request-id-header',
    family,
    requirements: ['MR-COL-07', 'MR-HDR-01'],
    needs: [collected],
    api,
    cost,
    appliesTo,
    probe: toTheEnd,
    judge: (evidence, { headers }) => requireHeader(responseOf(evidence, 'collect'), headers.requestId, filled),
  }),
  defineRule({
    id: 'collect.result.forbids-sniffing',
    family,
    requirements: ['MR-COL-08', 'MR-HDR-22'],
    needs: [collected],
    api,
    cost,
    appliesTo,
    probe: toTheEnd,
    judge: (evidence) => requireHeader(responseOf(evidence, 'collect'), 'X-Content-Type-Options', nosniff),
  }),
  defineRule({
    id: 'collect.result.keeps-the-media-type',
    family,
    requirements: ['MR-COL-05'],
    needs: [collected],
    api,
    cost,
    appliesTo,
    probe: bothWays,
    judge: mediaTypeFindings,
  }),
  defineRule({
    id: 'collect.result.equals-the-synchronous-bytes',
    family,
    requirements: ['MR-COL-06'],
    needs: [collected],
    api,
    cost,
    appliesTo,
    probe: bothWays,
    judge: (evidence) => {
      const [collect, run] = [responseOf(evidence, 'collect'), responseOf(evidence, 'run')];
      return sameBytes(collect, run) ? [] : requireSameBytes(withoutSignatures(collect), withoutSignatures(run));
    },
  }),
  defineRule({
    id: 'collect.result.second-time',
    family,
    requirements: ['MR-COL-04'],
    needs: [collected],
    api,
    cost,
    appliesTo,
    probe: (context) => ({ steps: [...toTheEnd(context).steps, follow('again', 'response_url')] }),
    judge: (evidence, { headers }) => {
      const again = responseOf(evidence, 'again');
      const category = headerOf(again, headers.errorType) ?? '';
      return { kind: 'observed', observation: `a second collect is answered with ${again.status} ${category} (NS-21)` };
    },
  }),
];
