import { expect, test } from 'vitest';
import { compositeAction, holds, injections, listChains, substitute, workflowJobs } from './workflow.ts';

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

test('a job that needs others runs after each of them', () => {
  const text = `
jobs:
  part: { strategy: { matrix: { part: [1, 2] } }, steps: [] }
  report: { needs: part, if: always(), steps: [] }
  drift: { steps: [] }
`;
  const chains = listChains(workflowJobs(text));
  expect(chains.map((chain) => chain.map(({ name }) => name))).toEqual([['part', 'part', 'report'], ['drift']]);
  expect(chains[0]?.map(({ always }) => always)).toEqual([false, false, true]);
  expect(() => workflowJobs('jobs: { a: { if: success(), steps: [] } }')).toThrow(/is not read here/);
});

test('an expression is replaced by its value, and one without a value is an error', () => {
  expect(substitute(`to ${naming('vars.URL')}`, { 'vars.URL': 'http://one' })).toBe('to http://one');
  expect(() => substitute(naming('vars.OTHER'), { 'vars.URL': '' })).toThrow(/vars.OTHER/);
});

test('a condition compares an output or an event with a text', () => {
  const names = { 'steps.drift.outputs.found': '1' };
  expect(holds("steps.drift.outputs.found == '1'", names)).toBe(true);
  expect(holds("steps.drift.outputs.found == '0'", names)).toBe(false);
  expect(holds("always() && steps.drift.outputs.found != ''", names)).toBe(true);
  expect(holds("always() && steps.other.outputs.found != ''", names)).toBe(false);
  expect(() => holds('github.ref', names)).toThrow(/is not read here/);
});

test('an expression in a script is named, and one in its environment is not', () => {
  const text = `
inputs: { args: { description: what, default: '' } }
runs:
  steps:
    - { run: 'echo ${naming('inputs.args')}' }
    - { run: 'echo "$ARGS"', env: { ARGS: '${naming('inputs.args')}' } }
`;
  const { inputs, steps } = compositeAction(text);
  expect(inputs).toEqual({ args: '' });
  expect(injections(steps)).toEqual([`an expression in the script echo ${naming('inputs.args')}`]);
  expect(() => compositeAction('inputs: { args: { default: x } }')).toThrow(/description and default/);
});
