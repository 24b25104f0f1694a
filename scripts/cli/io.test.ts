import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { runNode } from '../run-node.ts';
import { fakeIo } from '../tests/fake-io.ts';
import { folderForTest, serveForTest } from '../tests/run-command.ts';
import { createProcessIo, escapeForTerminal, withProgress } from './io.ts';

const entry = join(import.meta.dirname, '..', 'switchyard.ts');

test.each([{ args: ['--help'] }, { args: ['sandbox', '--list-faults', '--json'] }])(
  'a command exits with 0 if the reader closes the pipe: $args',
  async ({ args }) => {
    const child = spawn(process.execPath, [entry, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += String(chunk);
    });
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(said).toBe('');
  },
);

test.each([
  { isTerminal: true, says: /took \d+\.\d s\n$/ },
  { isTerminal: false, says: /^reading …\n$/ },
])('a long task only reports its duration on a terminal: $isTerminal', async ({ isTerminal, says }) => {
  const io = { ...fakeIo({ workingFolder: '.' }), isTerminal };
  await withProgress(io, async (show) => {
    show('reading', { done: 1, total: 2 });
    show('reading', { done: 2, total: 2 });
  });
  expect(io.written.err).toMatch(says);
});

test('without a terminal, a long task reports its progress every ten seconds', async () => {
  const io = { ...fakeIo({ workingFolder: '.' }), isTerminal: false };
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    await withProgress(io, async (show) => {
      show('checking');
      for (let done = 1; done <= 25; done += 1) {
        vi.setSystemTime(Date.now() + 1_000);
        show('checking', { done, total: 25, subject: 'rules decided' });
      }
    });
  } finally {
    vi.useRealTimers();
  }
  expect(io.written.err).toBe('checking …\nchecking 10 of 25 rules decided\nchecking 20 of 25 rules decided\n');
});

test('a repeated signal does not interrupt the shutdown started by the first one', async () => {
  const io = createProcessIo();
  const others = process.listeners('SIGINT');
  const listOwn = () => process.listeners('SIGINT').filter((one) => !others.includes(one));
  const stopped = io.stopRequested();
  process.emit('SIGINT');
  await stopped;
  expect(listOwn()).toHaveLength(1);
  await vi.waitFor(() => expect(listOwn()).toEqual([]), { timeout: 5_000 });
});

describe('text for a terminal', () => {
  test.each([
    ['bidirectional controls as escapes', 'a\u202eb\u2066c\u200fd\u061ce', 'a\\u202eb\\u2066c\\u200fd\\u061ce'],
    ['zero-width characters as escapes', 'a\u200bb\u200dc\ufeffd\u00ade', 'a\\u200bb\\u200dc\\ufeffd\\u00ade'],
    ['invisible letters as escapes', 'a\u3164b\u115fc\u034fd', 'a\\u3164b\\u115fc\\u034fd'],
    ['tags beyond the basic plane as escapes', 'a\u{e0041}b', 'a\\udb40\\udc41b'],
    ['control sequences as escapes', 'a\u001b[2Jb\rc\u0007d\u009be', 'a\\u001b[2Jb\\u000dc\\u0007d\\u009be'],
    ['hidden text as escapes', 'a\u001b[8mb', 'a\\u001b[8mb'],
    ['line separators and lone surrogates as escapes', 'a\u2028b\u2029c\ud800d', 'a\\u2028b\\u2029c\\ud800d'],
    ['other text unchanged', 'é 漢字 🙂 ❤\ufe0f\nz', 'é 漢字 🙂 ❤\ufe0f\nz'],
    ['colour sequences in untrusted text as escapes', 'a\u001b[31mb', 'a\\u001b[31mb'],
  ])('escapeForTerminal shows %s', (_, given, want) => {
    expect(escapeForTerminal(given)).toBe(want);
  });

  test('escapeForTerminal keeps colour sequences and escapes hidden characters if styles are enabled', () => {
    const styled = '\u001b[31mbad\u001b[39m \u001b[8mhidden';
    expect(escapeForTerminal(styled, true)).toBe('\u001b[31mbad\u001b[39m \\u001b[8mhidden');
  });

  test('escapeForTerminal does not change the value of JSON', () => {
    const value = { 'a\u202e': ['\u{e0041}\u2028', 'é'] };
    expect(JSON.parse(escapeForTerminal(JSON.stringify(value, null, 2)))).toEqual(value);
  });
});

test.each([{ more: [] }, { more: ['--json'] }])(
  'generate escapes hidden characters in an id: $more',
  async ({ more }) => {
    const page = { data: [{ id: 'image-provider/\u202eevil\u200b\u001b[2J\u2066' }], has_more: false };
    const url = await serveForTest((_, reply) =>
      reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page)),
    );
    const env = { SWITCHYARD_API_KEY: 'a-key-of-tests' };
    const command = [entry, 'generate', '--router-url', url, '--allow-empty', ...more];
    const { out, err } = await runNode(command, { cwd: folderForTest(), env });
    expect(out + err).toContain('evil');
    expect(out + err).not.toMatch(/\p{Cf}/u);
    expect(out + err).not.toContain('\u001b');
  },
);
