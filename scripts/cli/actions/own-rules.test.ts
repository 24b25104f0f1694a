import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { sandboxCredentials } from '../../../sandbox/src/index.ts';
import { packageRoot } from '../../../specs/src/index.ts';
import { folderForFile, runCommand } from '../../tests/run-command.ts';
import { withSandbox } from '../../tests/with-sandbox.ts';

const entry = pathToFileURL(join(packageRoot(), 'scripts/rules.ts')).href;
const folder = folderForFile();

const run = (line: string, env: Record<string, string> = {}) => runCommand(line.split(' '), folder, env);

/** Writes a configuration and, next to it, a file with custom rules that has this name. */
function write(name: string, rules: string, settings: object = {}): string {
  const conform = { ownRules: [`./${name}.rules.*`], ...settings };
  writeFileSync(join(folder, `${name}.config.mjs`), `export default ${JSON.stringify({ conform })};\n`);
  writeFileSync(
    join(folder, `${name}.rules.mts`),
    `import { expect, type Rule, rule, scenario } from '${entry}';\n${rules}\n`,
  );
  return `--config ${name}.config.mjs`;
}

const readModel = `
const read = scenario({}, async ({ model }) => ({ still: await model({ path: '/v2/models/image-provider/still-2.1' }) }));
const has = (id: string): Rule => rule(id, read, {
  sentence: 'The model of our app is in the catalog.',
  requirements: ['ACME-7'],
  check: ({ still }) => expect.on(still, expect.status(200, expect.member('/id', 'image-provider/still-2.1'))),
});`;

test('conform checks, reports, lists and waives custom rules like its own', async () => {
  const own = write('shown', `${readModel}\nexport const rules = [has('acme.catalog.has-the-model')];`);
  const check = `conform --target sandbox ${own} --rule acme.* model.unknown.*`;
  const fine = await run(`${check} --out fine`);
  expect(fine.code).toBe(0);
  const report = JSON.parse(readFileSync(join(folder, 'fine/result.json'), 'utf8'));
  const ids = report.results.map(({ ruleId }: { ruleId: string }) => ruleId);
  expect(ids).toEqual(expect.arrayContaining(['acme.catalog.has-the-model', 'model.unknown.is-not-found']));

  const broken = await run(`${check} --out broken --fault model.detail.of-another-model`);
  expect(broken.code).toBe(1);
  expect(broken.out).toContain('failed acme.catalog.has-the-model: The model of our app is in the catalog.');

  const waiver = 'reason: x\n    owner: y\n    expires: 2999-01-01';
  writeFileSync(join(folder, 'own.yaml'), `waivers:\n  - rule: acme.catalog.has-the-model\n    ${waiver}\n`);
  const waived = await run(`${check} --out waived --waivers own.yaml --fault model.detail.of-another-model`);
  expect(waived.out).toContain('(1 waived)');

  expect((await run(`conform --list-rules ${own}`)).out).toContain('acme.catalog.has-the-model  free ACME-7\n');
});

test('a rule has the outcome errored if it reads a response that its scenario does not return', async () => {
  const misspelt = readModel.replace('({ still }) => expect.on(still,', '({ stil }) => expect.on(stil,');
  const own = write('misspelt', `${misspelt}\nexport const rules = [has('acme.catalog.misspelt')];`);
  const { code, out } = await run(`conform --target sandbox ${own} --rule acme.* --out misspelt`);
  expect([code, out]).toEqual([
    3,
    expect.stringContaining('the rule reads "stil", which its scenario does not return; it returns still'),
  ]);
});

test('runs of custom rules count against the budget', async () => {
  const own = write(
    'billed',
    `
const twice = scenario({ cost: 'billed' }, async ({ run, authored }) => ({
  first: await run(authored),
  second: await run(authored),
}));
export const rules = [rule('acme.run.can-be-repeated', twice, {
  sentence: 'A run can be repeated.',
  requirements: ['ACME-8'],
  check: ({ first, second }) => expect.on([first, second], expect.status(200)),
})];`,
    { live: { models: [{ id: 'image-provider/still-2.1', input: { prompt: 'A quay' } }] } },
  );
  await withSandbox(async ({ url, sandbox }) => {
    const env = { SWITCHYARD_API_KEY: sandboxCredentials.router.main };
    const { code } = await run(`conform --router-url ${url} ${own} --rule acme.* --budget 1 --out billed`, env);
    const { budget, results } = JSON.parse(readFileSync(join(folder, 'billed/result.json'), 'utf8'));
    expect([code, budget.used, sandbox.ledger().dispatches]).toEqual([4, 1, 1]);
    expect(results[0].outcome).toMatchObject({ kind: 'not-applicable', because: expect.stringMatching(/budget/) });
    const runs = readFileSync(join(folder, 'billed/runs.jsonl'), 'utf8');
    expect(runs).toContain('"ruleId":"acme.run.can-be-repeated"');
  });
});

test.each([
  ['an id in a built-in family', `${readModel}\nexport const rules = [has('model.is-there')];`, /begin with a word/],
  ['an id that is a single word', `${readModel}\nexport const rules = [has('acme')];`, /begin with a word/],
  [
    'the same id twice',
    `${readModel}\nexport const rules = [has('acme.one'), has('acme.one')];`,
    /a rule acme\.one already exists/,
  ],
  ['no rules', `export const others = [];`, /must export rules, an array/],
  ['something other than rules', `export const rules = [{ id: 'acme.one' }];`, /must export rules, an array/],
  ['a mistake in the code', `export const rules = [missing()];`, /cannot be loaded: missing is not defined/],
])('conform rejects a file with custom rules with %s before anything is sent', async (name, rules, says) => {
  const own = write(name.replaceAll(' ', '-'), rules);
  const { code, err } = await run(`conform --target sandbox ${own}`);
  expect([code, err]).toEqual([2, expect.stringMatching(says)]);
});

// Runs in a separate process, because the test runner has its own way of loading files.
test('conform suggests the file extensions for rules in a CommonJS package', () => {
  const project = mkdtempSync(join(folder, 'commonjs-'));
  writeFileSync(join(project, 'package.json'), '{ "type": "commonjs" }');
  writeFileSync(join(project, 'rules.ts'), 'import {} from "node:fs"; export const rules = [];');
  writeFileSync(join(project, 'switchyard.config.mjs'), `export default { conform: { ownRules: ['./rules.ts'] } };`);
  const command = [join(packageRoot(), 'scripts/switchyard.ts'), 'conform', '--target', 'sandbox'];
  const { status, stderr } = spawnSync(process.execPath, command, { cwd: project, encoding: 'utf8' });
  expect([status, stderr]).toEqual([2, expect.stringContaining('end its name with .mts or .mjs')]);
});

test('conform rejects a pattern of conform.ownRules that matches no file', async () => {
  const own = write('none', 'export const rules = [];', { ownRules: ['./elsewhere/*.ts'] });
  const { code, err } = await run(`conform --target sandbox ${own}`);
  expect([code, err]).toEqual([2, expect.stringContaining('no file matches "./elsewhere/*.ts"')]);
});

test('only conform loads the files of conform.ownRules', async () => {
  const own = write('unread', `throw new Error('it was loaded');`);
  expect((await run(`doctor --router-url http://127.0.0.1:1 ${own}`)).err).not.toContain('it was loaded');
});
