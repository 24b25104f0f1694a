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

test('conform prints the result and the report, and only after a failure the next command', async () => {
  const runStyled = async (...more: readonly string[]) => {
    const io = fakeIo({ workingFolder: folder });
    const style = (name: string, text: string): string => (name === 'dim' ? text : `<${name}>${text}`);
    const words = ['conform', '--target', 'sandbox', '--rule', 'model.unknown.is-not-found', '--out', 'ended', ...more];
    await runProgram(words, { ...io, style });
    return io.written.out.trimEnd().split('\n');
  };
  const report = expect.stringContaining(join('ended', 'report.html'));
  const passed = await runStyled();
  expect(passed.slice(-2)).toEqual([expect.stringMatching(/^<good>Conforms: \d+ rules$/), report]);
  const failed = await runStyled('--fault', 'model.unknown.answered-with-400');
  expect(failed.slice(-3)).toEqual([
    expect.stringMatching(/^<bad>1 of \d+ checked rules failed$/),
    report,
    'next: npx openapi-switchyard explain model.unknown.is-not-found',
  ]);
});
