import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { fakeIo } from '../tests/fake-io.ts';
import { folderForTest } from '../tests/run-command.ts';
import { runProgram } from './program.ts';

const key = 'sk-of-a-folder-that-is-locked';
let folder = '';
beforeEach(() => {
  folder = folderForTest();
});

/** URL of a catalog where no server listens. */
function start(command: string, more: readonly string[]) {
  const io = fakeIo({ env: { SWITCHYARD_API_KEY: key }, workingFolder: folder });
  const scope = command === 'generate' ? ['--scope', '@acme'] : [];
  return { io, ended: runProgram([command, '--router-url', 'http://127.0.0.1:9', ...scope, ...more], io) };
}

test('generate reports the lock that it waits for, without a credential in its path', async () => {
  const lock = join(folder, `.${key}.switchyard`);
  const claim = join(lock, 'owner.claim-1');
  mkdirSync(lock);
  writeFileSync(claim, '{}'); // The lock of another machine, taken just now.
  const { io, ended } = start('generate', ['--out', key]);
  await expect.poll(() => io.written.err, { timeout: 5_000 }).toMatch(/^waiting for the lock of .*held since/m);
  utimesSync(claim, 0, 0);
  expect(await ended).toBe(3);
  expect(io.written.err).not.toContain(key);
});

// `mkdir` of Node never returns for a path in /proc, where no folder can be created.
const nowhere = existsSync('/proc/self') ? '/proc/nowhere' : join(import.meta.filename, 'nowhere');

test.each([
  ['generate', ['--out', join(nowhere, 'packages')]],
  ['docs', ['--out', join(nowhere, 'site')]],
  ['conform', ['--out', join(nowhere, 'report')]],
])('%s reports a folder that cannot be created, in one line', async (command, flags) => {
  const { io, ended } = start(command, flags);
  expect([2, 3]).toContain(await ended);
  const lines = io.written.err.split('\n').filter((line) => line !== '' && !line.endsWith('…'));
  expect(lines).toEqual([expect.stringMatching(/nowhere.* cannot be written|cannot be written.*nowhere/)]);
});
