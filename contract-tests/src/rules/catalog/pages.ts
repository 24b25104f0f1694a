import { responseOf } from '../../answer.ts';
import { requireHeader, requireMember, requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { filled, integer, list as listOf, optional, text, truth } from '../vocabulary/matchers.ts';
import { list } from '../vocabulary/router-steps.ts';

export const catalogPageRules: readonly Rule[] = [
  defineRule({
    id: 'catalog.list.answers-with-200',
    family: 'catalog',
    requirements: ['MR-CAT-17'],
    api: 'router',
    probe: () => ({ steps: [list('list')] }),
    judge: (evidence) => requireStatus(responseOf(evidence, 'list'), 200),
  }),
  defineRule({
    id: 'catalog.list.carries-request-id',
    family: 'catalog',
    requirements: ['MR-CAT-18', 'MR-HDR-01'],
    needs: ['catalog.list.answers-with-200'],
    api: 'router',
    probe: () => ({ steps: [list('list')] }),
    judge: (evidence, { headers }) => requireHeader(responseOf(evidence, 'list'), headers.requestId, filled),
  }),
  defineRule({
    id: 'catalog.page.has-its-members',
    family: 'catalog',
    requirements: ['MR-CAT-19', 'MR-CAT-21', 'MR-CAT-26', 'MR-CAT-28'],
    needs: ['catalog.list.answers-with-200'],
    api: 'router',
    probe: () => ({ steps: [list('list', '?limit=1')] }),
    judge: (evidence) => {
      const page = responseOf(evidence, 'list');
      return [
        ...requireMember(page, '/data', listOf),
        ...requireMember(page, '/has_more', truth),
        ...requireMember(page, '/limit', integer),
        ...requireMember(page, '/next_cursor', optional(text)),
      ];
    },
  }),
];
