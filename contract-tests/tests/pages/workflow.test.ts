import { expect, test } from 'vitest';
import { holds, substitute, workflowJobs } from './workflow.ts';

/** An expression of GitHub. */
const naming = (name: string): string => `$\{{ ${name} }}`;

test('a job with a matrix is one job for each of its values', () => {
  const text = `
env: { A: '1' }
jobs:
  gate:
    strategy: { matrix: { target: [mock, sandbox] } }
    env: { B: '2' }
    steps: [{ run: 'echo ${naming('matrix.target')}', if: always() }]
`;
  const jobs = workflowJobs(text);
  expect(jobs.map(({ matrix }) => matrix)).toEqual([{ target: 'mock' }, { target: 'sandbox' }]);
  expect(jobs[0]).toMatchObject({ env: { A: '1', B: '2' }, steps: [{ condition: 'always()', uses: undefined }] });
});

test('an expression is replaced by its value, and one without a value is an error', () => {
  expect(substitute(`to ${naming('vars.URL')}`, { 'vars.URL': 'http://one' })).toBe('to http://one');
  expect(() => substitute(naming('vars.OTHER'), { 'vars.URL': '' })).toThrow(/vars.OTHER/);
});

test('a condition compares the output of a step', () => {
  const names = { 'steps.drift.outputs.found': '1' };
  expect(holds("steps.drift.outputs.found == '1'", names)).toBe(true);
  expect(holds("steps.drift.outputs.found == '0'", names)).toBe(false);
  expect(() => holds('github.ref', names)).toThrow(/is not read here/);
});
