import { describe, expect, test } from 'vitest';
import { type Sandbox, sandboxCredentials } from '../../sandbox/src/index.ts';
import type { JsonObject } from '../../specs/src/index.ts';
import { type ConformanceReport, exitCodeOf, type Handle, type Target } from '../src/index.ts';
import { catalog, checkSandbox, targetAt } from './sandbox-under-test.ts';

// Checks conforming servers with different catalogs, workflow graphs and deployments. No rule may fail.
const url = 'http://sandbox.test';

type Server = Omit<Parameters<typeof checkSandbox>[0], 'evidence'>;

async function check({ target = (own) => own, ...server }: Server): Promise<ConformanceReport> {
  const { report } = await checkSandbox({
    ...server,
    target: (own, sandbox) => {
      const { graphs: _, ...workflow } = own.workflow ?? { url, credentials: {}, jobs: {} };
      return target({ ...own, workflow, readings: {} }, sandbox);
    },
  });
  return report;
}

function listProblems({ results, missingRequired, shortfalls }: ConformanceReport): readonly unknown[] {
  const wrong = results.filter(({ outcome }) => outcome.kind === 'failed' || outcome.kind === 'errored');
  return [...wrong.map(({ ruleId, outcome }) => [ruleId, outcome]), ...missingRequired, ...shortfalls];
}

describe('a catalog', () => {
  const only = (...ids: readonly string[]) => ({ catalog: catalog.filter(({ id }) => ids.includes(id)) });
  const text = new TextDecoder();
  /** Models whose inputs have lists of objects instead of lists of strings. */
  const objectModels = catalog.slice(0, 3).map((model) => ({
    ...model,
    bytes: new TextEncoder().encode(
      text
        .decode(model.bytes)
        .replaceAll(
          /"items":\{"type":"string"[^{}]*\}/g,
          '"items":{"type":"object","properties":{"text":{"type":"string"}}}',
        ),
    ),
  }));
  test.each<{ name: string; options: NonNullable<Server['options']> }>([
    { name: 'one model', options: only('image-provider/still-2.1') },
    { name: 'no outcome model', options: { catalog: catalog.filter(({ id }) => !id.startsWith('sandbox')) } },
    { name: 'inputs that contain lists of objects', options: { catalog: objectModels } },
  ])('a catalog with $name does not make the check incomplete', async ({ options }) => {
    const report = await check({ options });
    expect(listProblems(report)).toEqual([]);
    expect(exitCodeOf(report)).toBe(0);
  });

  test.each([
    { name: 'no model', ids: [], want: 'the catalog lists no models' },
    { name: 'one model, which only few rules apply to', ids: ['audio-provider/speech_v2'], want: 'were decided' },
  ])('a check of a catalog with $name fails no rule and is incomplete', async ({ ids, want }) => {
    const report = await check({ options: only(...ids) });
    expect(report.counts.failed).toBe(0);
    expect(exitCodeOf(report)).toBe(4);
    expect(report.shortfalls.join()).toContain(want);
  });

  test('selected rules can pass on a catalog without models', async () => {
    const report = await check({ options: { catalog: [] }, rules: ['catalog.limit.*'] });
    expect(listProblems(report)).toEqual([]);
    expect(exitCodeOf(report)).toBe(0);
  });
});

describe('a workflow API', () => {
  const rules = ['workflow.*', 'passive.workflow.*'];
  const node = { class_type: 'MidiNoteToAudio', inputs: { note: 60, size: ['1024', 2] } };
  const graphs: Readonly<Record<string, { pinned: JsonObject; executed: JsonObject }>> = {
    'a note without a position': {
      pinned: {
        nodes: [
          { id: 1, type: 'Sampler', pos: { '0': 4, '1': 8 } },
          { id: 2, type: 'Note' },
        ],
        version: 1,
      },
      executed: { '1': { class_type: 'Sampler', inputs: {} }, meta: { class: 'none' } },
    },
    'node classes with names similar to Note': {
      pinned: { nodes: [{ id: 1, type: 'MidiNoteToAudio', pos: [0, 0] }], links: [] },
      executed: {
        '1': node,
        '12:3': { class_type: 'NoteSequence', _meta: { title: 'Note' } },
        '4': { class_type: 'ForgetNode' },
      },
    },
    'no members': { pinned: {}, executed: {} },
    'nodes without classes and positions': {
      pinned: { nodes: [{ id: 1, type: 'Sampler' }] },
      executed: { '1': { type: 'Sampler', wires: [] } },
    },
    'members of a different editor': {
      pinned: { version: 2, canvas: [] },
      executed: { '1': { class_type: 'A' }, list: [1] },
    },
  };

  async function withJobs(
    target: Target,
    sandbox: Sandbox,
    given: { pinned: JsonObject; executed: JsonObject },
  ): Promise<Target> {
    const added = async (body: JsonObject): Promise<string> => {
      const response = await sandbox.fetch(`${url}/__sandbox/jobs`, { method: 'POST', body: JSON.stringify(body) });
      const { id }: { id?: unknown } = Object(await response.json());
      return String(id);
    };
    const jobs = { save: await added(given), api: await added({ executed: given.executed }) };
    return { ...target, workflow: { url, credentials: {}, ...target.workflow, jobs } };
  }

  test.each(Object.entries(graphs))('no rule rejects a workflow graph with %s', async (_, given) => {
    const report = await check({ rules, target: (own, sandbox) => withJobs(own, sandbox, given) });
    expect(report.results.filter(({ outcome }) => outcome.kind === 'failed')).toEqual([]);
    expect(report.counts.errored).toBe(0);
  });

  test.each(['none', 'optional', 'static'] as const)(
    'no rule fails for a server whose workflow API has the authentication mode %s',
    async (workflowAuth) => {
      const credentials = workflowAuth === 'static' ? { main: sandboxCredentials.workflow.static } : {};
      const report = await check({
        rules,
        options: { workflowAuth },
        target: ({ workflow, ...own }) => ({ ...own, workflow: { url, jobs: {}, ...workflow, credentials } }),
      });
      expect(report.results.filter(({ outcome }) => outcome.kind === 'failed')).toEqual([]);
      expect(report.counts.errored).toBe(0);
    },
  );
});

test.each([
  { name: 'contain a random call id', kind: 'passed', trace: () => crypto.randomUUID() },
  { name: 'reveal whose job it is', kind: 'failed', trace: (own: boolean) => (own ? 'yours' : 'not yours') },
] as const)('the rule that rate limits reveal no job is $kind if their responses $name', async ({ kind, trace }) => {
  const ruleId = 'workflow.rate-limit.reveals-no-job';
  const around =
    (handle: Handle): Handle =>
    async (request) => {
      const reply = await handle(request);
      if (reply.status !== 429) return reply;
      const own = request.target.includes(targetAt(url).workflow?.jobs.api ?? 'none');
      const body = { error: { code: 'rate_limited', message: 'Too many calls.', trace: trace(own) } };
      return { ...reply, body: new TextEncoder().encode(JSON.stringify(body)) };
    };
  const { results } = await check({ around, rules: [ruleId] });
  expect(results.find((one) => one.ruleId === ruleId)?.outcome.kind).toBe(kind);
});

test('a check without a budget detects reads that accept any API key', async () => {
  const { main } = sandboxCredentials.router;
  const around =
    (handle: Handle): Handle =>
    (request) => {
      const isOpen = request.method === 'GET' && request.headers['x-api-key'] !== undefined;
      return handle(isOpen ? { ...request, headers: { ...request.headers, 'x-api-key': main } } : request);
    };
  const target = { kind: 'live', router: { url, credentials: { main } } } as const;
  const report = await check({ around, target: () => target, rules: ['authentication.wrong.**'] });
  const failed = report.results.filter(({ outcome }) => outcome.kind === 'failed').map(({ ruleId }) => ruleId);
  expect(failed).toContain('authentication.wrong.is-refused.key');
  expect(report.budget?.calls).toEqual([]);
});

test('a check does not read a schema document on another host', async () => {
  const paths: string[] = [];
  const around =
    (handle: Handle): Handle =>
    async (request) => {
      paths.push(request.target);
      return handle(request);
    };
  const report = await check({ around, options: { variants: ['model.schema-url.present'] }, rules: ['model.*'] });
  expect(report.results.filter(({ outcome }) => outcome.kind === 'failed')).toEqual([]);
  expect(paths.filter((path) => path.includes('version=4'))).toEqual([]);
});

test('a check retries a read that returns 503, lists the retry, and completes', async () => {
  const report = await check({ options: { variants: ['transient.first-read'] } });
  expect(listProblems(report)).toEqual([]);
  expect(report.transient).toEqual([{ request: `GET ${url}/v2/models?limit=1`, status: 503, times: 1 }]);
});

test.each([
  { who: 'noAccess', kind: 'passed' },
  { who: 'main', kind: 'not-applicable' },
] as const)(
  'rules about reads without access are $kind if the credential noAccess is the credential of $who',
  async ({ who, kind }) => {
    const names = ['list', 'read', 'schema-document', 'collect', 'status', 'cancel'];
    const rules = names.map((name) => `authentication.no-access.is-forbidden.${name}`);
    const { router } = sandboxCredentials;
    const credentials = { main: router.main, noAccess: router[who] };
    const report = await check({ rules, target: () => ({ kind: 'live', router: { url, credentials } }) });
    expect(report.results.map(({ outcome }) => outcome.kind)).toEqual(names.map(() => kind));
  },
);

test('slow replies do not make the rule about committed spend fail', async () => {
  const rules = ['quotas.spend.is-reserved-while-a-call-runs'];
  const kinds: string[] = [];
  for (const earlier of [0, 1, 2, 3, 4, 5, 6]) {
    let calls = 0;
    const around =
      (handle: Handle): Handle =>
      async (request) => {
        calls += 1;
        if (calls === 1) for (let count = 0; count < earlier; count += 1) await handle(request);
        return handle(request);
      };
    const report = await check({ around, rules, options: { variants: ['time.slow-now-and-then'] } });
    kinds.push(report.results.at(0)?.outcome.kind ?? 'none');
  }
  expect(kinds).toEqual(kinds.map(() => 'passed'));
});
