import { isDeepStrictEqual } from 'node:util';
import { isReplay, readMember } from '../contract/evidence.ts';
import { type Finding, notApplicable, observed } from '../contract/finding.ts';
import { encodeText } from '../contract/requests.ts';
import { ruleIn } from '../contract/rule.ts';
import { scenario } from '../contract/scenario.ts';
import { hook } from '../requires.ts';
import { expectOpen, type OpenedLink, openLink } from './assets.ts';
import { outcomesModelWith } from './calls.ts';
import * as expect from './expect.ts';

const rule = ruleIn('retention');
const moneyRule = ruleIn('retention', { concern: 'money' });
const accessRule = ruleIn('retention', { concern: 'access' });

const hourMs = 60 * 60 * 1000;

const links = { day: '/assets/0/url', half: '/assets/1/url', direct: '/response/videos/0/gcsUri' };
const unopenedLink = '/assets/2/url';

const file = outcomesModelWith({ media_type: 'image/png' });
const hosted = outcomesModelWith({
  assets: ['hosted_24h', 'hosted_12h', 'hosted_24h', 'direct_write'].map((hosting) => ({ hosting })),
});

/** All rules of the family share this sequence of 25 hours, so that the target's clock passes it only once. */
const day = scenario({ cost: 'hooked', requires: hook('outcomes', 'assets', 'clock') }, async (server) => {
  const { listModels, run, submit, must, pass, newKey, text, values } = server;
  const kept = outcomesModelWith({ outcome: 'echo', note: values.text('kept') });
  const queued = outcomesModelWith({ note: values.text('queued') });
  const accepted = outcomesModelWith({ outcome: 'deadline_exceeded', delay_ms: values.ms(1_000) });
  const keys = {
    kept: { key: newKey('day-kept') },
    hosted: { key: newKey('day-hosted') },
    queued: { key: newKey('day-queued') },
    file: { key: newKey('day-file') },
    accepted: { key: newKey('day-accepted') },
  };
  const page = await listModels('?limit=1');
  const cursor = encodeText(text(page, '/next_cursor'));
  const first = {
    kept: await must(run(kept, keys.kept), 200),
    hosted: await must(run(hosted, keys.hosted), 200),
    queued: await must(submit(queued, keys.queued), 201),
    file: await must(run(file, keys.file), 200),
    accepted: await must(run(accepted, keys.accepted), 504),
  };
  const open = (pointer: string) => openLink(server, first.hosted, pointer);
  const openAll = async () => ({
    day: await open(links.day),
    half: await open(links.half),
    direct: await open(links.direct),
  });

  const atFirst = await openAll();
  await pass(11 * hourMs);
  const after11h = await openAll();
  await pass(2 * hourMs);
  const after13h = await openAll();
  const hostedAgain = await run(hosted, keys.hosted);
  const halfReplayed = await openLink(server, hostedAgain, links.half);
  await pass(10.8 * hourMs); // Twelve minutes before 24 hours have passed.
  const after23h = {
    kept: await run(kept, keys.kept),
    collected: await run(accepted, keys.accepted),
    queued: await submit(queued, keys.queued),
    file: await run(file, keys.file),
    changed: await run(outcomesModelWith({ outcome: 'echo', note: values.text('changed') }), keys.kept),
    ...(await openAll()),
  };
  await pass(1.2 * hourMs);
  const after25h = {
    kept: await run(kept, keys.kept),
    hosted: await run(outcomesModelWith({ note: values.text('another body') }), keys.hosted),
    accepted: await run(accepted, keys.accepted),
    queued: await submit(queued, keys.queued),
    ...(await openAll()),
    unopened: await open(unopenedLink),
    page: await listModels(`?limit=1&cursor=${cursor}`),
  };
  return { page, first, atFirst, after11h, after13h, hostedAgain, halfReplayed, after23h, after25h };
});

function expectExpired(...links: readonly OpenedLink[]): readonly Finding[] {
  return expect.on(
    links.map(({ opened }) => opened),
    expect.clientError,
  );
}

export const retentionRules = [
  moneyRule('retention.key.replays-within-24-hours', day, {
    sentence:
      'For 24 hours, a repeated call with the same idempotency key gets the first response, and one with a different body gets a conflict.',
    requirements: ['MR-IDM-16', 'MR-IDM-46', 'MR-IDM-54', 'MR-SUB-12'],
    partReading: 'OP-109',
    check: ({ after23h, first }) => [
      ...expect.on(after23h.kept, expect.status(200, expect.replay, expect.sameValue(first.kept))),
      ...expect.on(after23h.file, expect.withReading('OP-109', expect.status(200, expect.replay))),
      ...expect.on(after23h.queued, expect.status([200, 201], expect.replay)),
      ...expect.on(after23h.collected, expect.status(200, expect.replay)),
      ...expect.on(after23h.changed, expect.conflict),
    ],
  }),
  rule('retention.key.expires-24-hours-after-the-first-call', day, {
    sentence: 'A key can be used again 24 hours after its first call, even if the call has been repeated since.',
    requirements: ['MR-IDM-46', 'MR-IDM-47', 'MR-IDM-48', 'MR-IDM-49', 'MR-IDM-54', 'MR-HDR-14'],
    needs: ['retention.key.replays-within-24-hours'],
    // The repeated calls two hours earlier must not extend the time for which a key is stored.
    check: ({ after25h: { kept, queued, accepted } }) => [
      ...expect.on(kept, expect.status(200), expect.noReplay),
      ...expect.on(queued, expect.status(201), expect.noReplay),
      ...expect.on(accepted, expect.error(504, 'deadline_exceeded')),
    ],
  }),
  rule('retention.key.conflicts-no-more-after-24-hours', day, {
    sentence: 'After 24 hours, an idempotency key can be used with a different body.',
    requirements: ['MR-IDM-48', 'MR-IDM-49'],
    check: ({ after25h }) => expect.on(after25h.hosted, expect.status(200), expect.noReplay),
  }),
  rule('retention.assets.open-while-they-live', day, {
    sentence: 'Hosted assets can be opened until their URLs expire.',
    requirements: ['MR-AST-02', 'MR-AST-24'],
    // Copied links are valid for "at most" a day; only the direct link must be valid for the whole day.
    check: ({ atFirst, after23h }) =>
      [atFirst.day, atFirst.half, atFirst.direct, after23h.direct].flatMap((link) => expectOpen(link)),
  }),
  accessRule('retention.assets.expire', day, {
    sentence: 'Asset URLs expire after 24 hours, or after 12 for some providers, even if they were never opened.',
    requirements: ['MR-AST-06', 'MR-AST-09', 'MR-AST-11', 'MR-AST-14', 'MR-AST-15', 'MR-AST-24'],
    check: ({ after13h, after25h }) => expectExpired(after13h.half, after25h.day, after25h.direct, after25h.unopened),
  }),
  accessRule('retention.assets.replay-renews-nothing', day, {
    sentence: 'A replay does not extend the validity of asset URLs.',
    requirements: ['MR-AST-17'],
    check: ({ hostedAgain, halfReplayed }) =>
      isReplay(hostedAgain) ? expectExpired(halfReplayed) : notApplicable('the result was not replayed'),
  }),
  rule('retention.cursor.expired-is-refused', day, {
    sentence: 'An expired cursor is rejected with 400 invalid_input.',
    requirements: ['MR-CAT-51', 'MR-CAT-09', 'MR-CAT-52', 'MR-CTG-02'],
    check: ({ page, after25h }) => {
      const next = after25h.page;
      const [before, now] = [page, next].map((one) => readMember(one, '/data'));
      // A cursor may be valid for more than a day, but must not return the first page.
      return next.status === 200 && !isDeepStrictEqual(before, now)
        ? observed('a cursor still works after 25 hours')
        : expect.on(next, expect.error(400, 'invalid_input'));
    },
  }),
];
