import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runProgram } from '../../scripts/cli/program.ts';
import { fakeIo } from '../../scripts/tests/fake-io.ts';
import { liveTarget } from './second-server/gate-run.ts';
import { type SecondServer, startServer } from './second-server/server.ts';

// Tests what `doctor` reports about the configuration of `conform`, with a service that is not the sandbox.

let folder = '';
let configurations = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-doctor-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type ChecksByName = Record<string, { status: string; message: string; help?: string }>;
async function doctor(
  words: readonly string[],
  env: Record<string, string>,
): Promise<{ code: number; found: ChecksByName }> {
  const io = fakeIo({ env, workingFolder: folder });
  const code = await runProgram(['doctor', '--json', ...words], io);
  const { checks } = JSON.parse(io.written.out) as { checks: { name: string; status: string; message: string }[] };
  return { code, found: Object.fromEntries(checks.map(({ name, ...check }) => [name, check])) };
}

let second: SecondServer;
beforeAll(async () => {
  second = await startServer();
});
afterAll(() => second.close());

/** Writes a configuration like an owner's, with secrets in environment variables. `change` may break it. */
function configure(change: (config: Config) => void = () => {}): { words: string[]; env: Record<string, string> } {
  const { router = { url: '', credentials: {} }, workflow, budget } = liveTarget(second);
  const env: Record<string, string> = {};
  const readFromEnv = (api: string, credentials: object): Record<string, string> =>
    Object.fromEntries(
      Object.entries(credentials).map(([name, value]) => {
        env[`${api}_${name}`] = value;
        return [name, `env:${api}_${name}`];
      }),
    );
  const config: Config = {
    brand: 'Service',
    routerUrl: router.url,
    workflowUrl: workflow?.url ?? '',
    conform: {
      jobs: { ...workflow?.jobs },
      live: {
        credentials: {
          router: readFromEnv('router', router.credentials),
          workflow: readFromEnv('workflow', workflow?.credentials ?? {}),
        },
        models: structuredClone([...(budget?.models ?? [])]) as { id: string; input: object }[],
        budget: 20,
      },
    },
  };
  change(config);
  configurations += 1;
  const file = join(folder, `owner-${configurations}.config.mjs`); // Node loads each module only once, so each configuration needs its own file.
  writeFileSync(file, `export default ${JSON.stringify(config)};`);
  return { words: ['--config', file], env };
}
type Config = {
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
const runDoctor = async (change?: (config: Config) => void): Promise<{ code: number; found: ChecksByName }> => {
  const { words, env } = configure(change);
  return doctor(words, env);
};

test('doctor reports no problem in a working configuration without a credential for generate, and starts no run', async () => {
  const runs = second.dispatched.length;
  const { code, found } = await runDoctor();
  expect(Object.entries(found).filter(([, { status }]) => status === 'bad' || status === 'warn')).toEqual([]);
  expect(code).toBe(0);
  const models = liveTarget(second).budget?.models ?? [];
  expect(found['conform']?.message).toBe(`20 runs, of ${models.length} models`);
  expect(second.dispatched).toHaveLength(runs); // Doctor started no run.
});

const broken: readonly [name: string, message: RegExp, change: (config: Config) => void, code: number][] = [
  [
    'a model that the catalog does not list',
    /status 404.*maker\/none/,
    ({ conform }) => void conform.live.models.push({ id: 'maker/none', input: {} }),
    3,
  ],
  [
    'an input that is invalid for the schema of its model',
    /input of image-provider\/still-1.2 is invalid: .*prompt/,
    ({ conform }) => void Object.assign(conform.live.models[0] ?? {}, { input: { promt: 'a harbour' } }),
    2,
  ],
  [
    'a second caller that has the same credential as main',
    /router\.neighbour is the same credential as main/,
    ({ conform }) => void Object.assign(conform.live.credentials.router, { neighbour: 'env:router_main' }),
    2,
  ],
  [
    'a budget without models',
    /a budget needs a list of the models that may run/,
    ({ conform }) => void conform.live.models.splice(0),
    2,
  ],
];
test.each(broken)('doctor reports that the configuration has %s', async (_, message, change, code) => {
  const result = await runDoctor(change);
  expect(result.found['conform']).toMatchObject({ message: expect.stringMatching(message), help: expect.anything() });
  expect(result.code).toBe(code);
});

test('the output of doctor contains no credential', async () => {
  const { found } = await runDoctor();
  for (const value of Object.values(configure().env)) expect(JSON.stringify(found)).not.toContain(value);
});
