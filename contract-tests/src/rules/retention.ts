import { headerOf, memberOf, responseOf, wasAnswered } from '../answer.ts';
import type { ProbeContext } from '../context.ts';
import type { Draft } from '../finding.ts';
import type { Evidence, Probe, Step } from '../probe.ts';
import { finding, requireHeader, requireStatus } from '../require.ts';
import { defineRule, type Rule, type RuleDeclaration } from '../rule.ts';
import { get, stepFrom, textFrom } from '../steps.ts';
import { hasCapability } from '../target.ts';
import { lists, rows, runOf } from './assets/families.ts';
import { open, requireOpened } from './assets/hosting.ts';
import { requireSameBytes } from './vocabulary/byte-comparison.ts';
import { completed, replayMark, requireConflict, requireNotReplayed } from './vocabulary/keyed-calls.ts';
import { requireCategory } from './vocabulary/refusals.ts';
import { keyed, list, seed } from './vocabulary/router-steps.ts';
import { toldPath } from './vocabulary/told-runs.ts';

const family = 'retention';
const hourMs = 60 * 60 * 1000;

type TimeRule = Omit<RuleDeclaration, 'api' | 'cost' | 'appliesTo' | 'family' | 'probe'>;

/** All of them look at one and the same day and an hour; a target's clock is moved once. */
function dayRule(declaration: TimeRule): Rule {
  return defineRule({
    ...declaration,
    family,
    api: 'router',
    cost: 'billed',
    appliesTo: hasCapability('outcomes', 'clock'),
    probe: day,
  });
}

const assets = [
  { hosting: 'hosted_24h' },
  { hosting: 'hosted_12h' },
  { hosting: 'hosted_24h' },
  { hosting: 'direct_write' },
];
const links = {
  day: '/assets/0/url',
  half: '/assets/1/url',
  unopened: '/assets/2/url',
  direct: '/response/videos/0/gcsUri',
};
const families = rows.flatMap(({ model, input, copied }) => copied.slice(0, 1).map(({ at }) => ({ model, input, at })));

function day(context: ProbeContext): Probe {
  const kept = { label: 'day-kept', to: toldPath, value: { outcome: 'echo', note: 'kept' } };
  const queued = { label: 'day-queued', to: `${toldPath}/requests`, value: { note: 'queued' } };
  const file = { label: 'day-file', to: toldPath, value: { media_type: 'image/png' } };
  const hosted = { label: 'day-hosted', to: toldPath, value: { assets } };
  const accepted = { label: 'day-accepted', to: toldPath, value: { outcome: 'deadline_exceeded', delay_ms: 1_000 } };
  const asked = families.filter(({ model }) => lists(context, model));
  const opened = (when: string, first: Partial<Step> = {}): Step[] => [
    open(`day-${when}`, 'hosted', links.day, first),
    open(`half-${when}`, 'hosted', links.half),
    open(`direct-${when}`, 'hosted', links.direct),
  ];
  return {
    steps: [
      seed,
      list('page', '?limit=1'),
      keyed('kept', context, kept, completed),
      keyed('hosted', context, hosted, completed),
      keyed('queued', context, queued, { mustAnswer: [201] }),
      keyed('file', context, file, completed),
      keyed('accepted', context, accepted, { mustAnswer: [504] }),
      ...asked.map((row) => runOf(row.model, row)),
      ...opened('at-first'),
      ...opened('after-11h', { passMs: 11 * hourMs }),
      ...opened('after-13h', { passMs: 2 * hourMs }),
      ...asked.map(({ model, at }) => open(`${model}-after-13h`, model, at)),
      keyed('hosted-again', context, hosted),
      open('half-replayed', 'hosted-again', links.half),
      keyed('kept-after-23h', context, kept, { passMs: 10.8 * hourMs }), // twelve minutes are left
      keyed('collected-after-23h', context, accepted),
      keyed('queued-after-23h', context, queued),
      keyed('file-after-23h', context, file),
      keyed('changed-after-23h', context, { ...kept, value: { outcome: 'echo', note: 'changed' } }),
      ...opened('after-23h'),
      keyed('kept-after-25h', context, kept, { passMs: 1.2 * hourMs }),
      keyed('hosted-after-25h', context, { ...hosted, value: { note: 'another body' } }),
      keyed('accepted-after-25h', context, accepted),
      keyed('queued-after-25h', context, queued),
      ...opened('after-25h'),
      open('unopened-after-25h', 'hosted', links.unopened),
      ...asked.map(({ model, at }) => open(`${model}-after-25h`, model, at)),
      stepFrom('next-page', (earlier) => {
        const cursor = encodeURIComponent(textFrom(earlier, 'page', '/next_cursor'));
        return get('router', `/v2/models?limit=1&cursor=${cursor}`);
      }),
    ],
  };
}

function requireGone(evidence: Evidence, name: string): readonly Draft[] {
  if (!wasAnswered(evidence, name)) return []; // no link was given
  const { status } = responseOf(evidence, name);
  if (status >= 400 && status < 500) return [];
  return [
    finding('status-unexpected', { step: name }, { expected: 'a link that has expired', actual: String(status) }),
  ];
}

function requireOpen(evidence: Evidence, ...names: readonly string[]): readonly Draft[] {
  return names.flatMap((name) => requireOpened(evidence, name));
}

function modelsSeen(context: ProbeContext, life: 'half' | 'day'): readonly string[] {
  const isHalf = (model: string): boolean => model.startsWith('video-provider-two/');
  return families
    .map(({ model }) => model)
    .filter((model) => lists(context, model) && isHalf(model) === (life === 'half'));
}

const submissionWithin = 'retention.submission.replays-within-24-hours';
const within = 'retention.key.replays-within-24-hours';

export const retentionRules: readonly Rule[] = [
  dayRule({
    id: within,
    requirements: ['MR-IDM-46'],
    judge: (evidence) => {
      const again = responseOf(evidence, 'kept-after-23h');
      const status = requireStatus(again, 200);
      if (status.length > 0) return status;
      return [
        ...requireHeader(again, 'Idempotent-Replayed', replayMark),
        ...requireSameBytes(again, responseOf(evidence, 'kept')),
      ];
    },
  }),
  dayRule({
    id: 'retention.file.replays-within-24-hours',
    requirements: ['MR-IDM-46'],
    judge: (evidence) => {
      const again = responseOf(evidence, 'file-after-23h');
      const status = requireStatus(again, 200);
      return status.length > 0 ? status : requireHeader(again, 'Idempotent-Replayed', replayMark);
    },
  }),
  dayRule({
    id: 'retention.key.conflicts-within-24-hours',
    requirements: ['MR-IDM-46', 'MR-IDM-16'],
    judge: (evidence, context) => requireConflict(responseOf(evidence, 'changed-after-23h'), context),
  }),
  dayRule({
    id: submissionWithin,
    requirements: ['MR-IDM-46', 'MR-SUB-12'],
    judge: (evidence) => {
      const again = responseOf(evidence, 'queued-after-23h');
      const status = requireStatus(again, 201);
      return status.length > 0 ? status : requireHeader(again, 'Idempotent-Replayed', replayMark);
    },
  }),
  dayRule({
    id: 'retention.submission.expires-after-24-hours',
    requirements: ['MR-IDM-46', 'MR-IDM-48', 'MR-IDM-49', 'MR-HDR-14'],
    needs: [submissionWithin],
    judge: (evidence) => {
      const again = responseOf(evidence, 'queued-after-25h');
      return [...requireStatus(again, 201), ...requireNotReplayed(again)];
    },
  }),
  dayRule({
    id: 'retention.handle.collects-within-24-hours',
    requirements: ['MR-IDM-54'],
    judge: (evidence) => {
      const collected = responseOf(evidence, 'collected-after-23h');
      const status = requireStatus(collected, 200);
      return status.length > 0 ? status : requireHeader(collected, 'Idempotent-Replayed', replayMark);
    },
  }),
  dayRule({
    id: 'retention.key.expires-24-hours-after-the-first-call',
    requirements: ['MR-IDM-46', 'MR-IDM-47', 'MR-IDM-48', 'MR-IDM-49'],
    needs: [within],
    judge: (evidence) => {
      // Retries two hours ago opened no window of their own.
      const again = responseOf(evidence, 'kept-after-25h');
      return [...requireStatus(again, 200), ...requireNotReplayed(again)];
    },
  }),
  dayRule({
    id: 'retention.key.conflicts-no-more-after-24-hours',
    requirements: ['MR-IDM-48', 'MR-IDM-49'],
    judge: (evidence) => {
      const other = responseOf(evidence, 'hosted-after-25h');
      return [...requireStatus(other, 200), ...requireNotReplayed(other)];
    },
  }),
  dayRule({
    id: 'retention.handle.is-gone-after-24-hours',
    requirements: ['MR-IDM-54', 'MR-IDM-48', 'MR-IDM-49'],
    needs: ['retention.handle.collects-within-24-hours'],
    // The same input begins again where it began: accepted, and a hint to come back.
    judge: (evidence, context) => {
      const again = responseOf(evidence, 'accepted-after-25h');
      const status = requireStatus(again, 504);
      return status.length > 0 ? status : requireCategory(again, context, 'deadline_exceeded');
    },
  }),
  dayRule({
    id: 'retention.assets.open-while-they-live',
    requirements: ['MR-AST-02', 'MR-AST-24'],
    judge: (evidence) => [
      ...requireOpen(evidence, 'day-at-first', 'half-at-first', 'direct-at-first'),
      // "At most": only the direct link is promised its whole day.
      ...requireOpen(evidence, 'direct-after-23h'),
    ],
  }),
  dayRule({
    id: 'retention.assets.half-day-links-expire',
    requirements: ['MR-AST-11'],
    judge: (evidence, context) => [
      ...requireGone(evidence, 'half-after-13h'),
      ...modelsSeen(context, 'half').flatMap((model) => requireGone(evidence, `${model}-after-13h`)),
    ],
  }),
  dayRule({
    id: 'retention.assets.day-links-expire',
    requirements: ['MR-AST-06', 'MR-AST-09', 'MR-AST-14', 'MR-AST-24'],
    judge: (evidence, context) => [
      ...requireGone(evidence, 'day-after-25h'),
      ...requireGone(evidence, 'direct-after-25h'),
      ...modelsSeen(context, 'day').flatMap((model) => requireGone(evidence, `${model}-after-25h`)),
    ],
  }),
  dayRule({
    id: 'retention.assets.expire-although-never-opened',
    requirements: ['MR-AST-15'],
    judge: (evidence) => requireGone(evidence, 'unopened-after-25h'),
  }),
  dayRule({
    id: 'retention.assets.replay-renews-nothing',
    requirements: ['MR-AST-17'],
    judge: (evidence) => {
      const again = responseOf(evidence, 'hosted-again');
      if (headerOf(again, 'Idempotent-Replayed')?.trim() !== 'true')
        return { kind: 'not-observable', because: 'the result was not replayed' };
      return requireGone(evidence, 'half-replayed');
    },
  }),
  dayRule({
    id: 'retention.cursor.expired-is-refused',
    requirements: ['MR-CAT-51', 'MR-CAT-09', 'MR-CAT-52', 'MR-CTG-02'],
    judge: (evidence, context) => {
      if (memberOf(responseOf(evidence, 'page'), '/next_cursor') === undefined)
        return { kind: 'not-observable', because: 'the first page gave no cursor' };
      const answer = responseOf(evidence, 'next-page');
      if (answer.status === 200) {
        // A cursor may outlive a day; it never goes back to where the traversal began.
        const first = JSON.stringify(memberOf(responseOf(evidence, 'page'), '/data'));
        return JSON.stringify(memberOf(answer, '/data')) === first
          ? requireStatus(answer, 400)
          : { kind: 'observed', observation: 'a cursor still works after 25 hours' };
      }
      const status = requireStatus(answer, 400);
      return status.length > 0 ? status : requireCategory(answer, context, 'invalid_input');
    },
  }),
];
