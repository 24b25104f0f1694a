import { type Answer, memberOf, responseOf, wasAnswered } from '../../answer.ts';
import type { Draft } from '../../finding.ts';
import type { Evidence, Probe, ProbeRequest } from '../../probe.ts';
import { finding, requireEqual, requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { get, stepFrom } from '../../steps.ts';
import { hasCapability } from '../../target.ts';
import { requireCategory } from '../vocabulary/refusals.ts';
import { list } from '../vocabulary/router-steps.ts';

const family = 'catalog';
const needs = ['catalog.list.answers-with-200', 'catalog.page.has-its-members'];
const appliesTo = hasCapability('state');

const longest = 512;

/** From the first page: what somebody might take a cursor for, and what somebody might make of one. */
const attempts: Readonly<Record<string, (page: Answer) => string | undefined>> = {
  'an offset': () => '1',
  'an id': (page) => textAt(page, '/data/0/id'),
  'a cursor cut short': (page) => textAt(page, '/next_cursor')?.slice(0, -1),
  'a cursor with more behind it': (page) => addTo(textAt(page, '/next_cursor')),
};

function textAt(page: Answer, pointer: string): string | undefined {
  const value = memberOf(page, pointer);
  return typeof value === 'string' ? value : undefined;
}

function addTo(cursor: string | undefined): string | undefined {
  return cursor === undefined || cursor.length >= longest ? undefined : `${cursor}x`;
}

function madeUp(): Probe {
  const asked =
    (make: (page: Answer) => string | undefined) =>
    (earlier: Evidence): ProbeRequest | undefined => {
      const cursor = make(responseOf(earlier, 'first'));
      return cursor === undefined || cursor === ''
        ? undefined
        : get('router', `/v2/models?limit=1&cursor=${encodeURIComponent(cursor)}`);
    };
  return {
    steps: [
      { ...list('first', '?limit=1'), mustAnswer: [200] },
      ...Object.entries(attempts).map(([name, make]) => stepFrom(name, asked(make))),
    ],
  };
}

/** What a server makes of such a cursor is its own affair, but the first page is for those who send none. */
function restarts(evidence: Evidence, name: string): readonly Draft[] {
  if (!wasAnswered(evidence, name)) return [];
  const [answer, first] = [responseOf(evidence, name), responseOf(evidence, 'first')];
  const [data, wanted] = [memberOf(answer, '/data'), memberOf(first, '/data')];
  if (answer.status !== 200 || wanted === undefined || requireEqual({ step: name }, data, wanted).length > 0) return [];
  const said = { expected: 'a refusal, or at least another page', actual: 'the first page' };
  return [finding('value-unexpected', { step: name, pointer: '/data' }, said)];
}

export const catalogMadeUpCursorRules: readonly Rule[] = [
  defineRule({
    id: 'catalog.cursor.made-up-never-restarts',
    family,
    requirements: ['MR-CAT-52'],
    needs,
    api: 'router',
    appliesTo,
    probe: madeUp,
    judge: (evidence) => {
      if (memberOf(responseOf(evidence, 'first'), '/has_more') !== true)
        return { kind: 'not-observable', because: 'the catalog has one page only' };
      return Object.keys(attempts).flatMap((name) => restarts(evidence, name));
    },
  }),
  defineRule({
    id: 'catalog.cursor.too-long-is-refused',
    family,
    requirements: ['MR-CAT-50', 'MR-CTG-02'],
    needs,
    api: 'router',
    appliesTo,
    probe: () => ({ steps: [list('too-long', `?cursor=${'c'.repeat(longest + 88)}`)] }),
    judge: (evidence, context) => {
      const answer = responseOf(evidence, 'too-long');
      const status = requireStatus(answer, 400);
      return status.length > 0 ? status : requireCategory(answer, context, 'invalid_input');
    },
  }),
];
