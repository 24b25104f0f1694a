import { memberOf, responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Draft } from '../../finding.ts';
import type { CredentialUse, Evidence, Probe } from '../../probe.ts';
import { requireHeader, requireMember, requireStatus } from '../../require.ts';
import type { Rule } from '../../rule.ts';
import { hasCredential } from '../../target.ts';
import { completed, replayMark, requireConflict, requireNotReplayed } from '../vocabulary/keyed-calls.ts';
import { exactly } from '../vocabulary/matchers.ts';
import { keyed, seed } from '../vocabulary/router-steps.ts';
import { toldPath, toldRule } from '../vocabulary/told-runs.ts';

const family = 'idempotency';
const queuePath = `${toldPath}/requests`;
const created = { mustAnswer: [201] };

const as = (credential: CredentialUse) => ({ parts: { credentials: [credential] } });
const byKey = as({ as: 'api-key', who: 'main' });
const byToken = as({ as: 'bearer', who: 'main' });
const byColleague = as({ as: 'api-key', who: 'colleague' });
const bySolo = as({ as: 'api-key', who: 'solo' });

function isReplayed(evidence: Evidence, name: string, status: 200 | 201): readonly Draft[] {
  const answer = responseOf(evidence, name);
  const wrong = requireStatus(answer, status);
  return wrong.length > 0 ? wrong : requireHeader(answer, 'Idempotent-Replayed', replayMark);
}

function isNew(evidence: Evidence, name: string, status: 200 | 201): readonly Draft[] {
  const answer = responseOf(evidence, name);
  return [...requireStatus(answer, status), ...requireNotReplayed(answer)];
}

/** The key that is sent in either header is one credential, in one workspace. */
const eitherForm = (context: ProbeContext): Probe => {
  const one = { label: 'caller-key-first', to: toldPath, value: { note: 'either form' } };
  const other = { ...one, label: 'caller-token-first' };
  const queued = { ...one, label: 'caller-queue', to: queuePath };
  return {
    steps: [
      seed,
      keyed('key-first', context, { ...one, ...byKey }, completed),
      keyed('token-again', context, { ...one, ...byToken }),
      keyed('token-first', context, { ...other, ...byToken }, completed),
      keyed('key-again', context, { ...other, ...byKey }),
      keyed('queued', context, { ...queued, ...byKey }, created),
      keyed('queued-again', context, { ...queued, ...byToken }),
    ],
  };
};

const amongColleagues = (context: ProbeContext): Probe => {
  const run = { label: 'caller-mate', to: toldPath, value: { note: 'mine' } };
  const queued = { label: 'caller-mate-queue', to: queuePath, value: { note: 'mine' } };
  return {
    steps: [
      seed,
      keyed('mine', context, run, completed),
      keyed('theirs', context, { ...run, ...byColleague, value: { note: 'theirs' } }),
      keyed('queued', context, queued, created),
      keyed('theirs-queued', context, { ...queued, ...byColleague }),
    ],
  };
};

const alone = (context: ProbeContext): Probe => {
  const run = { label: 'caller-solo', to: toldPath, value: { note: 'the same' } };
  const reversed = { ...run, label: 'caller-solo-first' };
  return {
    steps: [
      seed,
      keyed('mine', context, run, completed),
      keyed('solo', context, { ...run, ...bySolo }),
      keyed('solo-first', context, { ...reversed, ...bySolo }),
      keyed('mine-second', context, reversed),
      keyed('solo-again', context, { ...run, ...bySolo }),
    ],
  };
};

/** Refused for who calls, not for what is asked: nothing was dispatched, and the workspace's key stays free. */
const refusedCallers = [
  { who: 'noCredits', status: [400, 402] },
  { who: 'noAccess', status: [403] },
] as const;

const refusedCallerRules: readonly Rule[] = refusedCallers.map(({ who, status }) =>
  toldRule({
    id: `idempotency.rejection.of-${who === 'noCredits' ? 'a-caller-without-credits' : 'a-barred-caller'}-leaves-the-key-free`,
    family,
    requirements: ['MR-IDM-33', 'MR-HDR-14'],
    appliesTo: hasCredential('router', who),
    probe: (context) => {
      const run = { label: `caller-${who}`, to: toldPath, value: { note: 'first' } };
      const queued = { ...run, label: `caller-${who}-queue`, to: queuePath };
      const refused = as({ as: 'api-key', who });
      const other = { value: { note: 'second' } };
      return {
        steps: [
          seed,
          keyed('refused', context, { ...run, ...refused }, { mustAnswer: status }),
          keyed('accepted', context, { ...run, ...other }),
          keyed('refused-queue', context, { ...queued, ...refused }, { mustAnswer: status }),
          keyed('accepted-queue', context, { ...queued, ...other }),
        ],
      };
    },
    judge: (evidence) =>
      ['accepted', 'accepted-queue'].flatMap((name) => {
        const answer = responseOf(evidence, name);
        return [...requireStatus(answer, 200, 201), ...requireNotReplayed(answer)];
      }),
  }),
);

export const idempotencyCallerRules: readonly Rule[] = [
  toldRule({
    id: 'idempotency.caller.is-one-in-either-header',
    family,
    requirements: ['MR-IDM-40', 'MR-IDM-01', 'MR-AUT-04', 'MR-HDR-14'],
    probe: eitherForm,
    judge: (evidence) => [
      ...isReplayed(evidence, 'token-again', 200),
      ...isReplayed(evidence, 'key-again', 200),
      ...isReplayed(evidence, 'queued-again', 201),
    ],
  }),
  toldRule({
    id: 'idempotency.caller.colleague-with-another-body-conflicts',
    family,
    requirements: ['MR-IDM-27', 'MR-IDM-40', 'MR-IDM-16'],
    appliesTo: hasCredential('router', 'colleague'),
    probe: amongColleagues,
    judge: (evidence, context) => requireConflict(responseOf(evidence, 'theirs'), context),
  }),
  toldRule({
    id: 'idempotency.caller.colleague-queues-nothing-twice',
    family,
    requirements: ['MR-IDM-40', 'MR-SUB-12'],
    appliesTo: hasCredential('router', 'colleague'),
    probe: amongColleagues,
    judge: (evidence) => {
      const theirs = responseOf(evidence, 'theirs-queued');
      const wanted = memberOf(responseOf(evidence, 'queued'), '/request_id');
      // MR-IDM-44: a conflict is as good as the record.
      if (theirs.status !== 201 || wanted === undefined) return requireStatus(theirs, 201, 409);
      return requireMember(theirs, '/request_id', exactly(wanted));
    },
  }),
  toldRule({
    id: 'idempotency.caller.without-a-workspace-has-keys-of-its-own',
    family,
    requirements: ['MR-IDM-41', 'MR-HDR-14'],
    appliesTo: hasCredential('router', 'solo'),
    probe: alone,
    judge: (evidence) => [
      ...isNew(evidence, 'solo', 200),
      ...isNew(evidence, 'mine-second', 200),
      ...isReplayed(evidence, 'solo-again', 200),
    ],
  }),
  ...refusedCallerRules,
];
