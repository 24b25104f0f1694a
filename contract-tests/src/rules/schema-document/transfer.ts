import { type Answer, headerOf, jsonOf, mediaTypeOf, responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import { SetupFailure } from '../../errors.ts';
import type { Draft } from '../../finding.ts';
import type { Evidence, Step } from '../../probe.ts';
import {
  finding,
  type Matcher,
  requireEmptyBody,
  requireHeader,
  requireJson,
  requireMember,
  requireStatus,
} from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { get, step, stepFrom } from '../../steps.ts';
import type { SurveyedModel } from '../../survey.ts';
import { hasCapability } from '../../target.ts';
import { requireSameBytes, sameBytes } from '../vocabulary/byte-comparison.ts';
import { filled, object } from '../vocabulary/matchers.ts';
import { anyModelPath, list, schemaDocumentPath, unknownModelPath } from '../vocabulary/router-steps.ts';

const family = 'schema-document';
const api = 'router';
const appliesTo = hasCapability('state');
const answers = 'schema-document.read.is-a-json-object';
const tagged = 'schema-document.etag.is-strong';

const read = (name: string, model: Pick<SurveyedModel, 'path'>): Step =>
  step(name, get('router', schemaDocumentPath(model)));
const readOne = (context: ProbeContext) => ({ steps: [read('read', { path: anyModelPath(context) })] });

const strongTag: Matcher<string> = {
  expected: 'a strong entity tag in double quotes',
  is: (tag) => /^"[\x21\x23-\x7e\x80-\xff]*"$/.test(tag.trim()),
};

const privateRevalidate: Matcher<string> = {
  expected: 'private and must-revalidate, never public',
  is: (value) => {
    const directives = value.split(',').map((directive) => directive.trim().toLowerCase());
    return directives.includes('private') && directives.includes('must-revalidate') && !directives.includes('public');
  },
};

function tagOf(earlier: Evidence, from: string): string {
  const tag = headerOf(responseOf(earlier, from), 'etag');
  if (tag === undefined) throw new SetupFailure(`step "${from}" gave no ETag`);
  return tag;
}

/** Asks again for the same document, with whatever the tag of the first answer is made into. */
function readAgain(name: string, model: SurveyedModel, made: (tag: string) => string): Step {
  return stepFrom(name, (earlier) =>
    get('router', schemaDocumentPath(model), { headers: [['If-None-Match', made(tagOf(earlier, 'read'))]] }),
  );
}

const revalidated = (context: ProbeContext) => {
  const model = context.model('authored');
  return { steps: [read('read', model), readAgain('again', model, (tag) => tag)] };
};

function tagFindings(one: Answer, other: Answer): readonly Draft[] {
  const [tag, otherTag] = [headerOf(one, 'etag'), headerOf(other, 'etag')];
  const expected = sameBytes(one, other) ? 'one tag for equal bytes' : 'another tag for other bytes';
  if ((tag === otherTag) === sameBytes(one, other)) return [];
  const at = { step: other.step, header: 'ETag' };
  return [finding('values-differ', at, { expected, actual: `${tag ?? 'absent'} and ${otherTag ?? 'absent'}` })];
}

const reading: readonly Rule[] = [
  defineRule({
    id: answers,
    family,
    requirements: ['MR-SCH-04'],
    api,
    probe: readOne,
    judge: (evidence) => {
      const answer = responseOf(evidence, 'read');
      const status = requireStatus(answer, 200);
      if (status.length > 0) return status;
      const isJson = /(?:^application\/json|\+json)$/.test(mediaTypeOf(answer) ?? '');
      const at = { step: 'read', header: 'Content-Type' };
      const said = { expected: 'a JSON media type', actual: mediaTypeOf(answer) ?? 'absent' };
      const type = isJson ? [] : [finding('media-type-unexpected', at, said)];
      return [
        ...type,
        ...(jsonOf(answer).kind === 'malformed' ? requireJson(answer) : requireMember(answer, '', object)),
      ];
    },
  }),
  defineRule({
    id: 'schema-document.read.carries-request-id',
    family,
    requirements: ['MR-SCH-05', 'MR-HDR-01'],
    needs: [answers],
    api,
    probe: readOne,
    judge: (evidence, { headers }) => requireHeader(responseOf(evidence, 'read'), headers.requestId, filled),
  }),
  defineRule({
    id: tagged,
    family,
    requirements: ['MR-SCH-06', 'MR-SCH-08', 'MR-HDR-23'],
    needs: [answers],
    api,
    probe: readOne,
    judge: (evidence) => requireHeader(responseOf(evidence, 'read'), 'ETag', strongTag),
  }),
  defineRule({
    id: 'schema-document.etag.follows-the-bytes',
    family,
    requirements: ['MR-SCH-09'],
    needs: [tagged],
    api,
    appliesTo,
    probe: (context) => ({
      steps: [
        read('read', context.model('authored')),
        read('same', context.model('authored')),
        read('other', context.model('unauthored')),
      ],
    }),
    judge: (evidence) => [
      ...tagFindings(responseOf(evidence, 'read'), responseOf(evidence, 'same')),
      ...tagFindings(responseOf(evidence, 'read'), responseOf(evidence, 'other')),
    ],
  }),
  defineRule({
    id: 'schema-document.cache-control.is-private-must-revalidate',
    family,
    requirements: ['MR-SCH-07', 'MR-SCH-10', 'MR-HDR-24'],
    needs: [answers],
    api,
    probe: readOne,
    judge: (evidence) => requireHeader(responseOf(evidence, 'read'), 'Cache-Control', privateRevalidate),
  }),
  defineRule({
    id: 'schema-document.unknown.is-not-found',
    family,
    requirements: ['MR-SCH-20', 'MR-STC-05'],
    api,
    appliesTo,
    probe: () => ({ steps: [step('unknown', get('router', `${unknownModelPath}/openapi.json`))] }),
    judge: (evidence) => requireStatus(responseOf(evidence, 'unknown'), 404),
  }),
];

const notModified = 'schema-document.not-modified.answers-the-same-tag';

const revalidating: readonly Rule[] = [
  defineRule({
    id: notModified,
    family,
    requirements: ['MR-SCH-12', 'MR-SCH-13'],
    needs: [tagged],
    api,
    appliesTo,
    probe: revalidated,
    judge: (evidence) => {
      const again = responseOf(evidence, 'again');
      return [...requireStatus(again, 304), ...(again.status === 304 ? requireEmptyBody(again) : [])];
    },
  }),
  defineRule({
    id: 'schema-document.not-modified.carries-request-id',
    family,
    requirements: ['MR-SCH-14', 'MR-HDR-01'],
    needs: [notModified],
    api,
    appliesTo,
    probe: revalidated,
    judge: (evidence, { headers }) => requireHeader(responseOf(evidence, 'again'), headers.requestId, filled),
  }),
  defineRule({
    id: 'schema-document.not-modified.repeats-the-tag',
    family,
    requirements: ['MR-SCH-15'],
    needs: [notModified],
    api,
    appliesTo,
    probe: revalidated,
    judge: (evidence) => {
      const tag = headerOf(responseOf(evidence, 'read'), 'etag') ?? '';
      return requireHeader(responseOf(evidence, 'again'), 'ETag', { expected: tag, is: (value) => value === tag });
    },
  }),
  defineRule({
    id: 'schema-document.not-modified.carries-cache-control',
    family,
    requirements: ['MR-SCH-16'],
    needs: [notModified],
    api,
    appliesTo,
    probe: revalidated,
    judge: (evidence) => requireHeader(responseOf(evidence, 'again'), 'Cache-Control', privateRevalidate),
  }),
  defineRule({
    id: 'schema-document.modified.answers-a-stale-tag',
    family,
    requirements: ['MR-SCH-12'],
    needs: [tagged],
    api,
    appliesTo,
    probe: (context) => {
      const model = context.model('authored');
      return { steps: [read('read', model), readAgain('stale', model, (tag) => tag.replace(/"$/, '-stale"'))] };
    },
    judge: (evidence) => {
      const stale = responseOf(evidence, 'stale');
      const status = requireStatus(stale, 200);
      return status.length > 0 ? status : requireSameBytes(stale, responseOf(evidence, 'read'));
    },
  }),
  defineRule({
    id: 'schema-document.conditional.weak-tag-and-star',
    family,
    requirements: ['MR-SCH-12'],
    needs: [tagged],
    api,
    appliesTo,
    probe: (context) => {
      const model = context.model('authored');
      const weak = readAgain('weak', model, (tag) => `W/${tag}`);
      return { steps: [read('read', model), weak, readAgain('star', model, () => '*')] };
    },
    judge: (evidence) => {
      const [weak, star] = [responseOf(evidence, 'weak').status, responseOf(evidence, 'star').status];
      return { kind: 'observed', observation: `the weak form is answered with ${weak}, * with ${star} (NS-28)` };
    },
  }),
  defineRule({
    id: 'schema-document.conditional.concerns-no-other-route',
    family,
    requirements: ['MR-SCH-23'],
    api,
    appliesTo,
    probe: (context) => {
      const headers = [['If-None-Match', '*']] as const;
      const detail = step('detail', get('router', context.model('authored').path, { headers }));
      return { steps: [list('list', '', { headers }), detail] };
    },
    judge: (evidence) => [
      ...requireStatus(responseOf(evidence, 'list'), 200),
      ...requireStatus(responseOf(evidence, 'detail'), 200),
    ],
  }),
];

export const schemaTransferRules: readonly Rule[] = [...reading, ...revalidating];
