import { expect, test } from 'vitest';
import type { ProcessIo } from './io.ts';
import { guardIo } from './io.ts';

const key = 'sk-Live_9f3Q7eXx';

function guarded() {
  const written = { out: '', err: '' };
  const plain: ProcessIo = {
    env: { SWITCHYARD_API_KEY: key },
    workingFolder: '/',
    isTerminal: false,
    out: (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += text;
    },
    style: (_, text) => text,
    stopRequested: () => new Promise(() => {}),
  };
  return { io: guardIo(plain), written };
}

test('what a command prints is redacted, in JSON string by string', () => {
  const { io, written } = guarded();
  io.err(`refused: ${Buffer.from(key).toString('hex')}\n`);
  io.out(`${JSON.stringify({ a: JSON.stringify(`\\${key}`), [key]: key.replace(/.{6}/g, '$&\n') })}\n`);
  expect(written.err).toBe('refused: [redacted]\n');
  expect(JSON.parse(written.out)).toEqual({ a: expect.stringContaining('[redacted]'), '[redacted]': '[redacted]' });
});

test('a secret that is read later is kept from then on', () => {
  const { io, written } = guarded();
  expect(io.keepSecret('of-the-gateway')).toBe('of-the-gateway');
  io.out('it said Of-The-Gateway\n');
  expect(written.out).toBe('it said [redacted]\n');
});

test('no text is a command to a build service, but for those that are meant as one', () => {
  const { io, written } = guarded();
  io.out('::add-mask::password/x\n  ::error::owned\na ##[error]b ##vso[task.setvariable]c {"a::b": 1}\n');
  io.out('::error title=x::y\n', 'commands');
  expect(written.out).toBe(
    '\\u003a:add-mask::password/x\n  \\u003a:error::owned\na #\\u0023[error]b #\\u0023vso[task.setvariable]c {"a::b": 1}\n::error title=x::y\n',
  );
});
