import { type Answer, headerOf, responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Draft } from '../../finding.ts';
import { finding, requireHeader } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { hasCapability } from '../../target.ts';
import { wholeNumber, wholeNumberFromZero } from '../vocabulary/matchers.ts';
import { run } from '../vocabulary/router-steps.ts';

const family = 'run';
const api = 'router';
const cost = 'billed';
const needs = ['run.result.comes-in-the-same-answer'];
const runOne = (context: ProbeContext) => ({ steps: [run('run', context.model('authored'))] });

function spendOf(answer: Answer, part: string): number | undefined {
  const value = headerOf(answer, `X-Committed-Spend-${part}`);
  return value === undefined || !/^-?\d+$/.test(value.trim()) ? undefined : Number(value);
}

/** Remaining is what is left under the cap, never below zero (MR-HDR-20, MR-HDR-21). */
function spendFindings(answer: Answer): readonly Draft[] {
  const [limit, current, remaining] = ['Limit', 'Current', 'Remaining'].map((part) => spendOf(answer, part));
  if (limit === undefined || current === undefined || remaining === undefined) return [];
  const expected = Math.max(0, limit - current);
  const at = { step: answer.step, header: 'X-Committed-Spend-Remaining' };
  return remaining === expected
    ? []
    : [finding('values-differ', at, { expected: String(expected), actual: String(remaining) })];
}

export function spendHeaderFindings(answer: Answer): readonly Draft[] {
  return [
    ...requireHeader(answer, 'X-Committed-Spend-Limit', wholeNumber),
    ...requireHeader(answer, 'X-Committed-Spend-Current', wholeNumber),
    ...requireHeader(answer, 'X-Committed-Spend-Remaining', wholeNumberFromZero),
  ];
}

export const runSpendRules: readonly Rule[] = [
  defineRule({
    id: 'run.result.states-committed-spend',
    family,
    requirements: ['MR-RUN-35', 'MR-RUN-36', 'MR-RUN-37', 'MR-HDR-17', 'MR-HDR-19', 'MR-HDR-20', 'MR-HDR-21'],
    needs,
    api,
    cost,
    probe: runOne,
    judge: (evidence) => spendHeaderFindings(responseOf(evidence, 'run')),
  }),
  defineRule({
    id: 'run.result.spend-adds-up',
    family,
    requirements: ['MR-HDR-20'],
    needs: ['run.result.states-committed-spend'],
    api,
    cost,
    appliesTo: hasCapability('state'),
    probe: runOne,
    judge: (evidence) => spendFindings(responseOf(evidence, 'run')),
  }),
];
