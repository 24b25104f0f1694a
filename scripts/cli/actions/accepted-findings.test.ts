import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reportFormats } from '../../../contract-tests/src/report/formats.ts';
import { fakeIo } from '../../tests/fake-io.ts';
import { folderForFile } from '../../tests/run-command.ts';
import { runProgram } from '../program.ts';

const folder = folderForFile();

const rules = '--rule catalog.list.* passive.header.request-id-everywhere';
const fault = '--fault catalog.list.request-id-missing';
const failing = 'passive.header.request-id-everywhere';
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

async function conform(flags: string, env: Record<string, string> = {}, answers: readonly string[] = []) {
  const asked = [...answers];
  const io = { ...fakeIo({ env, workingFolder: folder }), ask: async () => asked.shift() ?? '' };
  const code = await runProgram(`conform --target sandbox ${rules} ${flags}`.split(' '), io);
  return { code, ...io.written };
}

test('conform --write-baseline accepts the current findings, and a later check reports a fixed finding', async () => {
  const summary = join(folder, 'summary.md');
  const first = await conform(`--out one ${fault}`, { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary });
  expect(first.code).toBe(1);
  expect(first.out).toContain(`failed ${failing}: Every response of the router has its request id.`);
  expect(first.out).toContain('::error title=Rule violated%3A Every response of the router has its request id.::');
  expect(first.out).toMatch(/ {3}curl -sS -i -H "X-API-Key: \$\{SWITCHYARD_API_KEY\}"/);
  expect(readFileSync(summary, 'utf8')).toContain('## 1 of');
  expect(readdirSync(join(folder, 'one')).toSorted()).toEqual([
    '.gitignore',
    'exchanges',
    'junit.xml',
    'report.html',
    'result.json',
  ]);

  const own =
    '# Ours: ask the router team.\nwaivers:\n  - rule: catalog.gone\n    reason: x\n    owner: y\n    expires: 2999-01-01\n';
  writeFileSync(join(folder, 'conform-waivers.yaml'), own);
  const baseline = await conform(`--out two ${fault} --write-baseline --owner team-router`, {}, ['known at first']);
  expect([baseline.code, baseline.err]).toEqual([0, expect.stringContaining('conform-waivers.yaml')]);
  expect(read('conform-waivers.yaml')).toContain(
    `rule: ${failing}\n    reason: known at first\n    owner: team-router\n`,
  );
  expect(read('conform-waivers.yaml')).toMatch(/^# Ours: ask the router team\.\nwaivers:\n {2}- rule: passive\./);
  expect(baseline.out).toContain('1 failed (1 waived)');

  const fixed = await conform('--out three --compare one/result.json');
  expect(fixed.code).toBe(1);
  expect(fixed.out).toContain(`waiver of ${failing}: the rule passed: remove the waiver`);
  expect(fixed.out).toContain(`fixed: ${failing}`);
  expect(fixed.out).toContain('since the earlier check: 0 new, 1 fixed, 0 lasting');
  expect(fixed.out).not.toContain('::error');
});

test('conform writes the report formats in the flag, or else those in the configuration, and keeps no exchanges of passed rules', async () => {
  writeFileSync(join(folder, 'formats.mjs'), `export default { conform: { report: ['markdown'] } };`);
  await conform('--out four --config ./formats.mjs');
  await conform('--out five --config ./formats.mjs --report sarif,markdown --verbose');
  const always = ['.gitignore', 'junit.xml', 'report.html', 'result.json'];
  const namesIn = (name: string) => new Set(readdirSync(join(folder, name)));
  expect(namesIn('four')).toEqual(new Set([...always, 'report.md']));
  expect(namesIn('five')).toEqual(new Set([...always, 'exchanges', 'report.md', 'report.sarif']));
  expect(readdirSync(join(folder, 'five/exchanges'))).toEqual([expect.stringMatching(/^catalog\.list\./)]);
});

test.each([
  ['a baseline without an owner', '--write-baseline --reason known', 'needs --owner and --reason; owner is missing'],
  ['a waiver file that does not exist', '--waivers none.yaml', 'none.yaml'],
  ['an unknown report format', '--report sarif,har', `must be one or more of ${reportFormats.join(', ')}`],
  ['an earlier result that is not a result', '--compare other.json', 'is not a result.json of this version of conform'],
])('conform rejects %s before any request is sent', async (_, flags, message) => {
  writeFileSync(join(folder, 'other.json'), '{}');
  const { code, err } = await conform(flags);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});
