import { expect, test } from 'vitest';
import { buildEffectiveSpecs } from '../../../specs/src/index.ts';
import { exitCodeOf, httpPorts, runConformance } from '../../src/index.ts';
import { type FrontOptions, startFront } from './front.ts';
import { liveTarget } from './live-target.ts';
import { startServer } from './start.ts';

const specs = await buildEffectiveSpecs();

/** The gate on a second server behind a proxy. */
async function checkBehind(options: FrontOptions, rules: readonly string[], runs = 40) {
  const server = await startServer();
  const front = await startFront(server.routerUrl, options);
  try {
    const { workflow: _, ...target } = liveTarget({ ...server, routerUrl: front.url }, runs);
    const report = await runConformance({ target, specs, rules }, httpPorts(target));
    const find = (kind: string) => report.results.filter(({ outcome }) => outcome.kind === kind);
    return { report, find, dispatched: server.ledger().dispatched.length, exitCode: exitCodeOf(report) };
  } finally {
    front.close();
    await server.close();
  }
}

test.concurrent('a service whose every eighth call is unavailable fails no rule, and most rules are decided', async () => {
  const rules = ['catalog.limit.*', 'run.*', 'limits.model-id.odd-ones-are-not-found.run', 'passive.*', 'trace.*'];
  const [healthy, { report, find, dispatched }] = await Promise.all([
    checkBehind({}, rules),
    checkBehind({ refuseEvery: 8 }, rules),
  ]);
  expect(find('failed')).toEqual([]);
  expect(report.transient.length).toBeGreaterThan(3);
  expect(report.counts.passed).toBeGreaterThan(healthy.report.counts.passed * 0.9);
  expect(report.budget?.used).toBeLessThanOrEqual(40);
  expect(dispatched).toBeLessThanOrEqual(report.budget?.used ?? 0);
}, 120_000);

test.concurrent("a proxy's own page for a body that is too large decides nothing", async () => {
  const { find } = await checkBehind({ largestBody: 20_000 }, ['outcomes.*.body-above-the-ceiling', 'passive.*']);
  expect(find('failed')).toEqual([]);
  const noted = find('not-applicable').filter(
    ({ outcome }) =>
      'because' in outcome && /was answered 413 by something in front of the router$/.test(outcome.because),
  );
  expect(noted.map(({ ruleId }) => ruleId)).not.toEqual([]);
}, 60_000);

test.concurrent.each([
  { gzip: 'strong-tags', fails: [] },
  { gzip: 'weak-tags', fails: ['schema-document.compressed.is-revalidated', 'passive.header.entity-tag'] },
] as const)('a proxy that compresses documents with $gzip fails $fails', async ({ gzip, fails }) => {
  const { find } = await checkBehind({ gzip }, ['schema-document.*', 'passive.*', 'trace.entity-tag.*']);
  expect(find('failed').map(({ ruleId }) => ruleId)).toEqual(fails);
});

test.concurrent('a service that is gone behind its proxy is a lost target', async () => {
  const rules = ['catalog.*', 'model.*', 'status.*', 'passive.*'];
  const { report, find, exitCode } = await checkBehind({ goneAfter: 30 }, rules);
  expect(exitCode).toBe(3);
  expect(find('failed')).toEqual([]);
  expect(report.reachability).toMatchObject({ kind: 'unreachable', because: expect.stringContaining('answered 502') });
}, 60_000);
