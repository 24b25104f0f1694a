import { expect, test } from 'vitest';
import type { ProcessIo } from './io.ts';
import { guardIo } from './io.ts';

const key = 'sk-Live_9f3Q7eXx';

const plainIo: ProcessIo = {
  env: { SWITCHYARD_API_KEY: key },
  workingFolder: '/',
  isTerminal: false,
  out: () => {},
  err: () => {},
  style: (_, text) => text,
  stopRequested: () => new Promise(() => {}),
};

function guarded() {
  const written = { out: '', err: '' };
  const out = (text: string): void => {
    written.out += text;
  };
  const err = (text: string): void => {
    written.err += text;
  };
  return { io: guardIo({ ...plainIo, out, err }), written };
}

test('redacts the output of a command, and redacts JSON string by string', () => {
  const { io, written } = guarded();
  io.err(`rejected: ${Buffer.from(key).toString('hex')}\n`);
  io.out(`${JSON.stringify({ a: JSON.stringify(`\\${key}`), [key]: key.replace(/.{6}/g, '$&\n') })}\n`);
  expect(written.err).toBe('rejected: [redacted]\n');
  expect(JSON.parse(written.out)).toEqual({ a: expect.stringContaining('[redacted]'), '[redacted]': '[redacted]' });
});

test.each([
  ['http://user:pass-word-1@proxy.test', 'pass-word-1', 'user'],
  ['http://token-word-1@proxy.test', 'token-word-1', 'proxy.test'],
])('redacts only the secret of the proxy %s', (address, secret, other) => {
  const written: string[] = [];
  const io = guardIo({ ...plainIo, env: { HTTPS_PROXY: address }, out: (text) => written.push(text) });
  io.out(`${secret} ${other}`);
  expect(written).toEqual([`[redacted] ${other}`]);
});

test('redacts a secret as soon as it has been read', () => {
  const { io, written } = guarded();
  expect(io.registerSecret('of-the-gateway')).toBe('of-the-gateway');
  io.out('it said Of-The-Gateway\n');
  expect(written.out).toBe('it said [redacted]\n');
});

test('disables commands to a build service unless the output is marked as commands', () => {
  const { io, written } = guarded();
  io.out('::add-mask::password/x\n  ::error::owned\na ##[error]b ##vso[task.setvariable]c {"a::b": 1}\n');
  io.out('::error title=x::y\n', 'commands');
  expect(written.out).toBe(
    '\\u003a:add-mask::password/x\n  \\u003a:error::owned\na #\\u0023[error]b #\\u0023vso[task.setvariable]c {"a::b": 1}\n::error title=x::y\n',
  );
});
