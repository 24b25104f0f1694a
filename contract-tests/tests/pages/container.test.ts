import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../../specs/src/index.ts';
import { namedBlock } from './code-blocks.ts';
import { lintDockerfile, parseDockerfile, readDockerfile } from './dockerfile.ts';
import { freePort, makeProject } from './project.ts';

// What can be known without a container engine: the lines of Dockerfile and compose.yaml do what they say on this machine.
const { entrypoint, command, healthCheck } = parseDockerfile(readDockerfile());
let running: ChildProcess | undefined;
afterEach(() => void running?.kill('SIGKILL'));

function start(words: readonly string[], port: string): ChildProcess {
  const script = join(packageRoot(), 'scripts/switchyard.mjs');
  running = spawn(process.execPath, [script, ...words.map((word) => word.replace('4010', port))], { stdio: 'ignore' });
  return running;
}

async function isHealthy(port: string): Promise<boolean> {
  const [program = '', ...words] = healthCheck;
  expect(program).toBe('node');
  const [code] = await once(
    spawn(
      process.execPath,
      words.map((word) => word.replace('4010', port)),
    ),
    'exit',
  );
  return code === 0;
}

test('the Dockerfile passes the linter', () => {
  expect(lintDockerfile(readDockerfile())).toEqual([]);
});

const worse = [
  {
    what: 'an unknown instruction',
    change: (text: string) => text.replace('EXPOSE', 'EXPOES'),
    says: /Unknown instruction/,
  },
  {
    what: 'a bad port',
    change: (text: string) => text.replace('EXPOSE 4010', 'EXPOSE many'),
    says: /Invalid containerPort/,
  },
  { what: 'no user', change: (text: string) => text.replace('USER node\n', ''), says: /runs as root/ },
  { what: 'the user root', change: (text: string) => text.replace('USER node', 'USER root'), says: /runs as root/ },
  { what: 'no health check', change: (text: string) => text.replace(/^HEALTHCHECK.*\n/m, ''), says: /no health check/ },
  {
    what: 'a base without a version',
    change: (text: string) => text.replaceAll(/node:[^@\n]+@/g, 'node@'),
    says: /not one image/,
  },
  {
    what: 'a base without a digest',
    change: (text: string) => text.replaceAll(/@sha256:\S+/g, ''),
    says: /not one image/,
  },
];

test.each(worse)('a Dockerfile with $what does not', ({ change, says }) => {
  expect(lintDockerfile(change(readDockerfile())).join('\n')).toMatch(says);
});

test('the image starts the sandbox, is healthy while it serves, and stops at SIGTERM with exit code 0', async () => {
  expect(entrypoint).toEqual(['switchyard']);
  const port = await freePort();
  expect(await isHealthy(port)).toBe(false);
  const sandbox = start(command, port);
  await expect.poll(() => isHealthy(port), { timeout: 20_000 }).toBe(true);
  sandbox.kill('SIGTERM');
  expect(await once(sandbox, 'exit')).toEqual([0, null]);
});

test('the services of compose.yaml work together', async () => {
  const { services } = parse(namedBlock('docs/how-to/start-a-sandbox.md', 'compose.yaml').text);
  const { router, tests } = services;
  expect(tests.depends_on).toEqual({ router: { condition: 'service_healthy' } });
  const port = await freePort();
  start(router.command, port);
  await expect.poll(() => isHealthy(port), { timeout: 20_000 }).toBe(true);
  const asked = `fetch(process.env.ROUTER_URL + '/v2/models').then(({ status }) => process.exit(status === 401 ? 0 : 1))`;
  const project = makeProject({ scripts: { test: `node -e "${asked}"` } });
  try {
    const env = { ROUTER_URL: tests.environment.ROUTER_URL.replace('router:4010', `127.0.0.1:${port}`) };
    expect(await project.run(tests.command.join(' '), env)).toMatchObject({ code: 0 });
    expect(await project.run(tests.command.join(' '), { ROUTER_URL: 'http://127.0.0.1:9' })).not.toMatchObject({
      code: 0,
    });
  } finally {
    project.close();
  }
});
