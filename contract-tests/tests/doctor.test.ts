import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runProgram } from '../../scripts/cli/program.ts';
import { fakeIo } from '../../scripts/tests/fake-io.ts';
import { liveTarget } from './second-server/gate-run.ts';
import { startServer } from './second-server/server.ts';

// `doctor` on what conform needs, against a service that is not the sandbox.

const folder = mkdtempSync(join(tmpdir(), 'switchyard-doctor-'));
let configurations = 0;

type Found = Record<string, { status: string; message: string; help?: string }>;
async function doctor(words: readonly string[], env: Record<string, string>): Promise<{ code: number; found: Found }> {
  const io = fakeIo({ env, workingFolder: folder });
  const code = await runProgram(['doctor', '--json', ...words], io);
  const { checks } = JSON.parse(io.written.out) as { checks: { name: string; status: string; message: string }[] };
  return { code, found: Object.fromEntries(checks.map(({ name, ...check }) => [name, check])) };
}

const withoutHelp = (found: Found): string[] =>
  Object.entries(found).flatMap(([name, { status, help }]) => (status === 'ok' || help ? [] : [name]));

const second = await startServer();
afterAll(async () => {
  await second.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A configuration as an owner writes it, with secrets in variables; `change` breaks it. */
function configure(change: (config: Stated) => void = () => {}): { words: string[]; env: Record<string, string> } {
  const { router = { url: '', credentials: {} }, workflow, budget } = liveTarget(second);
  const env: Record<string, string> = {};
  const stated = (api: string, credentials: object): Record<string, string> =>
    Object.fromEntries(
      Object.entries(credentials).map(([name, value]) => {
        env[`${api}_${name}`] = value;
        return [name, `env:${api}_${name}`];
      }),
    );
  const config: Stated = {
    brand: 'Service',
    routerUrl: router.url,
    workflowUrl: workflow?.url ?? '',
    conform: {
      jobs: { ...workflow?.jobs },
      live: {
        credentials: {
          router: stated('router', router.credentials),
          workflow: stated('workflow', workflow?.credentials ?? {}),
        },
        models: structuredClone([...(budget?.models ?? [])]) as { id: string; input: object }[],
        budget: 20,
      },
    },
  };
  change(config);
  configurations += 1;
  const file = join(folder, `owner-${configurations}.config.mjs`); // a module is loaded once
  writeFileSync(file, `export default ${JSON.stringify(config)};`);
  return { words: ['--config', file], env };
}
type Stated = {
  brand: string;
  routerUrl: string;
  workflowUrl: string;
  conform: {
    jobs: Record<string, string>;
    live: {
      credentials: Record<'router' | 'workflow', Record<string, string>>;
      models: { id: string; input: object }[];
      budget: number;
    };
  };
};
const runDoctor = async (
  change?: (config: Stated) => void,
  changeEnv: (env: Record<string, string>) => void = () => {},
): Promise<{ code: number; found: Found }> => {
  const { words, env } = configure(change);
  changeEnv(env);
  return doctor(words, env);
};

test('doctor prints a line for each check, shows no credential, and passes a working configuration', async () => {
  const runs = second.dispatched.length;
  const { words, env } = configure();
  const { code, found } = await doctor(words, env);
  for (const value of Object.values(env)) expect(JSON.stringify(found)).not.toContain(value);
  expect(Object.entries(found).filter(([, { status }]) => status === 'bad' || status === 'warn')).toEqual([]);
  expect(code).toBe(0);
  const { router, workflow, budget } = liveTarget(second);
  const names = [
    ...Object.keys(router?.credentials ?? {}).map((name) => `router.${name}`),
    ...Object.keys(workflow?.credentials ?? {}).map((name) => `workflow.${name}`),
    ...Object.keys(workflow?.jobs ?? {}).map((name) => `job ${name}`),
    ...(budget?.models ?? []).map(({ id }) => `model ${id}`),
    'budget',
  ];
  for (const name of names) expect([name, found[name]?.status]).toEqual([name, 'ok']);
  expect(second.dispatched).toHaveLength(runs); // nothing was run
});

const setRouter = (name: string, value: string) => (config: Stated) => {
  config.conform.live.credentials.router[name] = value;
};
const setModels = (change: (models: Stated['conform']['live']['models']) => unknown) => (config: Stated) =>
  void change(config.conform.live.models);
const none = { id: 'maker/none', input: {} };
const misspelt = { input: { promt: 'a harbour' } };

test.each<[name: string, line: string, message: RegExp, change: (config: Stated) => void, code: number]>([
  ['a foreign credential', 'router.colleague', /returned 401/, setRouter('colleague', 'env:workflow_main'), 3],
  ['a credential twice', 'router.neighbour', /same credential as main/, setRouter('neighbour', 'env:router_main'), 2],
  ['a revoked one that works', 'router.revoked', /200, expected 401/, setRouter('revoked', 'env:router_solo'), 3],
  ['a model without an entry', 'model maker/none', /returned 404/, setModels((all) => all.push(none)), 2],
  [
    'an invalid input',
    'model image-provider/still-1.2',
    /input is invalid: .*prompt/,
    setModels((all) => Object.assign(all[0] ?? {}, misspelt)),
    2,
  ],
  ['a budget without models', 'conform', /a budget needs a list of the models/, setModels((all) => all.splice(0)), 2],
  [
    'a job of another kind',
    'job save',
    /format "api", expected the format "save"/,
    ({ conform: { jobs } }) => void Object.assign(jobs, { save: jobs['api'] }),
    0,
  ],
])('doctor reports %s', async (_, line, message, change, code) => {
  const result = await runDoctor(change);
  expect(result.found[line]).toMatchObject({ message: expect.stringMatching(message) });
  expect(withoutHelp(result.found)).toEqual([]);
  expect(result.code).toBe(code);
});

test('doctor reports an unset variable without failing', async () => {
  const { code, found } = await runDoctor(undefined, (env) => delete env['router_colleague']);
  expect(found['conform']).toMatchObject({
    status: 'warn',
    message: expect.stringMatching(/env:router_colleague is not set/),
  });
  expect(code).toBe(0);
});
