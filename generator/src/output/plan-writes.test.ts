import { describe, expect, test } from 'vitest';
import { type Digest, toDigest } from '../content.ts';
import { indexLockedFiles, type Lockfile, printLockfile } from './lockfile.ts';
import { type NewOutput, planWrites } from './plan-writes.ts';

const path = 'models/p/m/index.js';
const oldText = 'old';
const newText = 'new';
const handText = 'by hand';
const facts = {
  entityTag: null,
  document: toDigest('document'),
  chargesOnPolicyRejection: 'no',
  inputs: toDigest('inputs'),
} as const;

function locked(files: Record<string, string>): Lockfile {
  const digests = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, toDigest(text)]));
  return { format: 1, generator: '1', packages: {}, models: { 'p/m': { ...facts, files: digests } } };
}

function wanted(contents: string | undefined): NewOutput {
  const files = contents === undefined ? {} : { [path]: toDigest(contents) };
  return {
    generator: '2',
    brand: 'Service',
    packages: new Map(),
    models: new Map([['p/m', { ...facts, files }]]),
  };
}

function present(lock: Lockfile | undefined, text: string | undefined) {
  const digest: Digest | undefined = text === undefined ? undefined : toDigest(text);
  const lockDigest = lock === undefined ? undefined : toDigest(printLockfile(lock));
  return {
    lock,
    lockDigest,
    locked: indexLockedFiles(lock),
    readDigest: (file: string) => (file === path ? digest : undefined),
  };
}

const unlocked: Lockfile | undefined = undefined;

describe('planWrites', () => {
  test.each<[string, string | undefined, Lockfile | undefined, string | undefined, string]>([
    ['created if it does not exist', newText, unlocked, undefined, 'create'],
    ['created again if it was deleted', newText, locked({ [path]: oldText }), undefined, 'create'],
    ['kept if its content is correct', newText, locked({ [path]: newText }), newText, 'keep'],
    ['kept if its content is correct but the lockfile is missing', newText, unlocked, newText, 'keep'],
    ['replaced if the last run wrote it', newText, locked({ [path]: oldText }), oldText, 'replace'],
    ['not touched if it was edited by hand', newText, locked({ [path]: oldText }), handText, 'refuse'],
    ['not touched if no run wrote it', newText, unlocked, handText, 'refuse'],
    ['removed if its model was removed', undefined, locked({ [path]: oldText }), oldText, 'remove'],
    [
      'not touched if its model was removed but the file was edited',
      undefined,
      locked({ [path]: oldText }),
      handText,
      'refuse',
    ],
  ])('plans that a file is %s', (_, contents, lock, disk, kind) => {
    const { writes } = planWrites(wanted(contents), present(lock, disk));
    expect(writes.map((write) => write.kind)).toEqual([kind]);
  });
});

test('keeps the old digest of a file that was edited by hand in the lockfile, so that the next run detects the edit too', () => {
  const first = planWrites(wanted(newText), present(locked({ [path]: oldText }), handText));
  expect(first.lock.models['p/m']?.files).toEqual({ [path]: toDigest(oldText) });
  expect(planWrites(wanted(newText), present(first.lock, handText)).writes).toEqual(first.writes);
});

test("omits a user's own file from the lockfile if a generated file would have the same path", () => {
  expect(planWrites(wanted(newText), present(unlocked, handText)).lock.models['p/m']?.files).toEqual({});
});

test('keeps the files of an unchanged model without reading them', () => {
  const before = locked({ [path]: oldText });
  const models = new Map(Object.entries(before.models));
  const unread = { ...present(before, oldText), readDigest: () => undefined };
  const plan = planWrites({ generator: '2', brand: 'Service', packages: new Map(), models }, unread);
  expect(plan.writes).toEqual([{ kind: 'keep', path }]);
  expect(plan.lock.models).toEqual(locked({ [path]: oldText }).models);
});
