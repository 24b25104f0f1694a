import { describe, expect, test } from 'vitest';
import type { Requirement } from '../specs/src/index.ts';
import {
  parseUnobservable,
  readUnobservable,
  renderTraceability,
  type Traced,
  traceabilityProblems,
} from './traceability.ts';

const requirement = (id: string, observe: Requirement['observe'] = 'exchange'): Requirement => ({
  id,
  observe,
  level: 'must',
  section: '1',
  statement: `What ${id} | says <here>.`,
  parties: ['server'],
  cost: 'free',
  provoke: 'ask',
});
const because = 'It permits what nobody is bound to do, so that every answer conforms.';
const traced: Traced = {
  requirements: [requirement('MR-ONE-01'), requirement('MR-ONE-02', 'scenario'), requirement('WX-TWO-01', 'static')],
  rules: [
    { id: 'b.rule', requirements: ['MR-ONE-01'] },
    { id: 'a.rule', requirements: ['MR-ONE-01', 'WX-TWO-01'] },
  ],
  faults: [{ id: 'a.fault', requirements: ['MR-ONE-01'] }],
  reasons: [{ id: 'MR-ONE-02', because }],
};

test('lists the rules and faults of each requirement that shows in exchanges', () => {
  expect(renderTraceability(traced)).toMatchInlineSnapshot(`
    "# Requirements, rules and faults

    Generated from the register, the rules of the gate and the faults of the sandbox; do not edit. Listed are the requirements
    that show in exchanges with a server. The others are read from the documents, or concern callers only.

    - requirements that show in exchanges: 2
    - cited by a rule: 1
    - with a fault that breaks them: 1
    - that no black-box client could show broken, with the reason: 1

    ## MR-ONE

    | requirement | rules | faults |
    |---|---|---|
    | **MR-ONE-01** What MR-ONE-01 \\| says &lt;here>. | \`a.rule\`<br>\`b.rule\` | \`a.fault\` |
    | **MR-ONE-02** What MR-ONE-02 \\| says &lt;here>. | none: It permits what nobody is bound to do, so that every answer conforms. |  |
    "
  `);
});

describe('reports', () => {
  test.each<{ name: string; given: Partial<Traced>; want: RegExp | undefined }>([
    { name: 'nothing', given: {}, want: undefined },
    { name: 'neither rule nor reason', given: { reasons: [] }, want: /MR-ONE-02 is cited by no rule/ },
    {
      name: 'a reason beside a rule',
      given: { reasons: [...traced.reasons, { id: 'MR-ONE-01', because }] },
      want: /MR-ONE-01 has a reason .* but a rule cites it/,
    },
    {
      name: 'a reason for nothing',
      given: { reasons: [...traced.reasons, { id: 'MR-NIX-01', because }] },
      want: /MR-NIX-01, which is not in the register/,
    },
  ])('$name', ({ given, want }) => {
    const problems = traceabilityProblems({ ...traced, ...given });
    if (want === undefined) expect(problems).toEqual([]);
    else expect(problems.join()).toMatch(want);
  });
});

describe('unobservable.yaml', () => {
  test('gives a reason for each requirement in it', () => {
    expect(readUnobservable().length).toBeGreaterThan(0);
  });

  test.each([
    { name: 'no list', given: {}, want: 'is not a list' },
    { name: 'an entry without a reason', given: [{ id: 'MR-ONE-01' }], want: 'lacks id or because' },
    {
      name: 'a reason that says nothing',
      given: [{ id: 'MR-ONE-01', because: 'cannot be seen' }],
      want: 'says too little',
    },
    { name: 'two reasons', given: [1, 2].map(() => ({ id: 'MR-ONE-01', because })), want: 'two reasons for MR-ONE-01' },
    {
      name: 'more than sixty',
      given: Array.from({ length: 61 }, (_, index) => ({ id: `MR-ONE-${index}`, because })),
      want: '61 reasons; 60 at most',
    },
  ])('rejects $name', ({ given, want }) => {
    expect(() => parseUnobservable(given)).toThrow(want);
  });
});
