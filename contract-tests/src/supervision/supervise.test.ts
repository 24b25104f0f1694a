import http from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildEffectiveSpecs, defaultSpecSettings, type EffectiveSpecs } from '../../../specs/src/index.ts';
import type { Target } from '../definitions/target.ts';
import { exitCodeOf, reasonOf } from '../report/report.ts';
import { superviseRun } from './supervise.ts';

const rules = new URL('./fixtures/hanging-rules.ts', import.meta.url).href;
const asked: string[] = [];
let catalog = '{"data":[]}';
let poisonous = '';
const server = http.createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`);
  request.resume();
  const isPoisonous = request.url === '/v2/models/a/b/openapi.json' || request.url === poisonous;
  response.end(isPoisonous ? '{"poisonous":1}' : catalog);
});
let specs: EffectiveSpecs;
let target: Target;
beforeAll(async () => {
  specs = await buildEffectiveSpecs(defaultSpecSettings);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  target = {
    kind: 'sandbox',
    router: { url: `http://127.0.0.1:${address.port}`, credentials: { main: 'sk-main-secret' } },
    capabilities: ['state'],
  };
});
afterAll(() => server.close());

async function run(chosen: readonly string[], limits: { ruleMs?: number; runMs?: number }) {
  asked.length = 0;
  const startedAtMs = Date.now();
  const report = await superviseRun({ target, specs, rules: chosen, limits: { requestMs: 2_000, ...limits } }, rules);
  const outcomes = Object.fromEntries(report.results.map(({ ruleId, outcome }) => [ruleId, outcome]));
  const text = (id: string) => `${outcomes[id]?.kind}: ${outcomes[id] === undefined ? '' : reasonOf(outcomes[id])}`;
  return { report, text, tookMs: Date.now() - startedAtMs };
}
const timesAsked = (line: string) => asked.filter((one) => one === line).length;

const stopped = 'errored: took more than 1 s of computing, and was stopped';

test('names each rule that hangs, decides all others, and sends nothing twice that may be billed', async () => {
  const { report, text } = await run(['a.*', 'w.*'], { ruleMs: 1_000 });
  for (const id of ['a.hangs', 'a.hangs-before-its-probe', 'w.hangs']) expect(text(id)).toBe(stopped);
  expect(text('a.needs')).toBe('blocked: needs a.hangs');
  for (const id of ['a.first', 'a.shares', 'a.last']) expect(text(id)).toBe('passed: ');
  expect(timesAsked('POST /billed')).toBe(1);
  // What an ended process had seen belongs to the run.
  expect(text('w.counts')).toMatch(/^observed: .*\/billed,.*\/a.last/);
  expect(exitCodeOf(report)).toBe(3);
}, 60_000);

test('sends no probe again that may be billed and was under way', async () => {
  const { text } = await run(['b.*'], { ruleMs: 1_000 });
  expect(text('b.hangs-in-its-probe')).toBe(stopped);
  expect(text('b.shares-it')).toContain('setup-failed: its requests were under way when another rule hung');
  expect(timesAsked('POST /cut-off')).toBe(1);
});

test('treats memory that runs out like a rule that hangs', async () => {
  const { text } = await run(['m.*'], { ruleMs: 5_000 });
  for (const id of ['m.uses-up', 'm.uses-up-at-once'])
    expect(text(id)).toMatch(/^errored: (?:broke its process: .*memory|ran out of memory|took more than 5 s)/);
  expect(text('m.last')).toBe('passed: ');
}, 60_000);

test('leaves out an answer of discovery that is never read to its end', async () => {
  catalog = '{"data":[{"id":"a/b"}]}';
  const { report, text } = await run(['a.last'], { ruleMs: 1_000 });
  expect(report.discovery.problems[0]).toBe(
    'GET /v2/models/a/b/openapi.json took more than 1 s of computing, and was stopped',
  );
  expect(text('a.last')).toBe('passed: ');
});

test('leaves a clock alone whose time is never read to its end', async () => {
  poisonous = '/__sandbox/clock/advance';
  expect((await run(['a.last'], { ruleMs: 1_000 })).text('a.last')).toBe('passed: ');
  poisonous = '';
});

test('ends at the deadline of the run and reports what is known until then', async () => {
  catalog = '{"data":[]}';
  const { report, text, tookMs } = await run(['a.first', 'a.hangs', 'a.last'], { runMs: 2_000 });
  expect(tookMs).toBeLessThan(6_000);
  expect(text('a.first')).toBe('passed: ');
  expect(text('a.hangs')).toBe('setup-failed: the deadline of the whole run had passed');
  expect(exitCodeOf(report)).toBe(0);
});

test('refuses a pattern without a rule, and rules that cannot be loaded', async () => {
  await expect(run(['c.*'], {})).rejects.toThrow('no rule matches "c.*"');
  await expect(superviseRun({ target, specs }, 'file:///none.ts')).rejects.toThrow('broke its process');
});
