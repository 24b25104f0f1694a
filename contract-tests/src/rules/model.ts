import { resolvePointer } from '../../../specs/src/index.ts';
import { type Answer, memberOf, responseOf, wasAnswered } from '../answer.ts';
import type { ProbeContext } from '../context.ts';
import type { Draft } from '../finding.ts';
import type { Evidence, ProbeRequest } from '../probe.ts';
import { requireHeader, requireMember, requireStatus } from '../require.ts';
import { defineRule, type Rule } from '../rule.ts';
import { get, step, stepFrom } from '../steps.ts';
import type { SurveyedModel } from '../survey.ts';
import { hasCapability } from '../target.ts';
import { listedModelRules } from './model/listed.ts';
import { requireSameBytes } from './vocabulary/byte-comparison.ts';
import { exactly, filled, object, optional, text, textUpTo } from './vocabulary/matchers.ts';
import { list, schemaDocumentPath, unknownModelPath } from './vocabulary/router-steps.ts';

const detail = (name: string, model: SurveyedModel) => step(name, get('router', model.path));
const kinds = ['authored', 'unauthored', 'binary'] as const;

function surveyed({ survey }: ProbeContext): readonly SurveyedModel[] {
  return kinds.flatMap((kind) => survey.models[kind] ?? []);
}

function unknownFindings(answer: Answer): readonly Draft[] {
  return requireStatus(answer, 404);
}

const unknownModels = (context: ProbeContext) => ({
  steps: [
    step('unknown-provider', get('router', unknownModelPath)),
    step(
      'unknown-model',
      get('router', `/v2/models/${encodeURIComponent(context.model('authored').provider)}/no-such-model`),
    ),
  ],
});

export const modelRules: readonly Rule[] = [
  defineRule({
    id: 'model.detail.has-the-entry-members',
    family: 'model',
    requirements: ['MR-MOD-04'],
    api: 'router',
    probe: (context) => ({ steps: [detail('detail', context.model('authored'))] }),
    judge: (evidence) => {
      const answer = responseOf(evidence, 'detail');
      const status = requireStatus(answer, 200);
      if (status.length > 0) return status;
      return [
        ...requireMember(answer, '/id', textUpTo(193)),
        ...requireMember(answer, '/provider', textUpTo(64)),
        ...requireMember(answer, '/model', textUpTo(128)),
        ...requireMember(answer, '/billing', object),
        ...requireMember(answer, '/billing/charges_on_policy_rejection', text),
      ];
    },
  }),
  defineRule({
    id: 'model.detail.is-of-the-model-asked-for',
    family: 'model',
    requirements: ['MR-MOD-04'],
    needs: ['model.detail.has-the-entry-members'],
    api: 'router',
    appliesTo: hasCapability('state'),
    probe: (context) => ({ steps: surveyed(context).map((model) => detail(model.id, model)) }),
    judge: (evidence, context) =>
      surveyed(context).flatMap(({ id, provider, model }) => {
        const answer = responseOf(evidence, id);
        return [
          ...requireMember(answer, '/id', exactly(`${provider}/${model}`)),
          ...requireMember(answer, '/provider', exactly(provider)),
          ...requireMember(answer, '/model', exactly(model)),
        ];
      }),
  }),
  defineRule({
    id: 'model.detail.carries-request-id',
    family: 'model',
    requirements: ['MR-HDR-01'],
    needs: ['model.detail.has-the-entry-members'],
    api: 'router',
    probe: (context) => ({ steps: [detail('detail', context.model('authored'))] }),
    judge: (evidence, { headers }) => requireHeader(responseOf(evidence, 'detail'), headers.requestId, filled),
  }),
  defineRule({
    id: 'model.detail.schema-url-is-text',
    family: 'model',
    requirements: ['MR-MOD-05'],
    needs: ['model.detail.has-the-entry-members'],
    api: 'router',
    probe: (context) => ({ steps: surveyed(context).map((model) => detail(model.id, model)) }),
    judge: (evidence, context) =>
      surveyed(context).flatMap(({ id }) =>
        requireMember(responseOf(evidence, id), '/input_schema_url', optional(text)),
      ),
  }),
  defineRule({
    id: 'model.detail.schema-url-is-https',
    family: 'model',
    requirements: ['MR-MOD-06', 'MR-MOD-07'],
    needs: ['model.detail.schema-url-is-text'],
    api: 'router',
    probe: (context) => ({ steps: surveyed(context).map((model) => detail(model.id, model)) }),
    judge: (evidence, context) =>
      surveyed(context).flatMap(({ id }) =>
        requireMember(
          responseOf(evidence, id),
          '/input_schema_url',
          optional({
            expected: 'an HTTPS URL of at most 2048 characters',
            is: (url) => typeof url === 'string' && /^https:\/\//i.test(url) && URL.canParse(url) && url.length <= 2048,
          }),
        ),
      ),
  }),
  defineRule({
    id: 'model.detail.schema-url-leads-to-the-document',
    family: 'model',
    requirements: ['MR-MOD-08'],
    needs: ['model.detail.schema-url-is-https'],
    api: 'router',
    appliesTo: hasCapability('state'),
    probe: (context) => {
      const model = context.model('authored');
      const linked = (earlier: Evidence): ProbeRequest | undefined => {
        const url = memberOf(responseOf(earlier, 'detail'), '/input_schema_url');
        return typeof url === 'string' && URL.canParse(url) ? get('router', url) : undefined;
      };
      const document = step('document', get('router', schemaDocumentPath(model)));
      return { steps: [detail('detail', model), document, stepFrom('linked', linked)] };
    },
    judge: (evidence) => {
      if (!wasAnswered(evidence, 'linked')) return { kind: 'observed', observation: 'no input_schema_url is given' };
      const linked = responseOf(evidence, 'linked');
      const status = requireStatus(linked, 200);
      return status.length > 0 ? status : requireSameBytes(linked, responseOf(evidence, 'document'));
    },
  }),
  defineRule({
    id: 'model.detail.agrees-with-the-listing',
    family: 'model',
    requirements: ['MR-MOD-04'],
    needs: ['model.detail.is-of-the-model-asked-for'],
    api: 'router',
    appliesTo: hasCapability('state'),
    probe: (context) => ({ steps: [list('list', '?limit=100'), detail('detail', context.model('authored'))] }),
    judge: (evidence, context) => {
      const entries = memberOf(responseOf(evidence, 'list'), '/data');
      const { id } = context.model('authored');
      const listed = (Array.isArray(entries) ? entries : []).find((entry) => resolvePointer(entry, '/id') === id);
      if (listed === undefined) return { kind: 'not-observable', because: 'the model is not on the first page' };
      const pointer = '/billing/charges_on_policy_rejection';
      const wanted = resolvePointer(listed, pointer);
      return typeof wanted === 'string' ? requireMember(responseOf(evidence, 'detail'), pointer, exactly(wanted)) : [];
    },
  }),
  defineRule({
    id: 'model.unknown.is-not-found',
    family: 'model',
    requirements: ['MR-MOD-09', 'MR-STC-05'],
    api: 'router',
    appliesTo: hasCapability('state'),
    probe: unknownModels,
    judge: (evidence) => [
      ...unknownFindings(responseOf(evidence, 'unknown-provider')),
      ...unknownFindings(responseOf(evidence, 'unknown-model')),
    ],
  }),
  defineRule({
    id: 'model.unknown.is-called-model-not-found',
    family: 'model',
    requirements: ['MR-CTG-10'],
    needs: ['model.unknown.is-not-found'],
    api: 'router',
    appliesTo: hasCapability('state'),
    probe: unknownModels,
    judge: (evidence, { headers }) =>
      ['unknown-provider', 'unknown-model'].flatMap((name) =>
        requireHeader(responseOf(evidence, name), headers.errorType, {
          expected: 'model_not_found',
          is: (type) => type === 'model_not_found',
        }),
      ),
  }),
  ...listedModelRules,
];
