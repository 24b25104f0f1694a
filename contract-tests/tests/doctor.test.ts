import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runProgram } from '../../scripts/cli/program.ts';
import { fakeIo } from '../../scripts/tests/fake-io.ts';
import { liveTarget } from './second-server/gate-run.ts';
import { type SecondServer, startServer } from './second-server/server.ts';

// `doctor` on what conform needs, against a service that is not the sandbox.

let folder = '';
let configurations = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-doctor-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Found = Record<string, { status: string; message: string; help?: string }>;
async function doctor(words: readonly string[], env: Record<string, string>): Promise<{ code: number; found: Found }> {
  const io = fakeIo({ env, workingFolder: folder });
  const code = await runProgram(['doctor', '--json', ...words], io);
  const { checks } = JSON.parse(io.written.out) as { checks: { name: string; status: string; message: string }[] };
  return { code, found: Object.fromEntries(checks.map(({ name, ...check }) => [name, check])) };
}

const withoutHelp = (found: Found): string[] =>
  Object.entries(found).flatMap(([name, { status, help }]) => (status === 'ok' || help ? [] : [name]));

let second: SecondServer;
beforeAll(async () => {
  second = await startServer();
});
afterAll(() => second.close());

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

test('doctor prints a line for each check and passes a working configuration without a credential for generate', async () => {
  const runs = second.dispatched.length;
  const { code, found } = await runDoctor();
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

const broken: readonly [name: string, line: string, message: RegExp, (config: Stated) => void, code: number][] = [
  [
    'a credential of another service',
    'router.colleague',
    /returned 401/,
    ({ conform }) => {
      conform.live.credentials.router['colleague'] = 'env:workflow_main';
    },
    3,
  ],
  [
    'one credential under two names',
    'router.neighbour',
    /same credential as main/,
    ({ conform }) => {
      conform.live.credentials.router['neighbour'] = 'env:router_main';
    },
    2,
  ],
  [
    'a revoked credential that works',
    'router.revoked',
    /returned 200, expected 401/,
    ({ conform }) => {
      conform.live.credentials.router['revoked'] = 'env:router_solo';
    },
    3,
  ],
  [
    'a job of another kind',
    'job save',
    /format "api", expected the format "save"/,
    ({ conform }) => {
      conform.jobs['save'] = conform.jobs['api'] ?? '';
    },
    0,
  ],
  [
    'a model that the catalog does not list',
    'model maker/none',
    /returned 404/,
    ({ conform }) => void conform.live.models.push({ id: 'maker/none', input: {} }),
    2,
  ],
  [
    'an input that its schema refuses',
    'model image-provider/still-1.2',
    /input is invalid: .*prompt/,
    ({ conform }) => void Object.assign(conform.live.models[0] ?? {}, { input: { promt: 'a harbour' } }),
    2,
  ],
  [
    'a budget without models',
    'conform',
    /a budget needs a list of the models that may run/,
    ({ conform }) => void conform.live.models.splice(0),
    2,
  ],
];
test.each(broken)('doctor reports %s', async (_, line, message, change, code) => {
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

test('doctor shows no credential', async () => {
  const { found } = await runDoctor();
  for (const value of Object.values(configure().env)) expect(JSON.stringify(found)).not.toContain(value);
});
