import { headerOf, responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import { SetupFailure } from '../../errors.ts';
import type { Evidence, Step } from '../../probe.ts';
import { requireEmptyBody, requireHeader, requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { get, stepFrom } from '../../steps.ts';
import type { SurveyedModel } from '../../survey.ts';
import { hasCapability } from '../../target.ts';
import { requireSameBytes } from '../vocabulary/byte-comparison.ts';
import { filled } from '../vocabulary/matchers.ts';
import { schemaDocumentPath } from '../vocabulary/router-steps.ts';
import { privateRevalidate, read } from './caching.ts';

const family = 'schema-document';
const api = 'router';
const appliesTo = hasCapability('state');
const tagged = 'schema-document.etag.is-strong';
const notModified = 'schema-document.not-modified.answers-the-same-tag';

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

export const schemaRevalidationRules: readonly Rule[] = [
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
];
