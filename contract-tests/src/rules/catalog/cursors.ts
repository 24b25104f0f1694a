import { resolvePointer } from '../../../../specs/src/index.ts';
import { type Answer, memberOf, responseOf, wasAnswered } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Draft } from '../../finding.ts';
import type { Evidence, Probe, Step } from '../../probe.ts';
import { excerpt, finding, requireHeader, requireMember, requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { get, stepFrom } from '../../steps.ts';
import { hasCapability } from '../../target.ts';
import { exactly, optional, textUpTo } from '../vocabulary/matchers.ts';
import { list } from '../vocabulary/router-steps.ts';

const needs = ['catalog.list.answers-with-200', 'catalog.page.has-its-members'];
const appliesTo = hasCapability('state');
const malformed = '?cursor=not-a-cursor';
const mostPages = 12;

/** Pages small enough that a catalog of any size fills several. */
function pageSizeFor({ survey }: ProbeContext): number {
  return Math.min(Math.max(Math.ceil(survey.listed.length / 4), 1), 100);
}

function nextCursor(page: Answer): string | undefined {
  const cursor = memberOf(page, '/next_cursor');
  return memberOf(page, '/has_more') === true && typeof cursor === 'string' ? cursor : undefined;
}

function pageStep(number: number, limit: number): Step {
  if (number === 1) return list('page-1', `?limit=${limit}`);
  return stepFrom(`page-${number}`, (earlier) => {
    const before = `page-${number - 1}`;
    const cursor = wasAnswered(earlier, before) ? nextCursor(responseOf(earlier, before)) : undefined;
    return cursor === undefined
      ? undefined
      : get('router', `/v2/models?limit=${limit}&cursor=${encodeURIComponent(cursor)}`);
  });
}

function pagesOf(evidence: Evidence): readonly Answer[] {
  const names = Array.from({ length: mostPages }, (_, index) => `page-${index + 1}`);
  return names.filter((name) => wasAnswered(evidence, name)).map((name) => responseOf(evidence, name));
}

function traverse(context: ProbeContext): Probe {
  const limit = pageSizeFor(context);
  return { steps: Array.from({ length: mostPages }, (_, index) => pageStep(index + 1, limit)) };
}

function idsOn(page: Answer): readonly string[] {
  const data = memberOf(page, '/data');
  const ids = Array.isArray(data) ? data.map((entry) => resolvePointer(entry, '/id')) : [];
  return ids.filter((id) => typeof id === 'string');
}

function pageFindings(page: Answer, earlier: readonly Answer[]): readonly Draft[] {
  const status = requireStatus(page, 200);
  if (status.length > 0 || memberOf(page, '/has_more') !== true) return status;
  const at = { step: page.step, pointer: '/next_cursor' };
  const cursor = nextCursor(page);
  // C-37: without a cursor the promised page cannot be asked for.
  if (cursor === undefined)
    return [finding('value-unexpected', at, { expected: 'a cursor beside has_more', actual: 'absent' })];
  const repeats = earlier.some((other) => nextCursor(other) === cursor);
  return repeats ? [finding('value-unexpected', at, { expected: 'a cursor not given before', actual: cursor })] : [];
}

export const catalogCursorRules: readonly Rule[] = [
  defineRule({
    id: 'catalog.traversal.goes-on-to-its-end',
    family: 'catalog',
    requirements: ['MR-CAT-22', 'MR-CAT-25'],
    needs,
    api: 'router',
    appliesTo,
    probe: traverse,
    judge: (evidence) => {
      const pages = pagesOf(evidence);
      return pages.flatMap((page, index) => pageFindings(page, pages.slice(0, index)));
    },
  }),
  defineRule({
    id: 'catalog.traversal.shows-each-model-once',
    family: 'catalog',
    requirements: ['MR-CAT-22', 'MR-CAT-19'],
    needs: ['catalog.traversal.goes-on-to-its-end'],
    api: 'router',
    appliesTo,
    probe: traverse,
    judge: (evidence, { survey, kind }) => {
      const seen = pagesOf(evidence).flatMap(idsOn);
      const isWhole = seen.length >= survey.listed.length || pagesOf(evidence).length < mostPages;
      const missing = isWhole ? survey.listed.filter((id) => !seen.includes(id)) : [];
      const twice = seen.filter((id, index) => seen.indexOf(id) !== index);
      const actual = [...missing.map((id) => `${id} missing`), ...twice.map((id) => `${id} twice`)].join(', ');
      if (actual === '') return [];
      // A traversal is no snapshot (MR-CAT-10): elsewhere the catalog may have changed meanwhile.
      if (kind !== 'sandbox') return { kind: 'observed', observation: excerpt(actual) };
      return [finding('values-differ', { step: 'page-1' }, { expected: 'each model once', actual: excerpt(actual) })];
    },
  }),
  defineRule({
    id: 'catalog.traversal.announces-the-next-page',
    family: 'catalog',
    requirements: ['MR-CAT-22'],
    needs,
    api: 'router',
    appliesTo,
    probe: () => ({ steps: [list('all', '?limit=100'), list('one', '?limit=1')] }),
    judge: (evidence) => {
      const all = memberOf(responseOf(evidence, 'all'), '/data');
      if (!Array.isArray(all) || all.length < 2) {
        return { kind: 'not-observable', because: 'the catalog fits one page of one entry' };
      }
      return requireMember(responseOf(evidence, 'one'), '/has_more', exactly(true));
    },
  }),
  defineRule({
    id: 'catalog.cursor.is-1-to-512-characters',
    family: 'catalog',
    requirements: ['MR-CAT-26', 'MR-CAT-27'],
    needs,
    api: 'router',
    probe: () => ({ steps: [list('one', '?limit=1')] }),
    judge: (evidence) => requireMember(responseOf(evidence, 'one'), '/next_cursor', optional(textUpTo(512))),
  }),
  defineRule({
    id: 'catalog.cursor.malformed-is-refused',
    family: 'catalog',
    requirements: ['MR-CAT-50', 'MR-CTG-02', 'MR-STC-01'],
    needs,
    api: 'router',
    appliesTo,
    probe: () => ({ steps: [list('malformed', malformed)] }),
    judge: (evidence, { headers }) => {
      const answer = responseOf(evidence, 'malformed');
      const status = requireStatus(answer, 400);
      if (status.length > 0) return status;
      return requireHeader(answer, headers.errorType, {
        expected: 'invalid_input',
        is: (type) => type === 'invalid_input',
      });
    },
  }),
  defineRule({
    id: 'catalog.cursor.malformed-never-restarts',
    family: 'catalog',
    requirements: ['MR-CAT-52'],
    needs,
    api: 'router',
    appliesTo,
    probe: () => ({ steps: [list('malformed', malformed)] }),
    judge: (evidence) => {
      const answer = responseOf(evidence, 'malformed');
      if (answer.status < 200 || answer.status > 299) return [];
      return [
        finding('status-unexpected', { step: 'malformed' }, { expected: 'a refusal', actual: String(answer.status) }),
      ];
    },
  }),
  defineRule({
    id: 'catalog.cursor.used-twice',
    family: 'catalog',
    requirements: ['MR-CAT-22'],
    needs,
    api: 'router',
    appliesTo,
    probe: () => {
      const again = { ...pageStep(2, 1), name: 'page-2-again' };
      return { steps: [pageStep(1, 1), pageStep(2, 1), again] };
    },
    judge: (evidence) => {
      const [first, second] = ['page-2', 'page-2-again'].map((name) =>
        wasAnswered(evidence, name) ? String(responseOf(evidence, name).status) : 'not asked',
      );
      return { kind: 'observed', observation: `one cursor used twice is answered with ${first}, then ${second}` };
    },
  }),
];
