import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderForFile, runCommand, serveForTest } from '../../tests/run-command.ts';

const folder = folderForFile();
type Answer = (response: ServerResponse) => void;
const serve = (answer: Answer): Promise<string> => serveForTest((_, response) => answer(response));

type ChecksByName = Record<string, { status: string; message: string; help?: string }>;
async function doctor(
  words: readonly string[],
  env: Record<string, string>,
): Promise<{ code: number; found: ChecksByName }> {
  const { code, out } = await runCommand(['doctor', '--json', ...words], folder, env);
  const { checks } = JSON.parse(out) as { checks: { name: string; status: string; message: string }[] };
  return { code, found: Object.fromEntries(checks.map(({ name, ...check }) => [name, check])) };
}

const key = { SWITCHYARD_API_KEY: 'sk-of-the-doctor' };
const page: Answer = (response) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[],"has_more":false,"limit":1}');

test('doctor reads the workflow API without a credential', async () => {
  const seen: (string | undefined)[] = [];
  const url = await serve((response) => {
    seen.push(response.req.headers.authorization);
    response.writeHead(401).end();
  });
  const env = { SWITCHYARD_WORKFLOW_URL: url, SWITCHYARD_WORKFLOW_TOKEN: 'token-of-the-doctor' };
  const { found } = await doctor([], env);
  expect(found['workflow API']).toEqual({ status: 'ok', message: `${url} responds with status 401` });
  expect(seen).toEqual([undefined]);
  const gone = await doctor([], { SWITCHYARD_WORKFLOW_URL: 'http://127.0.0.1:9' });
  expect(gone.found['workflow API']).toMatchObject({ status: 'warn', message: expect.stringMatching(/ECONNREFUSED/) });
});

test('doctor finds no problem in a complete project, and only prints lines that apply', async () => {
  const { code, found } = await doctor(['--router-url', await serve(page)], key);
  expect(code).toBe(0);
  expect(Object.values(found).filter(({ status }) => status !== 'ok')).toEqual([]);
  expect(Object.keys(found)).toEqual(['node', 'configuration', 'credential', 'router']);
});

test('doctor reports missing settings, and an invalid configuration', async () => {
  const file = join(folder, 'wrong.config.mjs');
  writeFileSync(file, 'export default { generate: { scoop: 1 } };');
  const { code, found } = await doctor(['--config', file], {});
  expect(code).toBe(2);
  expect(found).toMatchObject({
    configuration: { status: 'bad', message: expect.stringMatching(/scoop/) },
    credential: { status: 'bad', help: expect.stringMatching(/SWITCHYARD_API_KEY/) },
    router: { status: 'bad', help: expect.stringMatching(/--router-url/) },
  });
  expect(withoutHelp(found)).toEqual([]);
});

const withoutHelp = (found: ChecksByName): string[] =>
  Object.entries(found).flatMap(([name, { status, help }]) => (status === 'ok' || help ? [] : [name]));

type Row = {
  readonly name: string;
  /** Handles every request to the router; default: there is no router. */
  readonly answer?: Answer;
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  readonly check: string;
  readonly message?: RegExp;
  readonly help?: RegExp;
};
test.each<Row>([
  {
    name: 'a rejected credential',
    answer: (response) => response.writeHead(401).end(),
    check: 'router',
    message: /status 401/,
  },
  { name: 'an HTML page', answer: (response) => response.end('<html>'), check: 'router', message: /HTML/ },
  {
    name: 'a router that repeats the credential',
    answer: (response) => response.writeHead(500, { 'x-key': key.SWITCHYARD_API_KEY }).end(),
    check: 'router',
    message: /repeats the credential/,
  },
  {
    name: 'a router that is not reachable',
    args: ['--router-url', 'http://127.0.0.1:9'],
    check: 'router',
    help: /--router-url/,
  },
  { name: 'plain http', args: ['--router-url', 'http://example.com'], check: 'router', help: /SWITCHYARD_ROUTER_URL/ },
  {
    name: 'a key with a space in it',
    env: { SWITCHYARD_API_KEY: 'a b' },
    check: 'credential',
    message: /remove spaces/,
  },
  { name: 'a proxy without a URL', env: { HTTPS_PROXY: 'proxy' }, check: 'proxy', help: /unset it/ },
  {
    name: 'an invalid workflow URL',
    env: { SWITCHYARD_WORKFLOW_URL: 'x' },
    check: 'configuration',
    message: /SWITCHYARD_WORKFLOW_URL must be an http/,
  },
  { name: 'no configuration file', args: ['--config', 'none.mjs'], check: 'configuration', help: /--config/ },
])('doctor reports $name, with advice', async ({ answer, args = [], env = {}, check, message = /./, help = /./ }) => {
  const router = answer === undefined ? [] : ['--router-url', await serve(answer)];
  const { code, found } = await doctor([...router, ...args], { ...key, ...env });
  expect(found[check]).toMatchObject({
    status: expect.not.stringMatching('ok'),
    message: expect.stringMatching(message),
    help: expect.stringMatching(help),
  });
  if (answer !== undefined) expect([found[check]?.status, code]).toEqual(['bad', 3]);
  expect(withoutHelp(found)).toEqual([]);
  expect(JSON.stringify(found)).not.toContain(key.SWITCHYARD_API_KEY);
});
