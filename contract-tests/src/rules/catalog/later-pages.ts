import { resolvePointer } from '../../../../specs/src/index.ts';
import { type Answer, memberOf, responseOf, wasAnswered } from '../../answer.ts';
import type { Draft } from '../../finding.ts';
import type { Evidence, Probe, ProbeRequest, Step } from '../../probe.ts';
import { finding, requireMember, requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { get, stepFrom } from '../../steps.ts';
import { hasCapability } from '../../target.ts';
import { exactly } from '../vocabulary/matchers.ts';
import { list } from '../vocabulary/router-steps.ts';

const family = 'catalog';
const api = 'router';
const needs = ['catalog.list.answers-with-200', 'catalog.page.has-its-members'];
const appliesTo = hasCapability('state');

/** The page after that of another step. */
function pageAfter(before: string, name: string, limit: string): Step {
  return stepFrom(name, (earlier): ProbeRequest | undefined => {
    const cursor = wasAnswered(earlier, before) ? memberOf(responseOf(earlier, before), '/next_cursor') : undefined;
    if (typeof cursor !== 'string' || cursor === '') return undefined;
    return get(api, `/v2/models?cursor=${encodeURIComponent(cursor)}${limit}`);
  });
}

const onward = (): Probe => ({
  steps: [
    { ...list('first', '?limit=2'), mustAnswer: [200] },
    pageAfter('first', 'second', '&limit=2'),
    pageAfter('second', 'third', '&limit=2'),
    pageAfter('first', 'with-another-limit', '&limit=3'),
    pageAfter('first', 'without-a-limit', ''),
  ],
});

function lengthOf(page: Answer): number {
  const data = memberOf(page, '/data');
  return Array.isArray(data) ? data.length : 0;
}

function firstIdOf(page: Answer): unknown {
  return resolvePointer(memberOf(page, '/data') ?? [], '/0/id');
}

function ofTwo(page: Answer): readonly Draft[] {
  if (page.status !== 200) return requireStatus(page, 200);
  const at = { step: page.step, pointer: '/data' };
  const said = { expected: 'at most 2 entries', actual: `${lengthOf(page)} entries` };
  return [
    ...requireMember(page, '/limit', exactly(2)),
    ...(lengthOf(page) > 2 ? [finding('value-unexpected', at, said)] : []),
  ];
}

/** A cursor may be refused under another limit; what it never does is lead back to the first page. */
function restarts(evidence: Evidence, name: string): readonly Draft[] {
  if (!wasAnswered(evidence, name)) return [];
  const [answer, first] = [responseOf(evidence, name), responseOf(evidence, 'first')];
  const id = firstIdOf(answer);
  if (answer.status !== 200 || id === undefined || id !== firstIdOf(first)) return [];
  const said = { expected: 'a refusal, or a page after the first', actual: `${id}, as on the first page` };
  return [finding('value-unexpected', { step: name, pointer: '/data/0/id' }, said)];
}

/** By a limit of our own and by the server's: the whole is larger than either page. */
const pages = { 'of-one': '?limit=1', 'of-the-usual-size': '' } as const;

export const catalogLaterPageRules: readonly Rule[] = [
  defineRule({
    id: 'catalog.limit.holds-on-later-pages',
    family,
    requirements: ['MR-CAT-16', 'MR-CAT-20'],
    needs,
    api,
    appliesTo,
    probe: onward,
    judge: (evidence) =>
      ['second', 'third']
        .filter((name) => wasAnswered(evidence, name))
        .flatMap((name) => ofTwo(responseOf(evidence, name))),
  }),
  defineRule({
    id: 'catalog.cursor.under-another-limit-never-restarts',
    family,
    requirements: ['MR-CAT-52'],
    needs,
    api,
    appliesTo,
    probe: onward,
    judge: (evidence) => ['with-another-limit', 'without-a-limit'].flatMap((name) => restarts(evidence, name)),
  }),
  defineRule({
    id: 'catalog.page.shorter-than-the-catalog-says-so',
    family,
    requirements: ['MR-CAT-22'],
    needs,
    api,
    appliesTo,
    probe: () => ({
      steps: [list('all', '?limit=100'), ...Object.entries(pages).map(([name, query]) => list(name, query))],
    }),
    judge: (evidence) => {
      const known = lengthOf(responseOf(evidence, 'all'));
      return Object.keys(pages).flatMap((name) => {
        const page = responseOf(evidence, name);
        return page.status === 200 && lengthOf(page) < known ? requireMember(page, '/has_more', exactly(true)) : [];
      });
    },
  }),
];
