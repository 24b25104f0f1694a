import { beforeAll, describe, expect, test } from 'vitest';
import { buildEffectiveSpecs, defaultSpecSettings, type EffectiveSpecs } from '../../specs/src/index.ts';
import { runConformance } from './conform.ts';
import { SetupFailure } from './contract/endings.ts';
import { readHeader } from './contract/evidence.ts';
import type { Ports, WireRequest, WireResponse } from './contract/exchange.ts';
import { type CheckResult, excerpt } from './contract/finding.ts';
import { get } from './contract/requests.ts';
import { type Rule, rule as scenarioRule } from './contract/rule.ts';
import { type Answer, type FreeContext, scenario } from './contract/scenario.ts';
import type { Target } from './contract/target.ts';
import { type ReportFormat, reportFormats } from './report/formats.ts';
import { renderFiles } from './report/render-files.ts';
import { renderAnnotations } from './report/render-markdown.ts';
import { renderText } from './report/render-text.ts';
import { exitCodeOf, reasonOf } from './report/report.ts';
import { on, status } from './rules/expect.ts';

let specs: EffectiveSpecs;
beforeAll(async () => {
  specs = await buildEffectiveSpecs(defaultSpecSettings);
});

const target: Target = {
  kind: 'sandbox',
  router: { url: 'http://router.test', credentials: { main: 'sk-main-secret', neighbour: 'sk-neighbour-secret' } },
};
const secret = 'sk-main-secret';

type Responding = (request: WireRequest, path: string) => Partial<WireResponse> | 'hang' | 'refuse';

/** A target in memory with its own clock, so that a hanging response takes no real time. */
function scripted(responding: Responding): { ports: Ports; sent: WireRequest[] } {
  const sent: WireRequest[] = [];
  let nowMs = 0;
  const clock = {
    now: () => nowMs,
    sleep: (ms: number) => {
      nowMs += ms;
      return Promise.resolve();
    },
  };
  const exchange: Ports['exchange'] = (request, deadlineMs) => {
    sent.push(request);
    const reply = responding(request, new URL(request.url).pathname);
    if (reply === 'hang') nowMs += deadlineMs;
    if (reply === 'hang')
      return Promise.resolve({ kind: 'no-response', because: 'timeout', detail: `${deadlineMs} ms` });
    if (reply === 'refuse') return Promise.resolve({ kind: 'no-response', because: 'refused', detail: 'closed' });
    return Promise.resolve({ kind: 'response', status: 200, headers: [], body: new Uint8Array(), ...reply });
  };
  return { ports: { exchange, clock }, sent };
}

type Answers = Readonly<Record<string, Answer>>;
type Given = {
  readonly run?: (server: FreeContext) => Promise<Answers>;
  readonly check?: (answers: Answers) => CheckResult;
  readonly needs?: readonly string[];
};

const asked = get('router', '/asked');
const expectStatus =
  (wanted: number) =>
  ({ ask }: Answers): CheckResult =>
    on(ask, status(wanted));

function rule(id: string, { run, check = expectStatus(200), needs = [] }: Given = {}): Rule {
  const ask = scenario({}, run ?? (async ({ send }) => ({ ask: await send(asked) })));
  return scenarioRule(id, ask, { sentence: 'A.', requirements: ['MR-GEN-01'], requiredOf: [], needs, check });
}

const bytes = (text: string) => new TextEncoder().encode(text);
const conformOn = (responding: Responding, ...rules: readonly Rule[]) =>
  runConformance({ target, specs }, scripted(responding).ports, rules);

describe('the outcome of a rule', () => {
  const broken: Given = {
    check: () => {
      throw new Error('a bug');
    },
  };
  const table: readonly {
    name: string;
    given: Given;
    on: Responding;
    want: string;
    exit: number;
  }[] = [
    { name: 'a correct response', given: {}, on: () => ({}), want: 'passed', exit: 0 },
    { name: 'a finding', given: {}, on: () => ({ status: 500 }), want: 'failed', exit: 1 },
    {
      name: 'an observation',
      given: { check: () => ({ kind: 'observed', observation: 'x' }) },
      on: () => ({}),
      want: 'observed',
      exit: 0,
    },
    { name: 'a rule that throws', given: broken, on: () => ({}), want: 'errored', exit: 3 },
    {
      name: 'a call without a response',
      given: {},
      on: (_, path) => (path === '/asked' ? 'hang' : {}),
      want: 'failed',
      exit: 1,
    },
    {
      name: 'a precondition with a different status',
      given: { run: async ({ must, send }) => ({ ask: await must(send(asked), 201) }) },
      on: () => ({}),
      want: 'setup-failed',
      exit: 4,
    },
    {
      name: 'a call to a URL that the target did not return',
      given: { run: async (server) => ({ ask: await server.status(await server.send(asked)) }) },
      on: () => ({}),
      want: 'setup-failed',
      exit: 4,
    },
    {
      name: 'a scenario whose model was not discovered',
      given: { run: async ({ model, authored }) => ({ ask: await model(authored) }) },
      on: () => ({}),
      want: 'setup-failed',
      exit: 4,
    },
    {
      name: 'a call with a credential that is not configured',
      given: {
        run: async ({ send }) => ({ ask: await send({ ...asked, credentials: [{ as: 'bearer', who: 'solo' }] }) }),
      },
      on: () => ({}),
      want: 'setup-failed',
      exit: 4,
    },
  ];
  test.each(table)('$name makes the rule $want and the exit code $exit', async ({ given, on, want, exit }) => {
    const report = await conformOn(on, rule('a.one', given));
    expect(report.results[0]?.outcome.kind).toBe(want);
    expect(exitCodeOf(report)).toBe(exit);
  });
});

test('blocks the rules that need a failed rule', async () => {
  const failing = rule('a.one', { check: expectStatus(204) });
  const report = await conformOn(
    () => ({}),
    failing,
    rule('a.two', { needs: ['a.one'] }),
    rule('a.three', { needs: ['a.two'] }),
  );
  expect(report.results.map(({ outcome }) => outcome)).toEqual([
    expect.objectContaining({ kind: 'failed' }),
    { kind: 'blocked', by: 'a.one' },
    { kind: 'blocked', by: 'a.two' },
  ]);
});

test('repeats a call until its condition is true, at most the specified number of times, on the clock of the engine', async () => {
  const polling = (atMost: number, mayNeverHold?: true): Given => ({
    run: async ({ repeat, send }) => {
      const repetition = { until: () => false, atMost, everyMs: 1_000, ...(mayNeverHold ? { mayNeverHold } : {}) };
      return { ask: await repeat(() => send(asked, { name: 'ask' }), repetition) };
    },
    check: ({ ask }) => ({ kind: 'observed', observation: `${ask?.attempts.length}` }),
  });
  const report = await conformOn(
    () => ({}),
    rule('a.one', polling(3)),
    rule('a.two', polling(4, true)),
    rule('a.three', polling(999, true)),
  );
  expect(report.results.map(({ outcome }) => outcome)).toEqual([
    { kind: 'setup-failed', reason: 'step "ask" did not meet its condition within 3 attempts' },
    { kind: 'observed', observation: '4' },
    { kind: 'observed', observation: '60' },
  ]);
});

describe('a target that does not respond', () => {
  const many = Array.from({ length: 50 }, (_, index) => rule(`a.rule-${index}`));
  test.each(['hang', 'refuse'] as const)(
    'reports an unreachable target and exits with 3 if nothing responds (%s)',
    async (silence) => {
      const { ports, sent } = scripted(() => silence);
      const report = await runConformance({ target, specs }, ports, many);
      expect(exitCodeOf(report)).toBe(3);
      expect(report.counts['setup-failed']).toBe(50);
      expect(sent).toHaveLength(1);
      expect(renderText(report)).toContain('cannot check the target: GET http://router.test/v2/models');
    },
  );

  test.each(['hang', 'refuse'] as const)(
    'reports a target that stops responding as lost, sends nothing more and exits with 3 (%s)',
    async (silence) => {
      let asked = 0;
      const { ports, sent } = scripted(() => {
        asked += 1;
        return asked > 10 ? silence : {};
      });
      const report = await runConformance({ target, specs }, ports, many);
      expect(exitCodeOf(report)).toBe(3);
      expect(sent.length).toBeLessThan(many.length / 2);
      expect(report.counts.passed).toBeGreaterThan(0);
      expect(report.counts['setup-failed']).toBeGreaterThan(many.length / 2);
    },
  );

  test('ends the check at its deadline when every rule hangs', async () => {
    const { ports } = scripted((_, path) => (path === '/asked' ? 'hang' : {}));
    const report = await runConformance({ target, specs, limits: { runMs: 95_000 } }, ports, many);
    expect(exitCodeOf(report)).toBe(1);
    expect(report.counts).toMatchObject({ failed: 9, 'setup-failed': 41 });
    expect(reasonOf(report.results[9]?.outcome ?? { kind: 'passed' })).toContain('cut off by the deadline');
    expect(report.durationMs).toBeLessThanOrEqual(95_000);
  });

  test('still runs rules that need no model if discovery finds none', async () => {
    const report = await conformOn(() => ({ body: bytes('<html>') }), ...many);
    expect(report.discovery.problems[0]).toContain('did not return JSON');
    expect(report.counts.passed).toBe(50);
  });
});

describe('a model of the catalog', () => {
  const describeModel = (id: string, schema: object) => ({
    openapi: '3.0.4',
    'x-service-input-schema-authored': true,
    paths: {
      [`/v2/models/${id}`]: {
        post: {
          requestBody: { content: { 'application/json': { schema } } },
          responses: { 200: { description: '', content: { 'application/json': { schema: { type: 'object' } } } } },
        },
      },
    },
  });
  const check = (schemas: Readonly<Record<string, object>>, own: Target = target) => {
    const data = Object.keys(schemas).map((id) => ({ id }));
    const { ports } = scripted((_, path) => {
      const [, id = ''] = /^\/v2\/models\/(.+)\/openapi.json$/.exec(path) ?? [];
      if (path === '/v2/models') return { body: bytes(JSON.stringify({ data, has_more: false })) };
      return schemas[id] === undefined ? {} : { body: bytes(JSON.stringify(describeModel(id, schemas[id]))) };
    });
    return runConformance({ target: own, specs }, ports, [rule('a.b')]);
  };
  const tagged = (pattern: string) => ({
    type: 'object',
    required: ['tag'],
    properties: { tag: { type: 'string', pattern } },
  });
  const impossible = { type: 'object', required: ['a'], additionalProperties: false };

  test.each([
    ['has an unnecessary escape', '^\\w+\\-\\w+$'],
    ['is for a different regex engine', '\\A[a-z]{3}\\Z'],
    ['refers to a group', '^(.)\\1$'],
  ])('checks a model if a pattern of its input %s', async (_, pattern) => {
    const report = await check({ 'p/m': tagged(pattern) });
    expect([report.discovery.models.authored, report.shortfalls, exitCodeOf(report)]).toEqual(['p/m', [], 0]);
  });

  test('makes the check incomplete if rules need a model that cannot be used', async () => {
    const report = await check({ 'p/m': impossible });
    const because = 'a model cannot be checked: p/m: no valid input could be generated from its schema';
    expect([report.shortfalls, exitCodeOf(report)]).toEqual([[expect.stringContaining(because)], 4]);
    expect(renderText(report)).toContain(`incomplete: ${because}`);
  });

  test('if a different model can replace an unusable one, it is listed as a problem, but the check stays complete', async () => {
    const report = await check({ 'p/m': impossible, 'p/n': tagged('^a') });
    expect([report.shortfalls, exitCodeOf(report)]).toEqual([[], 0]);
    expect(report.discovery.problems.join()).toContain('p/m: no valid input');
  });
});

describe('a target that echoes a credential', () => {
  const encoded = [
    secret.toUpperCase(),
    secret.replace('s', '\\u0073'),
    encodeURIComponent(secret).replace('s', '%73'),
    Buffer.from(secret).toString('hex'),
    ...['', 'u', 'us'].map((user) => btoa(`${user}:${secret}`)),
  ];
  // One excerpt for each position at which it may be cut.
  const echoes = [...encoded, ...Array.from({ length: 60 }, (_, index) => `${'x'.repeat(360 + index)} ${secret} more`)];
  const everywhere = (text: string): Rule =>
    rule(`a.echo-${echoes.indexOf(text)}`, {
      run: async ({ send }) => ({ [`ask for ${text}`]: await send(asked) }),
      check: (answers) => {
        const at = { step: `ask for ${text}`, header: text, pointer: `/${text}` };
        const actual = `${String(readHeader(answers[at.step] ?? { headers: [] }, 'x-echo'))} ${excerpt(text)}`;
        return [{ code: 'value-unexpected', expected: text, actual, at }];
      },
    });
  const failing = rule('a.setup', {
    check: () => {
      throw new SetupFailure(`got ${secret}`);
    },
  });

  test('never prints a credential in a report file or on the console', async () => {
    const report = await conformOn(
      () => ({ headers: [['x-echo', `Bearer ${secret}`]], body: bytes(JSON.stringify(echoes)) }),
      ...echoes.map(everywhere),
      failing,
    );
    const files = await renderFiles(report, target, { formats: reportFormats });
    const names = ['junit.xml', 'report.html', 'report.sarif', 'report.md', 'result.json'];
    expect(Object.keys(files).filter((name) => !name.startsWith('exchanges/'))).toEqual(names);
    expect(Object.keys(files)).toContain('exchanges/a.echo-0.json');
    const repeats = (text = ''): boolean => /ask for|x-echo/.test(text);
    expect([files['result.json'], files['report.html'], renderText(report)].every(repeats)).toBe(true);
    for (const text of [...Object.values(files), renderText(report), renderAnnotations(report)]) {
      if (repeats(text)) expect(text).toContain('[redacted]');
      for (const echo of [secret, ...encoded]) expect(text).not.toContain(echo);
      // No part of the secret either, because excerpts are redacted before they are cut.
      expect(text).not.toMatch(/sk-main/i);
    }
  });

  test('writes no report if one of its files would show a credential', async () => {
    const report = await conformOn(() => ({}), rule('a.one'));
    for (const echo of [secret, ...encoded]) {
      const leaking = { ...report, discovery: { ...report.discovery, problems: [`found ${echo}`] } };
      await expect(renderFiles(leaking, target)).rejects.toThrow('would show a credential');
    }
  });
});

test('truncates a long body in every report', async () => {
  const { ports } = scripted(() => ({ body: bytes('x'.repeat(5_000)) }));
  const report = await runConformance({ target, specs, evidence: 'all' }, ports, [rule('a.passed')]);
  const files = await renderFiles(report, target);
  expect(files['report.html']).not.toContain('x'.repeat(2_001));
  expect(files['exchanges/a.passed.json']).not.toContain('x'.repeat(2_001));
});

test('only keeps the exchanges of failed rules by default, and writes additional formats on request', async () => {
  const at = { step: 'ask' };
  const failed = rule('a.failed', {
    check: () => [{ code: 'value-unexpected', expected: '1', actual: '2', at }],
  });
  const listNames = async (evidence: 'all' | 'none' | undefined, asked: readonly ReportFormat[]) => {
    const { ports } = scripted(() => ({}));
    const input = { target, specs, ...(evidence && { evidence }) };
    const report = await runConformance(input, ports, [failed, rule('a.passed')]);
    return Object.keys(await renderFiles(report, target, { formats: asked }));
  };
  const always = ['junit.xml', 'report.html', 'result.json'];
  const fileOf = (id: string): string => `exchanges/${id}.json`;
  expect(await listNames(undefined, [])).toEqual([fileOf('a.failed'), ...always]);
  expect(await listNames('all', [])).toEqual([fileOf('a.failed'), fileOf('a.passed'), ...always]);
  expect((await listNames('none', ['markdown'])).toSorted()).toEqual([
    'junit.xml',
    'report.html',
    'report.md',
    'result.json',
  ]);
});

test('rejects a pattern that matches no rule, so that an empty check does not pass', async () => {
  const { ports } = scripted(() => ({}));
  await expect(runConformance({ target, specs, rules: ['b.*'] }, ports, [rule('a.one')])).rejects.toThrow(
    'no rule matches "b.*"',
  );
  expect(exitCodeOf(await runConformance({ target, specs }, ports, []))).toBe(4);
});
