import { spawn } from 'node:child_process';
import http from 'node:http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { buildEffectiveSpecs, defaultSpecSettings, type EffectiveSpecs } from '../../../specs/src/index.ts';
import type { Target } from '../contract/target.ts';
import { exitCodeOf, reasonOf } from '../report/report.ts';
import { assembleReport } from './assemble-report.ts';
import { allRules } from './fixtures/hanging-rules.ts';
import type { Entry } from './record.ts';
import { superviseCheck } from './supervise.ts';

const rules = new URL('./fixtures/hanging-rules.ts', import.meta.url).href;
const asked: string[] = [];
/** The module of the rules never finishes parsing this text. */
const poisonous = '{"poisonous":1}';
const answers: Record<string, string> = {
  '/poisoned/v2/models?limit=100': '{"data":[{"id":"a/b"}]}',
  '/poisoned/v2/models/a/b/openapi.json': poisonous,
  '/poisoned/__sandbox/clock/advance': poisonous,
};
const server = http.createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`);
  request.resume();
  if (request.url === '/queue/v2/models/a/b/requests') response.statusCode = 201;
  response.end(answers[request.url ?? ''] ?? '{"data":[]}');
  const suspended = /\/suspended\/(\d+)$/.exec(request.url ?? '')?.[1];
  if (suspended === undefined) return;
  process.kill(Number(suspended), 'SIGSTOP');
  setTimeout(() => process.kill(Number(suspended), 'SIGCONT'), 12_000);
});
let specs: EffectiveSpecs;
let origin = '';
beforeAll(async () => {
  specs = await buildEffectiveSpecs(defaultSpecSettings);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  origin = `http://127.0.0.1:${address.port}`;
});
afterAll(() => server.close());

function targetAt(path: string): Target {
  const router = { url: origin + path, credentials: { main: 'sk-main-secret' } };
  return { kind: 'sandbox', router, capabilities: ['state'] };
}

function liveAt(path: string): Target {
  return { ...targetAt(path), kind: 'live', budget: { runs: 3, models: [{ id: 'a/b', input: {} }] } };
}

type Limits = { readonly requestMs?: number; readonly ruleMs?: number; readonly runMs?: number };

async function check(target: Target, chosen: readonly string[], limits: Limits) {
  const input = { target, specs, rules: chosen, limits: { requestMs: 2_000, ...limits } };
  const report = assembleReport(await superviseCheck(input, rules), allRules, input);
  const texts = new Map(report.results.map(({ ruleId, outcome }) => [ruleId, `${outcome.kind}: ${reasonOf(outcome)}`]));
  return { report, text: (id: string) => texts.get(id) };
}
const timesAsked = (line: string) => asked.filter((one) => one === line).length;

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const stopped = 'errored: was stopped because it computed for more than 2 s';
const inTime = { timeout: 90_000 };

describe.concurrent('a check whose rules hang', inTime, () => {
  test('restarts a check without the rules that hang, and still decides all other rules', async () => {
    const { report, text } = await check(targetAt('/anew'), ['a.*', 'w.*'], { ruleMs: 2_000 });
    for (const id of ['a.hangs', 'a.hangs-before-its-call', 'w.hangs']) expect(text(id)).toBe(stopped);
    expect(text('a.needs')).toBe('blocked: needs a.hangs');
    for (const id of ['a.first', 'a.shares', 'a.last']) expect(text(id)).toBe('passed: ');
    // The report contains no calls of the attempts that were stopped.
    expect(timesAsked('POST /anew/billed')).toBeGreaterThan(1);
    expect(text('w.counts')?.match(/\/billed/g)).toHaveLength(1);
    expect(exitCodeOf(report)).toBe(3);
  });

  test('does not restart a check after a call that may be billed', async () => {
    const { report, text } = await check(liveAt('/ends'), ['a.*', 'w.*'], { ruleMs: 2_000 });
    expect(text('a.first')).toBe('passed: ');
    expect(text('a.hangs')).toBe(stopped);
    for (const id of ['a.shares', 'a.last', 'w.counts'])
      expect(text(id)).toBe('setup-failed: not decided: the check was stopped at a.hangs');
    expect(timesAsked('POST /ends/billed')).toBe(1);
    expect(report.budget).toMatchObject({ runs: 3, used: 1 });
    expect(exitCodeOf(report)).toBe(3);
  });

  test('stops a check that hangs in a call that may be billed', async () => {
    const { text } = await check(liveAt('/cut'), ['b.*'], { ruleMs: 2_000 });
    expect(text('b.hangs-in-its-call')).toBe(stopped);
    expect(text('b.shares-it')).toBe('setup-failed: not decided: the check was stopped at b.hangs-in-its-call');
    expect(timesAsked('POST /cut/cut-off')).toBe(1);
  });

  test('cancels the queued requests of a check when it is stopped', async () => {
    const path = '/queue/v2/models/a/b/requests';
    const url = `${origin}${path}/1`;
    answers[path] = JSON.stringify({ status_url: `${url}/status`, cancel_url: `${url}/cancel` });
    const { report } = await check(liveAt('/queue'), ['q.*'], { ruleMs: 30_000, runMs: 10_000 });
    expect(report.budget).toMatchObject({ runs: 3, used: 1 });
    expect(timesAsked(`POST ${path}`)).toBe(1);
    expect(timesAsked(`PUT ${path}/1/cancel`)).toBe(1);
  });

  test('restarts a check that runs out of memory', async () => {
    const { text } = await check(targetAt(''), ['m.*'], { ruleMs: 3_000 });
    for (const id of ['m.uses-up', 'm.uses-up-at-once'])
      expect(text(id)).toMatch(
        /^errored: (?:crashed: .*memory|crashed because it ran out of memory|was stopped because it computed for more than 3 s)/,
      );
    expect(text('m.last')).toBe('passed: ');
  });

  test('skips responses of the target whose processing never ends', async () => {
    const { report, text } = await check(targetAt('/poisoned'), ['a.last'], { ruleMs: 2_000 });
    expect(report.discovery.problems[0]).toBe(
      'GET /v2/models/a/b/openapi.json was stopped because it computed for more than 2 s',
    );
    expect(text('a.last')).toBe('passed: ');
  });

  // Windows cannot suspend a process with a signal.
  test.skipIf(process.platform === 'win32')(
    'does not stop a process that is silent because it gets no CPU time',
    async () => {
      const { text } = await check(targetAt('/busy'), ['s.*'], { requestMs: 60_000, ruleMs: 60_000 });
      expect(text('s.is-suspended')).toBe('passed: ');
    },
  );

  test('ends a check at its deadline and reports the results so far', async () => {
    // The deadline and the grace period end before the ten seconds after which a rule that hangs is stopped.
    const { report, text } = await check(targetAt(''), ['a.last', 'l.hangs'], { runMs: 6_000 });
    expect(text('a.last')).toBe('passed: ');
    expect(text('l.hangs')).toBe('setup-failed: the deadline of the whole check had passed');
    expect(report.durationMs).toBeGreaterThan(6_000);
  });

  test('ends a check on request, and reports the results so far as incomplete', async () => {
    const stopped = Promise.withResolvers<void>();
    const onEntry = ({ kind }: Entry): void => (kind === 'decided' ? stopped.resolve() : undefined);
    const input = { target: targetAt('/stopped'), specs, rules: ['a.last', 'l.hangs'] };
    const record = await superviseCheck(input, rules, { stopRequested: stopped.promise, onEntry });
    const report = assembleReport(record, allRules, input);
    expect(report.results.map(({ outcome }) => outcome.kind)).toEqual(['passed', 'setup-failed']);
    expect(report.shortfalls).toEqual(['the check was stopped by SIGINT or SIGTERM']);
    expect(exitCodeOf(report)).toBe(4);
  });

  test('the process of a check exits when its parent process exits', async () => {
    const script = `
      const { superviseCheck } = await import(${JSON.stringify(import.meta.resolve('./supervise.ts'))});
      const specs = await import(${JSON.stringify(import.meta.resolve('../../../specs/src/index.ts'))});
      const input = { target: ${JSON.stringify(targetAt(''))}, rules: ['p.*'] };
      await superviseCheck({ ...input, specs: await specs.buildEffectiveSpecs(specs.defaultSpecSettings) }, ${JSON.stringify(rules)});`;
    const watcher = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
    await vi.waitUntil(() => asked.some((line) => line.startsWith('GET /pid/')), { timeout: 30_000 });
    const pid = Number(asked.find((line) => line.startsWith('GET /pid/'))?.slice('GET /pid/'.length));
    expect(isRunning(pid)).toBe(true);
    watcher.kill('SIGKILL');
    await vi.waitUntil(() => !isRunning(pid), { timeout: 10_000 });
  });

  test('rejects a pattern that matches no rule, and a module without rules', async () => {
    await expect(check(targetAt(''), ['c.*'], {})).rejects.toThrow('no rule matches "c.*"');
    await expect(superviseCheck({ target: targetAt(''), specs }, 'file:///none.ts')).rejects.toThrow('crashed');
  });
});
