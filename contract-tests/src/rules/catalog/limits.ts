import { type Answer, memberOf, responseOf } from '../../answer.ts';
import type { Draft } from '../../finding.ts';
import { finding, requireMember, requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { hasCapability } from '../../target.ts';
import { exactly } from '../vocabulary/matchers.ts';
import { list } from '../vocabulary/router-steps.ts';

const needs = ['catalog.list.answers-with-200', 'catalog.page.has-its-members'];
// A mock repeats one example whatever the limit.
const appliesTo = hasCapability('state');

function applied(page: Answer, size: number): readonly Draft[] {
  const status = requireStatus(page, 200);
  return status.length > 0 ? status : requireMember(page, '/limit', exactly(size));
}

function sizeFindings(page: Answer): readonly Draft[] {
  const [data, limit] = [memberOf(page, '/data'), memberOf(page, '/limit')];
  if (page.status !== 200 || !Array.isArray(data) || typeof limit !== 'number' || data.length <= limit) return [];
  const at = { step: page.step, pointer: '/data' };
  return [finding('value-unexpected', at, { expected: `at most ${limit} entries`, actual: `${data.length} entries` })];
}

/** Whatever a server makes of a limit above the maximum, it cannot have applied more than 100. */
function neverAbove(page: Answer): readonly Draft[] {
  const limit = memberOf(page, '/limit');
  return page.status === 200 && typeof limit === 'number' && limit > 100
    ? requireMember(page, '/limit', exactly(100))
    : [];
}

type LimitRule = { id: string; requirement: string; limits: readonly string[]; size: number };
const limits: readonly LimitRule[] = [
  { id: 'catalog.limit.absent-selects-twenty', requirement: 'MR-CAT-12', limits: [''], size: 20 },
  {
    id: 'catalog.limit.above-hundred-is-clamped',
    requirement: 'MR-CAT-13',
    // The last one does not fit 32 bits.
    limits: ['101', '1000', '100000', '5000000000'],
    size: 100,
  },
  { id: 'catalog.limit.zero-selects-twenty', requirement: 'MR-CAT-14', limits: ['0'], size: 20 },
  { id: 'catalog.limit.negative-selects-twenty', requirement: 'MR-CAT-15', limits: ['-1', '-100'], size: 20 },
];

export const catalogLimitRules: readonly Rule[] = [
  ...limits.map(({ id, requirement, limits: asked, size }) =>
    defineRule({
      id,
      family: 'catalog',
      requirements: [requirement],
      needs,
      api: 'router',
      appliesTo,
      probe: () => ({ steps: asked.map((limit) => list(`limit ${limit}`, limit === '' ? '' : `?limit=${limit}`)) }),
      judge: (evidence) => asked.flatMap((limit) => applied(responseOf(evidence, `limit ${limit}`), size)),
    }),
  ),
  defineRule({
    id: 'catalog.limit.applied-size-is-reported',
    family: 'catalog',
    requirements: ['MR-CAT-16'],
    needs,
    api: 'router',
    appliesTo,
    probe: () => ({
      steps: [
        list('one', '?limit=1'),
        list('seven', '?limit=7'),
        list('hundred', '?limit=100'),
        list('more', '?limit=101'),
      ],
    }),
    judge: (evidence) => [
      ...applied(responseOf(evidence, 'one'), 1),
      ...applied(responseOf(evidence, 'seven'), 7),
      ...applied(responseOf(evidence, 'hundred'), 100),
      ...neverAbove(responseOf(evidence, 'more')),
    ],
  }),
  defineRule({
    id: 'catalog.limit.lies-between-1-and-100',
    family: 'catalog',
    requirements: ['MR-CAT-29'],
    needs,
    api: 'router',
    probe: () => ({ steps: [list('default'), list('large', '?limit=250')] }),
    judge: (evidence) =>
      ['default', 'large']
        .map((name) => responseOf(evidence, name))
        .filter(({ status }) => status === 200)
        .flatMap((page) =>
          requireMember(page, '/limit', {
            expected: 'an integer from 1 to 100',
            is: (limit) => Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= 100,
          }),
        ),
  }),
  defineRule({
    id: 'catalog.page.holds-no-more-than-its-limit',
    family: 'catalog',
    requirements: ['MR-CAT-20'],
    needs,
    api: 'router',
    probe: () => ({ steps: [list('default'), list('one', '?limit=1'), list('three', '?limit=3')] }),
    judge: (evidence) => ['default', 'one', 'three'].flatMap((name) => sizeFindings(responseOf(evidence, name))),
  }),
  defineRule({
    id: 'catalog.limit.text',
    family: 'catalog',
    requirements: ['MR-CAT-12'],
    needs,
    api: 'router',
    appliesTo,
    probe: () => ({ steps: [list('text', '?limit=many')] }),
    judge: (evidence) => ({
      kind: 'observed',
      observation: `limit=many is answered with ${responseOf(evidence, 'text').status} (NS-30)`,
    }),
  }),
];
