import { readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, sandboxCredentials, sandboxJobs } from '../../sandbox/src/index.ts';
import { folderForFile, runCommand, serveForTest } from '../tests/run-command.ts';
import { serveSandbox } from '../tests/with-sandbox.ts';

const { router, workflow } = sandboxCredentials;
const env = { SWITCHYARD_API_KEY: router.main, NEIGHBOUR: router.neighbour, JOBS_TOKEN: workflow.main };
const folder = folderForFile();
let sandbox: Sandbox;
let url = '';

beforeAll(async () => {
  const served = await serveSandbox();
  ({ sandbox, url } = served);
  const secret = `process.stdout.write(${JSON.stringify(router.colleague)})`;
  writeFileSync(join(folder, 'print.mjs'), secret);
  const conform = {
    jobs: { api: sandboxJobs.api },
    live: {
      credentials: {
        router: {
          neighbour: 'env:NEIGHBOUR',
          colleague: `command:${process.execPath} print.mjs`,
          noAccess: 'env:UNSET',
        },
        workflow: { main: 'env:JOBS_TOKEN' },
      },
      workflowAuthentication: 'required',
      models: [{ id: 'image-provider/still-2.1', input: { prompt: 'A quay' }, maxCostCents: 4 }],
    },
  };
  writeFileSync(join(folder, 'switchyard.config.mjs'), `export default ${JSON.stringify({ conform })};`);
  return served.close;
});

const conform = (line: string, more: Readonly<Record<string, string>> = {}) =>
  runCommand(['conform', '--out', 'out', ...line.split(' ')], folder, { ...env, ...more });

describe('a live target', () => {
  test('a plan shows how a budget would be spent, without starting a run', async () => {
    const { code, out } = await conform(`--router-url ${url} --budget 5 --plan --rule run.retry.**`);
    expect(code).toBe(0);
    expect(out).toContain(
      'run image-provider/still-2.1  run.retry.is-answered-again: 1 to run, 3 to be rejected or replayed',
    );
    expect(out).toContain('with --budget 5, the check requests at most 5 runs, for 20 cents at most');
    expect(sandbox.ledger().runs).toEqual([]);
  });

  test('a plan reserves no runs for rejected calls if it contains none', async () => {
    const { out } = await conform(`--router-url ${url} --plan --rule run.result.comes-in-the-same-answer`);
    expect(out).toMatch(/a conforming server starts (\d+) runs?\n--budget \1 is enough for all of them\n/);
  });

  test('a plan shows which calls a small budget does not cover', async () => {
    const { out } = await conform(`--router-url ${url} --budget 2 --plan --rule run.retry.**`);
    const lines = out.split('\n').filter((line) => line.startsWith('run '));
    const isLeftOut = lines.map((line) => line.endsWith('not sent: beyond the budget'));
    expect(isLeftOut.slice(0, 1)).toEqual([false]);
    expect(isLeftOut).toContain(true);
    // Calls are sent in this order, so all calls within the budget come before those beyond it.
    expect(isLeftOut).toEqual(isLeftOut.toSorted());
  });

  test('a plan without configured models shows how to configure them', async () => {
    writeFileSync(join(folder, 'no-models.mjs'), 'export default {};');
    const { code, out } = await conform(`--config ./no-models.mjs --router-url ${url} --plan --rule run.retry.**`);
    expect(code).toBe(0);
    expect(out).toContain('conform.live.models lists no models, and only listed models may run.');
    expect(out).toContain('{ id: "image-provider/still-2.1", input: {');
    expect(out).toContain('then run --plan again');
  });

  test.each([
    { name: 'JSON text', written: '{ "prompt": "A quay", "seed": 7 }' },
    { name: 'a file', written: 'file:quay.json' },
  ])('sends an input given as $name unchanged to a live target', async ({ written }) => {
    const text = '{ "prompt": "A quay", "seed": 7 }';
    writeFileSync(join(folder, 'quay.json'), text);
    const live = { models: [{ id: 'image-provider/still-2.1', input: written }] };
    writeFileSync(join(folder, 'written.mjs'), `export default ${JSON.stringify({ conform: { live } })};`);
    const rule = 'run.result.comes-in-the-same-answer';
    const { code } = await conform(`--config ./written.mjs --router-url ${url} --budget 1 --verbose --rule ${rule}`);
    expect(code).toBe(0);
    const [sent] = JSON.parse(readFileSync(join(folder, 'out', 'exchanges', `${rule}.json`), 'utf8'));
    expect(sent.request.body.text).toBe(text);
  });

  test.each([
    { name: 'a list', written: 'file:list.json', want: 'is not a JSON object' },
    { name: 'text other than JSON', written: '{ "prompt": ', want: 'is not valid JSON' },
  ])('rejects an input of a live target that contains $name', async ({ written, want }) => {
    writeFileSync(join(folder, 'list.json'), '[]');
    const live = { models: [{ id: 'image-provider/still-2.1', input: written }] };
    writeFileSync(join(folder, 'written.mjs'), `export default ${JSON.stringify({ conform: { live } })};`);
    const { code, err } = await conform(`--config ./written.mjs --router-url ${url} --budget 1`);
    expect(code).toBe(2);
    expect(err).toContain(`conform.live.models: the input of image-provider/still-2.1 ${want}`);
  });

  test('a live check starts at most the budgeted runs, records each one before sending it, and writes no secret to a file', async () => {
    const rules = 'run.retry.is-* run.retry.never-* run.retry.rejection-* workflow.none.*';
    const before = sandbox.ledger();
    const { code, out, err } = await conform(
      `--router-url ${url} --workflow-url ${url} --budget 2 --min-checked 100 --verbose --rule ${rules}`,
    );
    // The budget is too small for all rules.
    expect(code).toBe(4);
    const files = ['result.json', 'junit.xml', 'runs.jsonl'].map((name) =>
      readFileSync(join(folder, 'out', name), 'utf8'),
    );
    const notes = (files[2] ?? '')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const after = sandbox.ledger();
    const keyed = after.keys.slice(before.keys.length).map(({ key }) => key);
    expect(after.runs.length - before.runs.length).toBe(2);
    expect(keyed.filter((key) => !notes.some((note) => note.key === key && note.state === 'reserved'))).toEqual([]);
    const secrets = [...Object.values(router), workflow.main];
    const said = [...files, out, err].join('\n');
    expect(secrets.filter((secret) => said.includes(secret))).toEqual([]);
    expect(err).toContain('conform.live.credentials.router.noAccess is ignored, because env:UNSET is not set');
    expect(out).toMatch(/checked \d+ of \d+ rules/);
    expect(out).toContain('budget: 2 of 2 runs used, 8 cents at most');
    expect(err).toMatch(/incomplete: \d+ % of the rules were checked, but --min-checked requires 100 %/);
  }, 60_000);

  test('a live check can be compared with an earlier one, is summarised for GitHub, and enforces --min-checked', async () => {
    const given = `--router-url ${url} --workflow-url ${url} --rule catalog.list.* workflow.**`;
    const earlier = await conform(given);
    const summary = join(folder, 'summary.md');
    const again = (more: string) => conform(`${given} --out again ${more}`, { GITHUB_STEP_SUMMARY: summary });
    const compared = await again('--compare out/result.json');
    expect([earlier.code, compared.code]).toEqual([0, 0]);
    expect(compared.out).toContain('since the earlier check: 0 new, 0 fixed, 0 lasting');
    expect(readFileSync(summary, 'utf8')).toMatch(/^## /);
    expect((await again('--min-checked 100')).code).toBe(4);
  }, 60_000);

  test('a live check sends no gateway header to test hooks over plain http', async () => {
    writeFileSync(join(folder, 'gate.mjs'), `export default { http: { headers: { 'X-Gate': 'env:NEIGHBOUR' } } };`);
    const { code, err } = await conform(`--router-url ${url} --config ./gate.mjs --hooks http://staging.example/hooks`);
    expect([code, err]).toEqual([2, expect.stringContaining('plain http on a public host')]);
  });

  test('reports a glob of --models that matches no model of the live target', async () => {
    const { code, err } = await conform(`--router-url ${url} --rule catalog.list.* --models none/*`);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/none of the \d+ models in the catalog matches --models "none\/\*"/),
    ]);
  });

  test('reports in one line, before any rule runs, that a live target is behind a login page', async () => {
    const page: RequestListener = (_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<form>');
    const { code, out } = await conform(`--router-url ${await serveForTest(page)}`);
    expect([code, out.trim().split('\n').length]).toEqual([3, 1]);
    expect(out).toContain('the login page of a proxy');
  });

  test.each([
    [
      'a secret in the configuration itself',
      { credentials: { router: { colleague: 'sk-secret' } } },
      {},
      'a configuration must not contain secrets',
    ],
    ['a program that does not exist', {}, { 'X-Gate': 'command:no-such-program sk-secret' }, 'was not found'],
    ['a program that fails', {}, { 'X-Gate': `command:${process.execPath} none.mjs` }, 'failed with 1'],
    ['a variable that is not set', {}, { 'X-Gate': 'env:UNSET' }, 'x-gate: the environment variable UNSET is not set'],
    ['a header that rules set', {}, { Authorization: 'Basic x' }, '"Authorization" cannot be added'],
    ['a budget without models', { budget: 3 }, {}, 'conform: { live: { models: ['],
    ['a model twice', { models: [1, 2].map(() => ({ id: 'a/b', input: {} })) }, {}, 'lists a/b twice'],
    [
      'a model that does not exist at the target',
      { budget: 1, models: [{ id: 'image-provider/still-9', input: {} }] },
      {},
      'conform.live.models lists "image-provider/still-9", but the target has no such model. GET http://127.0.0.1',
    ],
    ['an unknown member', { models: [{ id: 'a/b', input: {}, price: 3 }] }, {}, 'price'],
  ])('rejects %s in the settings of a live target', async (_, live, headers, want) => {
    const file = `wrong-${want.replaceAll(/\W/g, '')}.mjs`;
    writeFileSync(join(folder, file), `export default ${JSON.stringify({ http: { headers }, conform: { live } })};`);
    const { code, out, err } = await conform(`--router-url ${url} --config ./${file}`);
    expect([code, err]).toEqual([2, expect.stringContaining(want)]);
    expect(`${out}${err}`).not.toContain('sk-secret');
  });

  test.each(['--target sandbox --budget 3', '--target mock --plan'])(
    'rejects %s, because only a live target has a budget or a plan',
    async (line) => {
      const { code, err } = await conform(line);
      expect([code, err]).toEqual([2, expect.stringContaining('is only for a live target')]);
    },
  );

  test('a live check can get the credential for its test hooks from a program', async () => {
    const seen = new Set<string | undefined>();
    const hooks = await serveForTest((request, response) => {
      seen.add(request.headers.authorization);
      response.writeHead(404).end();
    });
    const program = join(folder, 'print.mjs');
    const { code, out } = await runWith(['--router-url', url, '--hooks', hooks, '--rule', 'catalog.list.*'], program);
    expect([code, out, [...seen]]).toEqual([
      3,
      expect.stringContaining('returned 404'),
      [`Bearer ${router.colleague}`],
    ]);
    expect(out).not.toContain(router.colleague);
  });
});

function runWith(args: readonly string[], program: string) {
  const credential = ['--hooks-credential', `command:${process.execPath} ${program}`];
  return runCommand(['conform', '--out', 'out', ...args, ...credential], folder, env);
}
