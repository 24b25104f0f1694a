import { expect, test } from 'vitest';
import { toDigest } from '../content.ts';
import { type Lockfile, lockedFiles, parseLockfile, printLockfile } from './lockfile.ts';

const digest = toDigest('x');
const facts = { document: digest, chargesOnPolicyRejection: 'yes', inputs: toDigest('inputs') } as const;
const lock: Lockfile = {
  format: 1,
  generator: '1.0.0',
  packages: { models: { source: digest, files: { 'models/package.json': digest } } },
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
  expect([...lockedFiles(lock).keys()]).toEqual(['models/package.json', 'models/p/b/index.js']);
});

test('returns undefined for a missing lockfile, and "damaged" for one that cannot be read', () => {
  expect(parseLockfile(undefined)).toBeUndefined();
  expect(['', '{', '[]', '{"format":2}', '{"format":1}'].map((text) => parseLockfile(bytes(text)))).toEqual(
    Array.from({ length: 5 }, () => 'damaged'),
  );
});

test('ignores entries of a lockfile with a path outside the output folder or a malformed digest', () => {
  const paths = ['../x', '/etc/passwd', 'a/../../b', 'a//b', 'a\\..\\b', '', 'fine/x'];
  const files = { ...Object.fromEntries(paths.map((path) => [path, digest])), 'fine/y': 'sha256:short' };
  const text = JSON.stringify({ ...lock, models: { 'p/a': { entityTag: null, document: digest, files } } });
  const parsed = parseLockfile(bytes(text));
  expect(parsed === 'damaged' ? [] : [...lockedFiles(parsed).keys()]).toEqual(['models/package.json', 'fine/x']);
});
