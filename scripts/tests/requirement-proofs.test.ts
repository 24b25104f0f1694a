import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Requirement } from '../../specs/src/index.ts';
import { checkProofs } from './requirement-proofs.ts';

const root = mkdtempSync(join(tmpdir(), 'switchyard-proofs-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

// Assembled, because this file is read for citations like any other test.
const id = (number: number): string => ['MR', 'ONE', `0${number}`].join('-');
const requirement = (number: number, parties: Requirement['parties'] = ['server']): Requirement => ({
  id: id(number),
  level: 'must',
  section: 's',
  statement: 's',
  parties,
  observe: 'none',
  cost: 'free',
});
const long = 'A reason that explains in a whole sentence why nothing shows it.';

test('asks a party for what only shows at it, and counts', () => {
  mkdirSync(join(root, 'client'), { recursive: true });
  writeFileSync(join(root, 'client', 'some.test.ts'), `test('${id(1)}', () => {});`);
  writeFileSync(join(root, 'client', 'reasons.json'), JSON.stringify({ [id(2)]: long }));
  const party = { name: 'client', shown: new Set([]), tests: ['client'], reasons: 'client/reasons.json' } as const;
  const shownAtClient = { ...requirement(3), observe: 'client' } as const;
  const register = [requirement(1, ['client']), requirement(2, ['client', 'server']), shownAtClient, requirement(4)];
  expect(checkProofs(party, register, root)).toEqual({
    problems: [expect.stringMatching(/03 concerns the client/)],
    summary: 'client: 3 requirements, 1 shown, 1 with a reason',
  });
});

test.each<{ name: string; reasons: Record<string, string>; cites?: string; shown?: readonly string[]; want: RegExp[] }>(
  [
    { name: 'accepts a rule, a test and a reason', cites: id(2), shown: [id(1)], reasons: { [id(3)]: long }, want: [] },
    {
      name: 'reports a requirement that nothing shows',
      reasons: { [id(1)]: long, [id(2)]: long },
      want: [/03 concerns the server/],
    },
    {
      name: 'reports a reason for a tested requirement',
      cites: id(1),
      reasons: { [id(1)]: long, [id(2)]: long, [id(3)]: long },
      want: [/explains .*01/],
    },
    {
      name: 'reports a reason for a requirement of another party',
      shown: [id(1), id(2), id(3)],
      reasons: { [id(4)]: long },
      want: [/explains .*04/],
    },
    {
      name: 'reports a short reason',
      shown: [id(1), id(2)],
      reasons: { [id(3)]: 'no' },
      want: [/too short .*03/],
    },
    {
      name: 'reports a citation of an unknown requirement',
      cites: id(9),
      shown: [id(1), id(2), id(3)],
      reasons: {},
      want: [/cites .*09/],
    },
  ],
)('$name', ({ cites = '', shown = [], reasons, want }) => {
  mkdirSync(join(root, 'module'), { recursive: true });
  writeFileSync(join(root, 'module', 'some.test.ts'), `test('${cites}', () => {});`);
  writeFileSync(join(root, 'module', 'reasons.json'), JSON.stringify(reasons));
  const party = { name: 'server', shown: new Set(shown), tests: ['module'], reasons: 'module/reasons.json' } as const;
  const register = [requirement(1), requirement(2), requirement(3), requirement(4, ['client'])];
  const { problems } = checkProofs(party, register, root);
  expect(problems).toHaveLength(want.length);
  for (const [index, pattern] of want.entries()) expect(problems[index]).toMatch(pattern);
});

test('asks the gate for rules on what shows in exchanges', () => {
  mkdirSync(join(root, 'gate'), { recursive: true });
  writeFileSync(join(root, 'gate', 'reasons.yaml'), `${id(2)}: ${long}\n${id(4)}: ${long}\n`);
  const party = { name: 'gate', shown: new Set([id(1)]), tests: [], reasons: 'gate/reasons.yaml' } as const;
  const register = [1, 2, 3].map((number) => ({ ...requirement(number), observe: 'exchange' as const }));
  expect(checkProofs(party, [...register, requirement(4)], root).problems).toEqual([
    expect.stringMatching(/03 concerns the gate, but nothing shows it/),
    expect.stringMatching(/explains .*04, which needs no reason/),
  ]);
});

test('refuses two reasons for one requirement', () => {
  writeFileSync(join(root, 'twice.yaml'), `${id(1)}: ${long}\n${id(1)}: ${long}\n`);
  const party = { name: 'gate', shown: new Set<string>(), tests: [], reasons: 'twice.yaml' } as const;
  expect(() => checkProofs(party, [], root)).toThrow(/unique/);
});
