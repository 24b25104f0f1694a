import { type Answer, headerOf, jsonOf, mediaTypeOf, responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Draft } from '../../finding.ts';
import { finding, type Matcher, requireHeader, requireJson, requireMember, requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { get, step } from '../../steps.ts';
import { hasCapability } from '../../target.ts';
import { sameBytes } from '../vocabulary/byte-comparison.ts';
import { filled, object } from '../vocabulary/matchers.ts';
import { anyModelPath, otherModelPath, unknownModelOf, unknownModelPath } from '../vocabulary/router-steps.ts';
import { privateRevalidate, read } from './caching.ts';

const family = 'schema-document';
const api = 'router';
const appliesTo = hasCapability('state');
const answers = 'schema-document.read.is-a-json-object';
const tagged = 'schema-document.etag.is-strong';

const readOne = (context: ProbeContext) => ({ steps: [read('read', { path: anyModelPath(context) })] });

const strongTag: Matcher<string> = {
  expected: 'a strong entity tag in double quotes',
  is: (tag) => /^"[\x21\x23-\x7e\x80-\xff]*"$/.test(tag.trim()),
};

function tagFindings(one: Answer, other: Answer): readonly Draft[] {
  const [tag, otherTag] = [headerOf(one, 'etag'), headerOf(other, 'etag')];
  const expected = sameBytes(one, other) ? 'one tag for equal bytes' : 'another tag for other bytes';
  if ((tag === otherTag) === sameBytes(one, other)) return [];
  const at = { step: other.step, header: 'ETag' };
  return [finding('values-differ', at, { expected, actual: `${tag ?? 'absent'} and ${otherTag ?? 'absent'}` })];
}

export const schemaReadingRules: readonly Rule[] = [
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
        read('other', { path: otherModelPath(context, context.model('authored')) }),
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
    probe: (context) => ({
      steps: [
        step('unknown-provider', get('router', `${unknownModelPath}/openapi.json`)),
        step('unknown-model', get('router', `${unknownModelOf(context.model('authored'))}/openapi.json`)),
      ],
    }),
    judge: (evidence) =>
      ['unknown-provider', 'unknown-model'].flatMap((name) => requireStatus(responseOf(evidence, name), 404)),
  }),
];
