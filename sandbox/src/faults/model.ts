import type { Fault } from './decorator.ts';
import {
  changeStatus,
  dropHeader,
  refusal,
  rewriteAnswer,
  rewriteJson,
  setCategory,
  type Where,
} from './making/answer-rewrite.ts';
import { without } from './making/json-change.ts';
import { modelDetailFaults } from './model/details.ts';

const found: Where = { on: ['readModel'], status: 200 };
const missing: Where = { on: ['readModel'], status: 404 };

export const modelFaults: readonly Fault[] = [
  {
    id: 'model.detail.billing-missing',
    requirements: ['MR-MOD-04'],
    description: 'The model detail lacks the billing object.',
    decorate: rewriteJson(found, (detail) => without(detail, 'billing')),
  },
  {
    id: 'model.detail.of-another-model',
    requirements: ['MR-MOD-04'],
    description: 'The model detail names another id than the one asked for.',
    decorate: rewriteJson(found, (detail) => ({
      ...detail,
      id: `${String(detail['provider'])}/another`,
      model: 'another',
    })),
  },
  {
    id: 'model.detail.billing-differs',
    requirements: ['MR-MOD-04'],
    description: 'The model detail tells another billing fact than the listing.',
    decorate: rewriteJson(found, (detail) => {
      const isCharged = JSON.stringify(detail['billing']).includes('"yes"');
      return { ...detail, billing: { charges_on_policy_rejection: isCharged ? 'no' : 'yes' } };
    }),
  },
  {
    id: 'model.detail.request-id-missing',
    requirements: ['MR-HDR-01'],
    description: 'The model detail carries no request id.',
    decorate: dropHeader(found, { branded: 'Request-Id' }),
  },
  {
    id: 'model.schema-url.not-https',
    requirements: ['MR-MOD-06'],
    description: 'input_schema_url is an http URL.',
    decorate: rewriteJson(found, (detail) => ({
      ...detail,
      input_schema_url: 'http://schemas.example.test/input.json',
    })),
  },
  {
    id: 'model.schema-url.too-long',
    requirements: ['MR-MOD-07'],
    description: 'input_schema_url is longer than 2048 characters.',
    decorate: rewriteJson(found, (detail) => ({
      ...detail,
      input_schema_url: `https://schemas.example.test/${'a'.repeat(2100)}`,
    })),
  },
  {
    id: 'model.schema-url.leads-to-the-detail',
    requirements: ['MR-MOD-08'],
    description: 'input_schema_url leads to the model detail.',
    decorate: rewriteJson(found, (detail, { request }) => ({
      ...detail,
      input_schema_url: request.url.replace(/^http:/, 'https:'),
    })),
  },
  {
    id: 'model.schema-url.leads-nowhere',
    requirements: ['MR-MOD-08'],
    description: 'input_schema_url leads to a page that does not exist.',
    decorate: rewriteJson(found, (detail, { request }) => ({
      ...detail,
      input_schema_url: `${request.url.replace(/^http:/, 'https:')}/schema.json`,
    })),
  },
  {
    id: 'model.schema-url.as-object',
    requirements: ['MR-MOD-05'],
    description: 'input_schema_url is an object with an href.',
    decorate: rewriteJson(found, (detail) => ({
      ...detail,
      input_schema_url: { href: 'https://schemas.example.test/a' },
    })),
  },
  {
    id: 'model.unknown.answered-with-400',
    requirements: ['MR-MOD-09', 'MR-STC-05'],
    description: 'An unknown model id is answered with 400.',
    decorate: changeStatus(missing, 400),
  },
  {
    id: 'model.unknown.empty-detail',
    requirements: ['MR-MOD-09', 'MR-STC-05'],
    // An empty object is no detail either.
    description: 'An unknown model id is answered with 200 and an empty object.',
    decorate: rewriteAnswer(missing, (answer) => ({ ...answer, status: 200, body: new TextEncoder().encode('{}') })),
    trips: ['MR-CAT-30'],
  },
  {
    id: 'model.unknown.wrong-category',
    requirements: ['MR-CTG-10'],
    description: 'The 404 of an unknown model id is called request_not_found.',
    decorate: setCategory(missing, 'request_not_found'),
  },
  {
    id: 'model.unknown.forbidden',
    requirements: ['MR-MOD-09', 'MR-STC-05'],
    description: 'An unknown model id is answered with 403 forbidden.',
    decorate: rewriteAnswer(missing, (answer, { context }) =>
      refusal(answer, context, { status: 403, category: 'forbidden' }),
    ),
  },
  ...modelDetailFaults,
];
