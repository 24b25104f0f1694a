import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { runNode } from '../run-node.ts';
import { folderForTest } from './run-command.ts';

let folder = '';
beforeEach(() => {
  folder = folderForTest();
});

const lock = {
  packages: {
    '': { version: '1.0.0' },
    'node_modules/left': { version: '1.10.0' },
    'node_modules/right/node_modules/@acme/left': { version: '2.0.0-rc.1' },
    'node_modules/other-name': { name: 'renamed', version: '7.0.2' },
  },
};
const advisory = (id: string, name: string, affected: object, more: object = {}) => ({
  id,
  ...more,
  affected: [{ package: { ecosystem: 'npm', name }, ...affected }],
});
const within = (...events: object[]) => ({ ranges: [{ type: 'SEMVER', events }] });

async function check(database?: string) {
  const [file, lockFile] = [join(folder, 'osv.json'), join(folder, 'package-lock.json')];
  if (database !== undefined) writeFileSync(file, database);
  writeFileSync(lockFile, JSON.stringify(lock));
  return runNode(['scripts/tests/check-advisories.ts', file, lockFile]);
}

const met = [
  advisory('A-1', 'left', within({ introduced: '0' }, { fixed: '1.10.1' }), { summary: '::error::owned\n##[x]' }),
  advisory('A-2', '@acme/left', within({ introduced: '2.0.0-rc.0' }, { fixed: '2.0.0' })),
  advisory('A-3', 'renamed', { versions: ['7.0.2'] }),
  advisory('A-4', 'left', within({ introduced: '1.2.0' }, { last_affected: '1.10.0' })),
];
const unmet = [
  advisory('B-1', 'left', within({ introduced: '0' }, { fixed: '1.9.0' }, { introduced: '1.11.0' })),
  advisory('B-2', '@acme/left', within({ introduced: '2.0.0' })),
  advisory('B-3', 'other-name', within({ introduced: '0' })),
  advisory('B-4', 'left', within({ introduced: '0' }), { withdrawn: '2026-01-01T00:00:00Z' }),
  advisory('B-5', 'left', { ranges: [{ type: 'GIT', events: [{ introduced: '0' }] }] }),
];

test.each([
  ['a list', JSON.stringify([...met, ...unmet])],
  ['one advisory per line', [...met, ...unmet].map((one) => JSON.stringify(one)).join('\n')],
])('reports the advisories that apply to installed versions, from %s', async (_, database) => {
  const { code, out } = await check(database);
  expect([code, [...out.matchAll(/"([AB]-\d)"/g)].map(([, id]) => id).sort()]).toEqual([
    1,
    ['A-1', 'A-2', 'A-3', 'A-4'],
  ]);
  expect(out).not.toMatch(/^\s*::|##\[/m);
});

test('a lockfile passes if no advisory applies, and is not checked if there is no database', async () => {
  expect(await check(JSON.stringify({ vulns: unmet }))).toMatchObject({
    code: 0,
    out: '3 packages, 5 advisories, 0 findings\n',
  });
  rmSync(join(folder, 'osv.json'));
  expect(await check()).toMatchObject({ code: 0, out: expect.stringContaining('not checked') });
  expect(await check('[]')).toMatchObject({ code: 1, out: expect.stringContaining('not checked') });
});
