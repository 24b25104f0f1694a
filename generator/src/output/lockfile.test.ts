import { expect, test } from 'vitest';
import { toDigest } from '../content.ts';
import { indexLockedFiles, type Lockfile, parseLockfile, printLockfile } from './lockfile.ts';

const digest = toDigest('x');
const facts = { document: digest, chargesOnPolicyRejection: 'yes' } as const;
const lock: Lockfile = {
  format: 1,
  generator: '1.0.0',
  packages: { models: { files: { 'models/package.json': digest } } },
  models: {
    'p/b': { ...facts, entityTag: '"b"', files: { 'models/p/b/index.js': digest } },
    'p/a': { ...facts, entityTag: null, files: {} },
  },
};
const bytes = (text: string) => new TextEncoder().encode(text);

test('prints a lockfile sorted, and parses it again without loss', () => {
  const text = printLockfile(lock);
  expect(text.indexOf('p/a')).toBeLessThan(text.indexOf('p/b'));
  expect(parseLockfile(bytes(text))).toEqual(lock);
  expect([...indexLockedFiles(lock).keys()]).toEqual(['models/package.json', 'models/p/b/index.js']);
});

test('returns undefined for a missing lockfile, and "damaged" for one that cannot be read', () => {
  expect(parseLockfile(undefined)).toBeUndefined();
  expect(['', '{', '[]', '{"format":2}', '{"format":1}'].map((text) => parseLockfile(bytes(text)))).toEqual(
    Array.from({ length: 5 }, () => 'damaged'),
  );
});

test('treats a lockfile as damaged if it has a path outside the output folder or a malformed digest', () => {
  const parseWith = (files: object) => {
    const models = { 'p/a': { ...facts, entityTag: null, files } };
    return parseLockfile(bytes(JSON.stringify({ ...lock, models })));
  };
  expect(parseWith({ 'fine/x': digest })).toMatchObject({ format: 1 });
  for (const path of ['../x', '/etc/passwd', 'a/../../b', 'a//b', 'a\\..\\b', '']) {
    expect(parseWith({ [path]: digest }), path).toBe('damaged');
  }
  expect(parseWith({ 'fine/y': 'sha256:short' })).toBe('damaged');
});
