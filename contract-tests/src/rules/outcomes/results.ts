import { headerOf, responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Probe } from '../../probe.ts';
import { forbidHeader, requireHeader, requireMediaType, requireStatus } from '../../require.ts';
import type { Rule } from '../../rule.ts';
import { requireSameBytes } from '../vocabulary/byte-comparison.ts';
import { completed, isReplay } from '../vocabulary/keyed-calls.ts';
import { nosniff, wholeNumberFromZero } from '../vocabulary/matchers.ts';
import { keyed, seed } from '../vocabulary/router-steps.ts';
import {
  ask,
  literally,
  requireReceived,
  tell,
  tellQueue,
  toldPath,
  toldRule,
  untilOver,
} from '../vocabulary/told-runs.ts';

const family = 'outcomes';

const file = { media_type: 'audio/wav' };
const sound = (): Probe => ({
  steps: [
    tell('run', file, {}, completed),
    tellQueue('submit', file),
    ask('end', 'status_url', { of: 'submit', repeat: untilOver, mustAnswer: [200] }),
    ask('collect', 'response_url', { of: 'submit' }),
  ],
});

const text = '{ "outcome":\t"echo",\n  "prompt": "caf\\u00e9 \u00e9 \\/",  "delay_ms": 0 }';
const encoded = (): Probe => ({
  steps: [
    tell('run', {}, { body: literally(text) }),
    tellQueue('submit', {}, { body: literally(text) }),
    ask('end', 'status_url', { of: 'submit', repeat: untilOver, mustAnswer: [200] }),
    ask('collect', 'response_url', { of: 'submit' }),
  ],
});

const large = { size_bytes: 150_000 };
const atLength = (): Probe => ({
  steps: [
    tell('run', large, {}, completed),
    tellQueue('submit', large),
    ask('end', 'status_url', { of: 'submit', repeat: untilOver, mustAnswer: [200] }),
    ask('collect', 'response_url', { of: 'submit' }),
  ],
});

const counted = (context: ProbeContext): Probe => {
  const call = { label: 'outcomes-credits', to: toldPath, value: { credits_used: 7 } };
  return { steps: [seed, keyed('first', context, call, completed), keyed('again', context, call)] };
};

export const outcomeResultRules: readonly Rule[] = [
  toldRule({
    id: 'outcomes.file.keeps-its-media-type',
    family,
    requirements: ['MR-COL-05', 'MR-COL-04'],
    probe: sound,
    judge: (evidence) => {
      const collected = responseOf(evidence, 'collect');
      const status = requireStatus(collected, 200);
      if (status.length > 0) return status;
      return [
        ...requireMediaType(responseOf(evidence, 'run'), 'audio/wav'),
        ...requireMediaType(collected, 'audio/wav'),
      ];
    },
  }),
  toldRule({
    id: 'outcomes.file.is-collected-to-the-byte',
    family,
    requirements: ['MR-COL-06'],
    needs: ['outcomes.file.keeps-its-media-type'],
    probe: sound,
    judge: (evidence) => requireSameBytes(responseOf(evidence, 'collect'), responseOf(evidence, 'run')),
  }),
  toldRule({
    id: 'outcomes.file.forbids-sniffing',
    family,
    requirements: ['MR-RUN-31', 'MR-COL-08', 'MR-HDR-22'],
    needs: ['outcomes.file.keeps-its-media-type'],
    probe: sound,
    judge: (evidence) =>
      ['run', 'collect'].flatMap((name) =>
        requireHeader(responseOf(evidence, name), 'X-Content-Type-Options', nosniff),
      ),
  }),
  toldRule({
    id: 'outcomes.body.reaches-the-provider-unchanged',
    family,
    requirements: ['MR-RUN-17'],
    probe: encoded,
    judge: (evidence) => {
      const status = requireStatus(responseOf(evidence, 'run'), 200);
      return status.length > 0 ? status : requireReceived(evidence, 'run', { text, provider: 'sandbox' });
    },
  }),
  toldRule({
    id: 'outcomes.result.is-collected-to-the-byte',
    family,
    requirements: ['MR-COL-06', 'MR-COL-04'],
    needs: ['outcomes.body.reaches-the-provider-unchanged'],
    probe: encoded,
    judge: (evidence) => {
      const collected = responseOf(evidence, 'collect');
      const status = requireStatus(collected, 200);
      return status.length > 0 ? status : requireSameBytes(collected, responseOf(evidence, 'run'));
    },
  }),
  toldRule({
    id: 'outcomes.result.is-collected-to-the-byte-at-any-length',
    family,
    requirements: ['MR-COL-06', 'MR-COL-04'],
    probe: atLength,
    judge: (evidence) => {
      const collected = responseOf(evidence, 'collect');
      const status = requireStatus(collected, 200);
      return status.length > 0 ? status : requireSameBytes(collected, responseOf(evidence, 'run'));
    },
  }),
  toldRule({
    id: 'outcomes.credits.are-told-once',
    family,
    requirements: ['MR-HDR-25', 'MR-HDR-27', 'MR-IDM-02'],
    probe: counted,
    judge: (evidence, { headers }) => {
      const [first, again] = [responseOf(evidence, 'first'), responseOf(evidence, 'again')];
      // It may appear, and need not; how many is nobody's promise (MR-HDR-25).
      const isTold = headerOf(first, headers.creditsUsed) !== undefined;
      return [
        ...(isTold ? requireHeader(first, headers.creditsUsed, wholeNumberFromZero) : []),
        ...(isReplay(again) ? forbidHeader(again, headers.creditsUsed) : []),
      ];
    },
  }),
];
