import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../../specs/src/index.ts';
import { injections, type Step } from './workflow.ts';

const read = (name: string): string => readFileSync(join(packageRoot(), name), 'utf8');
const { scripts } = JSON.parse(read('package.json'));
const workflows = globSync('.github/workflows/*.yml', { cwd: packageRoot() });
const jobsOf = (name: string): { steps: Step[]; 'timeout-minutes'?: number }[] => Object.values(parse(read(name)).jobs);

test.each([...workflows, 'action.yml'])('%s takes each action by its digest, with its version', (name) => {
  const uses = [...read(name).matchAll(/uses: (.+)/g)].map(([, action]) => action);
  expect(uses).not.toEqual([]);
  for (const action of uses) expect(action).toMatch(/^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test.each(workflows)('%s may read only, ends in time, and starts scripts that exist', (name) => {
  expect(parse(read(name)).permissions).toEqual({ contents: 'read' });
  for (const { steps, 'timeout-minutes': minutes } of jobsOf(name)) {
    expect(minutes).toBeGreaterThan(0);
    expect(injections(steps)).toEqual([]);
    const started = steps.flatMap(({ run = '' }) => /^npm (?:run )?(?!ci|sbom)([\w:-]+)/.exec(run)?.[1] ?? []);
    for (const script of started) expect(Object.keys(scripts)).toContain(script);
  }
});

test('the tests run on each Node and system that the package names', () => {
  const { matrix } = parse(read('.github/workflows/test.yml')).jobs.test.strategy;
  expect(matrix).toEqual({ os: ['ubuntu-latest', 'macos-latest', 'windows-latest'], node: [20, 22, 24, 26] });
});
