import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createRedactor } from '../../specs/src/index.ts';
import { fakeIo } from '../tests/fake-io.ts';
import { type CommandResult, folderForFile, runCommand } from '../tests/run-command.ts';
import { commands } from './commands.ts';
import { runProgram } from './program.ts';

const folder = folderForFile();
afterEach(() => vi.unstubAllEnvs());

function run(line: string, env: Record<string, string> = {}): Promise<CommandResult> {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value); // commander reads the environment of the process
  return runCommand(line.split(' ').filter(Boolean), folder, env);
}

describe('reports wrong usage in one line with exit code 2', () => {
  const table: readonly { line: string; says: RegExp; env?: Record<string, string> }[] = [
    { line: 'explode', says: /unknown command 'explode'/ },
    { line: 'generate --frobnicate', says: /unknown option '--frobnicate'/ },
    { line: 'conform --target moon', says: /--target must be one of mock, sandbox, live, got "moon"/ },
    { line: 'conform --target live', says: /--router-url or --workflow-url/ },
    { line: 'conform --target mock --fault some.fault', says: /--fault and --variant need the sandbox/ },
    { line: 'conform --rule no.such.rule', says: /no rule matches "no\.such\.rule".*--list-rules/ },
    { line: 'conform --fault no.such.fault', says: /unknown fault "no\.such\.fault"/ },
    { line: 'conform --router-url http://127.0.0.1:9', says: /no credential/ },
    { line: 'conform --self-check --target mock', says: /'--self-check' cannot be used with option '--target <kind>'/ },
    { line: 'conform --har a.har --budget 3', says: /'--har <file>' cannot be used with option '--budget <n>'/ },
    { line: 'conform --self-check --fault a.b', says: /'--self-check' cannot be used with option '--fault <id...>'/ },
    { line: 'diff', says: /no base URL for the Model Router.*--router-url/ },
    { line: 'sandbox --port 70000', says: /whole number from 0 to 65535/ },
    { line: 'sandbox --port abc', says: /: --port must be a whole number from 0 to 65535, got "abc"$/ },
    { line: 'sandbox --host 0.0.0.0', says: /--allow-remote/ },
    { line: 'sandbox --host=', says: /must not be empty/ },
    { line: 'sandbox --host 127.0.0.999', says: /--allow-remote/ },
    { line: 'sandbox --catalog=', says: /must not be empty/ },
    { line: 'conform --run-deadline 10', says: /--run-deadline.*duration from 100ms to 24h/ },
    { line: 'sandbox --catalog ./nowhere --port 0', says: /--catalog .* cannot be read/ },
    { line: 'sandbox --fault no.such.fault', says: /--list-faults/ },
    {
      line: 'generate',
      says: /routerUrl in switchyard\.config\.ts \(.+ has none\), SWITCHYARD_ROUTER_URL, or --router-url/,
    },
    { line: 'generate --router-url http://127.0.0.1:9', says: /no credential .*SWITCHYARD_API_KEY/ },
    { line: 'generate --router-url ftp://somewhere', says: /http or https/ },
    { line: 'generate --router-url http://user:secret@127.0.0.1', says: /must not contain credentials/ },
    {
      line: 'generate --router-url http://127.0.0.1:9 --scope acme',
      says: /npm scope/,
      env: { SWITCHYARD_API_KEY: 'sk-sandbox-any' },
    },
    ...['generate', 'diff .', 'conform', 'conform --target sandbox'].map((command) => ({
      line: `${command} --router-url http://router.example`,
      says: /http:\/\/router\.example is plain http .*--allow-http/,
      env: { SWITCHYARD_API_KEY: 'sk-sandbox-any' },
    })),
    {
      line: 'conform --workflow-url http://workflow.example',
      says: /http:\/\/workflow\.example is plain http .*--allow-http/,
      env: { SWITCHYARD_WORKFLOW_TOKEN: 'token-of-someone' },
    },
    {
      line: 'conform --target sandbox --router-url http://both.example',
      says: /http:\/\/both\.example is plain http .*--allow-http/,
      env: { SWITCHYARD_WORKFLOW_TOKEN: 'token-of-someone' },
    },
    { line: 'specs check --brand 9lives', says: /brand must consist of/ },
    { line: 'specs check --queue-statuses ONE', says: /two different names/ },
    { line: 'specs build --overlay ./nowhere.yaml', says: /nowhere\.yaml/ },
    { line: 'specs check --config ./nowhere.ts', says: /does not exist/ },
  ];
  test.each(table)('rejects "$line" in one line with exit code 2', async ({ line, says, env }) => {
    const result = await run(line, env);
    expect(result.err.trim()).toMatch(says);
    expect(result.err.trim().split('\n').length).toBeLessThanOrEqual(2); // the line, and possibly a suggestion
    expect(result.code).toBe(2);
  });
});

test('shows the stack of an error only with --debug', async () => {
  const plain = await run('diff nowhere nowhere');
  expect(plain).toMatchObject({ code: 3, err: expect.not.stringMatching(/^ {4}at /m) });
  expect(plain.err.trim().split('\n')).toHaveLength(1);
  expect((await run('diff nowhere nowhere --debug')).err).toMatch(/^ {4}at /m);
});

test('wraps the lines of a help text at the width of the terminal', async () => {
  const io = { ...fakeIo({ workingFolder: folder }), columns: 60 };
  await runProgram(['conform', '--help', '--all'], io);
  expect(io.written.out.split('\n').filter((line) => line.length > 60)).toEqual([]);
  expect(io.written.out).toContain('Exit codes:');
});

test('the help of each command fits on a screen, and shows every flag with --all', async () => {
  for (const command of ['', ...Object.keys(commands)]) {
    const { out } = await run(`${command} --help`.trim());
    expect({ command, lines: out.trimEnd().split('\n').length }).toEqual({
      command,
      lines: expect.toSatisfy((lines: number) => lines <= 40),
    });
  }
  const [short, whole] = await Promise.all(['', ' --all'].map((all) => run(`conform --help${all}`)));
  expect(short?.out).not.toContain('--seed <n>');
  expect(short?.out).toContain('More: npx openapi-switchyard conform --help --all');
  expect(whole?.out).toContain('--seed <n>');
});

test('the fault in the help examples exists', async () => {
  const { out } = await run('sandbox --help');
  const named = /--fault ([a-z]\S+\.\S+)/.exec(out)?.[1];
  const known: { id: string }[] = JSON.parse((await run('sandbox --list-faults --json')).out);
  expect(known.map(({ id }) => id)).toContain(named);
});

test.each([
  ['generate --router-url http://user:se/c@ret@host.test/', {}],
  ['generate --router-url http://host.test/?key=secret', {}],
  ['generate', { SWITCHYARD_ROUTER_URL: 'https://secret@host.test' }],
])('rejects a URL that contains a secret, without printing it (%s)', async (line, env) => {
  const { code, out, err } = await run(line, env);
  expect(code).toBe(2);
  expect(err).toMatch(/must (?:be an http|not have a query|not contain)/);
  expect(out + err).not.toMatch(/secret|se\/c|ret@/);
});

test('redacts a credential in a message', async () => {
  const secret = 'a-secret+of/tests';
  for (const form of [secret, encodeURIComponent(secret), btoa(`user:${secret}`)]) {
    const { code, err } = await run(`specs check --config ./${encodeURIComponent(form)}`, {
      SWITCHYARD_API_KEY: secret,
    });
    expect(code).toBe(2);
    expect(err).toMatch(/^switchyard: .*\[redacted\].*\n$/);
    expect(createRedactor([secret])(err)).toBe(err);
  }
});

test('no command has a flag that takes a secret', async () => {
  const helps = await Promise.all(['generate', 'conform', 'sandbox'].map((name) => run(`${name} --help --all`)));
  for (const { out } of helps) expect(out).not.toMatch(/--(?:api-)?(?:key|token|credential|password)\b/);
});

test.each(['generate', 'conform --router-url'])(
  'sends a credential over plain http with --allow-http (%s)',
  async (line) => {
    const command = line.includes('--router-url') ? line : `${line} --router-url`;
    const { code, err } = await run(`${command} http://router.invalid --allow-http`, {
      SWITCHYARD_API_KEY: 'sk-sandbox-any',
    });
    expect(err).not.toContain('plain http');
    expect(code).toBe(3); // the host name has no IP address
  },
);

describe('settings', () => {
  const built = (dir: string): string => join(folder, dir);
  const readBrand = async (line: string): Promise<string> => {
    const { out, code } = await run(line);
    expect(code).toBe(0);
    const { written }: { written: string[] } = JSON.parse(out);
    const file = written.find((path) => path.endsWith('model-router.openapi.json'));
    return readFileSync(file ?? '', 'utf8').match(/X-(\w+)-Request-Id/)?.[1] ?? 'none';
  };

  test('a setting comes from a flag, or else from the file, or else from the defaults', async () => {
    expect(await readBrand(`specs build --json --out ${built('a')}`)).toBe('Service');
    writeFileSync(join(folder, 'switchyard.config.mjs'), `export default { brand: 'Filed' };`);
    expect(await readBrand(`specs build --json --out ${built('b')}`)).toBe('Filed');
    expect(await readBrand(`specs build --json --brand Flagged --out ${built('c')}`)).toBe('Flagged');
    rmSync(join(folder, 'switchyard.config.mjs'));
  });
});
