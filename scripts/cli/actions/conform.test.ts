import { readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fakeIo } from '../../tests/fake-io.ts';
import { folderForFile, runCommand } from '../../tests/run-command.ts';
import { runProgram } from '../program.ts';

const folder = folderForFile();
const server = net.createServer((socket) => socket.on('error', () => undefined).resume());
let url = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  url = `http://127.0.0.1:${address.port}`;
  writeFileSync(join(folder, 'set.mjs'), `export default { conform: { deadlines: { request: '300ms' } } };`);
});
afterAll(() => server.close());

test.each([
  ['a flag', '--request-deadline 400ms', '400 ms'],
  ['the configuration file', '--config ./set.mjs', '300 ms'],
  ['a flag that overrides the configuration file', '--config ./set.mjs --request-deadline 500ms', '500 ms'],
])('conform waits for a silent target for the time in %s', async (_, flags, waited) => {
  const line = `conform --router-url ${url} --rule catalog.* --out out ${flags}`;
  expect(await runCommand(line.split(' '), folder, { SWITCHYARD_API_KEY: 'sk-any' })).toMatchObject({ code: 3 });
  expect(readFileSync(join(folder, 'out', 'result.json'), 'utf8')).toContain(`no complete response within ${waited}`);
});

test.each([
  { rule: 'model.unknown.*', more: [], says: /^Conforms: \d+ rules$/, next: 'conform --help', style: 'good' },
  {
    rule: 'model.unknown.is-not-found',
    more: ['--fault', 'model.unknown.answered-with-400'],
    says: /^1 of \d+ checked rules failed$/,
    next: 'explain model.unknown.is-not-found',
    style: 'bad',
  },
])(
  'the output of conform ends with the result, the report and the next command: $next',
  async ({ rule, more, says, next, style: wanted }) => {
    const io = fakeIo({ workingFolder: folder });
    const styles = new Map<string, string>();
    const style = (name: string, text: string): string => {
      styles.set(text, name);
      return text;
    };
    await runProgram(['conform', '--target', 'sandbox', '--rule', rule, '--out', 'ended', ...more], { ...io, style });
    const [verdict = '', where, command] = io.written.out.trimEnd().split('\n').slice(-3);
    expect(verdict).toMatch(says);
    expect(styles.get(verdict)).toBe(wanted);
    expect(where).toContain(join('ended', 'report.html'));
    expect(command).toBe(`next: npx openapi-switchyard ${next}`);
  },
);
