import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../../specs/src/index.ts';
import { codeBlocks } from './code-blocks.ts';
import { injections, type Step } from './workflow.ts';

const read = (name: string): string => readFileSync(join(packageRoot(), name), 'utf8');
const { scripts } = JSON.parse(read('package.json'));
const workflows = globSync('.github/workflows/*.yml', { cwd: packageRoot() });
const jobsOf = (name: string): { steps: Step[]; 'timeout-minutes'?: number }[] => Object.values(parse(read(name)).jobs);

const ofReaders = ['templates/init/github.yml', ...globSync('docs/how-to/ci-*.md', { cwd: packageRoot() })].filter(
  (name) => read(name).includes('actions/checkout@'),
);

test.each([...workflows, 'action.yml', ...ofReaders])(
  '%s takes each action by its digest, with its version',
  (name) => {
    const all = [...read(name).matchAll(/uses: (.+)/g)].map(([, action = '']) => action);
    const uses = all.filter((action) => !/^(?:\.\/|OWNER)/.test(action)); // the action of this package
    expect(uses).not.toEqual([]);
    for (const action of uses) expect(action).toMatch(/^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  },
);

test.each(workflows)('%s may read only, ends in time, and starts scripts that exist', (name) => {
  expect(parse(read(name)).permissions).toEqual({ contents: 'read' });
  for (const { steps, 'timeout-minutes': minutes } of jobsOf(name)) {
    expect(minutes).toBeGreaterThan(0);
    expect(injections(steps)).toEqual([]);
    const started = steps.flatMap(({ run = '' }) => /^npm (?:run )?(?!ci|sbom)([\w:-]+)/.exec(run)?.[1] ?? []);
    for (const script of started) expect(Object.keys(scripts)).toContain(script);
  }
});

test.each(ofReaders)('%s leaves no token in the checkout, unless a step pushes', (name) => {
  const texts = name.endsWith('.yml')
    ? [read(name).replaceAll('[[install]]', 'npm ci').replaceAll('[[', '').replaceAll(']]', '')]
    : codeBlocks(name).flatMap(({ language, text }) => (language === 'yaml' && text.includes('uses:') ? [text] : []));
  const jobs = texts.flatMap((text): { steps: Step[] }[] => Object.values(parse(text).jobs));
  expect(jobs).not.toEqual([]);
  for (const { steps } of jobs) {
    const [checkout] = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    const pushes = steps.some(({ run }) => run?.includes('git push'));
    expect(checkout?.with).toMatchObject(pushes ? {} : { 'persist-credentials': false });
  }
});

test('the tests run on each Node and system that the package names', () => {
  const { matrix } = parse(read('.github/workflows/test.yml')).jobs.test.strategy;
  expect(matrix).toEqual({ os: ['ubuntu-latest', 'macos-latest', 'windows-latest'], node: [20, 22, 24, 26] });
});
