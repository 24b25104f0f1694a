import { isDeepStrictEqual } from 'node:util';
import type { ProbeContext } from '../contract/context.ts';
import { isReplay, readMember, readResponse } from '../contract/evidence.ts';
import { observed } from '../contract/finding.ts';
import type { Probe, Step } from '../contract/probe.ts';
import { defineFamily } from '../contract/rule.ts';
import { hook } from '../requires.ts';
import { assetModels, isListed, isOpen, open, runAssetModel } from './assets.ts';
import * as expect from './builders/expect.ts';
import * as send from './builders/send.ts';

const hourMs = 60 * 60 * 1000;

const assets = ['hosted_24h', 'hosted_12h', 'hosted_24h', 'direct_write'].map((hosting) => ({ hosting }));
const links = {
  day: '/assets/0/url',
  half: '/assets/1/url',
  unopened: '/assets/2/url',
  direct: '/response/videos/0/gcsUri',
};
const linked = assetModels.flatMap(({ model, input, places: [place], areKept }) =>
  place === undefined || areKept ? [] : [{ model, input, at: place[1] }],
);

const kept = { label: 'day-kept', to: send.scriptedPath, value: { outcome: 'echo', note: 'kept' } };
const queued = { label: 'day-queued', to: send.scriptedQueue, value: { note: 'queued' } };
const file = { label: 'day-file', to: send.scriptedPath, value: { media_type: 'image/png' } };
const hosted = { label: 'day-hosted', to: send.scriptedPath, value: { assets } };
const accepted = {
  label: 'day-accepted',
  to: send.scriptedPath,
  value: { outcome: 'deadline_exceeded', delay_ms: 1_000 },
};

const opened = (when: string, first: Partial<Step> = {}): readonly Step[] => [
  open(`day-${when}`, 'hosted', links.day, first),
  open(`half-${when}`, 'hosted', links.half),
  open(`direct-${when}`, 'hosted', links.direct),
];

const nextPage = send.step('next-page', (earlier) => {
  const cursor = send.encodeText(send.textFrom(earlier, 'page', '/next_cursor'));
  return send.get('router', `/v2/models?limit=1&cursor=${cursor}`);
});

/** All rules of the family read this one day and an hour, so that the target's clock is moved once. */
function day(context: ProbeContext): Probe {
  const models = linked.filter(({ model }) => isListed(context, model));
  return [
    send.seed,
    send.list('page', '?limit=1'),
    send.keyed('kept', kept, send.completed),
    send.keyed('hosted', hosted, send.completed),
    send.keyed('queued', queued, send.created),
    send.keyed('file', file, send.completed),
    send.keyed('accepted', accepted, { mustAnswer: [504] }),
    ...models.map((row) => runAssetModel(row.model, row)),
    ...opened('at-first'),
    ...opened('after-11h', { passMs: 11 * hourMs }),
    ...opened('after-13h', { passMs: 2 * hourMs }),
    ...models.map(({ model, at }) => open(`${model}-after-13h`, model, at)),
    send.keyed('hosted-again', hosted),
    open('half-replayed', 'hosted-again', links.half),
    send.keyed('kept-after-23h', kept, { passMs: 10.8 * hourMs }), // twelve minutes are left
    send.keyed('collected-after-23h', accepted),
    send.keyed('queued-after-23h', queued),
    send.keyed('file-after-23h', file),
    send.keyed('changed-after-23h', { ...kept, value: { outcome: 'echo', note: 'changed' } }),
    ...opened('after-23h'),
    send.keyed('kept-after-25h', kept, { passMs: 1.2 * hourMs }),
    send.keyed('hosted-after-25h', { ...hosted, value: { note: 'another body' } }),
    send.keyed('accepted-after-25h', accepted),
    send.keyed('queued-after-25h', queued),
    ...opened('after-25h'),
    open('unopened-after-25h', 'hosted', links.unopened),
    ...models.map(({ model, at }) => open(`${model}-after-25h`, model, at)),
    nextPage,
  ];
}

/** These links have expired, as far as they were given. */
const areGone = (...names: readonly string[]): expect.FindingsCheck => expect.ifSent(names, expectExpired);
const expectExpired = expect.statusThat((status) => status >= 400 && status < 500, 'a link that has expired');

/** The links of the models' results: those of one provider live half a day, the others a day. */
const [halfDayModels = [], dayModels = []] = [true, false].map((isHalf) =>
  linked.map(({ model }) => model).filter((model) => model.startsWith('video-provider-two/') === isHalf),
);

export const retentionRules = defineFamily({
  cost: 'hooked',
  requires: hook('outcomes', 'assets', 'clock'),
  probe: day,
})({
  'retention.key.replays-within-24-hours': {
    concern: 'money',
    sentence: 'An idempotency key replays its answer within 24 hours.',
    requirements: ['MR-IDM-46'],
    check: expect.on('kept-after-23h', expect.status(200, expect.replay, expect.sameValue('kept'))),
  },
  'retention.file.replays-within-24-hours': {
    concern: 'money',
    sentence: 'An idempotency key replays a file within 24 hours.',
    requirements: ['MR-IDM-46'],
    reading: 'OP-109',
    check: expect.on('file-after-23h', expect.status(200, expect.replay)),
  },
  'retention.key.conflicts-within-24-hours': {
    concern: 'money',
    sentence: 'Another body under a key conflicts within 24 hours.',
    requirements: ['MR-IDM-46', 'MR-IDM-16'],
    check: expect.on('changed-after-23h', expect.conflict),
  },
  'retention.submission.replays-within-24-hours': {
    concern: 'money',
    sentence: 'The key of a submission replays its handle within 24 hours.',
    requirements: ['MR-IDM-46', 'MR-SUB-12'],
    check: expect.on('queued-after-23h', expect.status([200, 201], expect.replay)),
  },
  'retention.submission.expires-after-24-hours': {
    sentence: 'The key of a submission is free after 24 hours.',
    requirements: ['MR-IDM-46', 'MR-IDM-48', 'MR-IDM-49', 'MR-HDR-14'],
    needs: ['retention.submission.replays-within-24-hours'],
    check: expect.on('queued-after-25h', expect.status(201), expect.noReplay),
  },
  'retention.handle.collects-within-24-hours': {
    concern: 'money',
    sentence: 'The key of a call that outlived its deadline collects the result within 24 hours.',
    requirements: ['MR-IDM-54'],
    check: expect.on('collected-after-23h', expect.status(200, expect.replay)),
  },
  'retention.key.expires-24-hours-after-the-first-call': {
    sentence: 'A key is free 24 hours after its first call, whatever came later.',
    requirements: ['MR-IDM-46', 'MR-IDM-47', 'MR-IDM-48', 'MR-IDM-49'],
    needs: ['retention.key.replays-within-24-hours'],
    // The retries two hours earlier did not extend the window.
    check: expect.on('kept-after-25h', expect.status(200), expect.noReplay),
  },
  'retention.key.conflicts-no-more-after-24-hours': {
    sentence: 'Another body under a key is accepted after 24 hours.',
    requirements: ['MR-IDM-48', 'MR-IDM-49'],
    check: expect.on('hosted-after-25h', expect.status(200), expect.noReplay),
  },
  'retention.handle.is-gone-after-24-hours': {
    sentence: 'The key of a call that outlived its deadline is free after 24 hours.',
    requirements: ['MR-IDM-54', 'MR-IDM-48', 'MR-IDM-49'],
    needs: ['retention.handle.collects-within-24-hours'],
    // The same input starts again: accepted, and past its deadline.
    check: expect.on('accepted-after-25h', expect.error(504, 'deadline_exceeded')),
  },
  'retention.assets.open-while-they-live': {
    sentence: 'Hosted assets open until their URLs expire.',
    requirements: ['MR-AST-02', 'MR-AST-24'],
    // "At most": only the direct link is promised its whole day.
    check: expect.all(...['day-at-first', 'half-at-first', 'direct-at-first', 'direct-after-23h'].map(isOpen)),
  },
  'retention.assets.half-day-links-expire': {
    concern: 'access',
    sentence: 'URLs of assets that live 12 hours do not open after that.',
    requirements: ['MR-AST-11'],
    check: areGone('half-after-13h', ...halfDayModels.map((model) => `${model}-after-13h`)),
  },
  'retention.assets.day-links-expire': {
    concern: 'access',
    sentence: 'URLs of assets that live 24 hours do not open after that.',
    requirements: ['MR-AST-06', 'MR-AST-09', 'MR-AST-14', 'MR-AST-24'],
    check: areGone('day-after-25h', 'direct-after-25h', ...dayModels.map((model) => `${model}-after-25h`)),
  },
  'retention.assets.expire-although-never-opened': {
    concern: 'access',
    sentence: 'URLs of assets expire even if they were never opened.',
    requirements: ['MR-AST-15'],
    check: areGone('unopened-after-25h'),
  },
  'retention.assets.replay-renews-nothing': {
    concern: 'access',
    sentence: 'A replay does not renew the URLs of assets.',
    requirements: ['MR-AST-17'],
    check: expect.unless(
      (evidence) => !isReplay(readResponse(evidence, 'hosted-again')),
      'the result was not replayed',
      areGone('half-replayed'),
    ),
  },
  'retention.cursor.expired-is-refused': {
    sentence: 'An expired cursor is refused with 400 invalid_input.',
    requirements: ['MR-CAT-51', 'MR-CAT-09', 'MR-CAT-52', 'MR-CTG-02'],
    check: (evidence, context) => {
      const [first, next] = ['page', 'next-page'].map((name) => readMember(readResponse(evidence, name), '/data'));
      // A cursor may outlive a day; it must not lead back to the first page.
      return expect.answeredWith('next-page', 200)(evidence) && !isDeepStrictEqual(first, next)
        ? observed('a cursor still works after 25 hours')
        : expect.on('next-page', expect.error(400, 'invalid_input'))(evidence, context);
    },
  },
});
