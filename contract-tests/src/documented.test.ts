import { beforeAll, describe, expect, test } from 'vitest';
import { buildEffectiveSpecs, defaultSpecSettings } from '../../specs/src/index.ts';
import type { Answer } from './answer.ts';
import { createContext, type ProbeContext } from './context.ts';
import { matchesMediaType, requireDocumented, requireSchema } from './documented.ts';
import { emptySurvey } from './survey.ts';

let context: ProbeContext;
beforeAll(async () => {
  const specs = await buildEffectiveSpecs(defaultSpecSettings);
  context = createContext({ kind: 'sandbox', router: { url: 'http://h:1', credentials: {} } }, specs, emptySurvey);
});

const entry = { id: 'a/b', provider: 'a', model: 'b', billing: { charges_on_policy_rejection: 'no' } };
const page = { data: [entry], has_more: false, limit: 20 };
const requestId = ['X-Service-Request-Id', 'request-1'] as const;
const json = ['Content-Type', 'application/json; charset=utf-8'] as const;

function answer(body: unknown, more: Partial<Answer> = {}): Answer {
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
  return {
    kind: 'response',
    step: 'list',
    url: 'http://h:1',
    status: 200,
    headers: [requestId, json],
    body: bytes,
    ...more,
  };
}

describe('an answer against the effective specification', () => {
  test('a documented one gives no finding, whatever members and headers it adds', () => {
    const headers = [
      ['x-service-request-id', 'request-1'],
      ['content-type', 'application/json'],
      ['X-More', '1'],
    ] as const;
    expect(requireDocumented(answer({ ...page, more: 1 }, { headers }), context, 'listModels')).toEqual([]);
  });

  test.each([
    {
      name: 'a status that is not documented',
      given: () => answer(page, { status: 299 }),
      want: { code: 'status-undocumented' },
    },
    {
      name: 'a required header that is missing',
      given: () => answer(page, { headers: [json] }),
      want: { code: 'header-missing', at: { step: 'list', header: 'X-Service-Request-Id' } },
    },
    {
      name: 'another media type',
      given: () => answer(page, { headers: [requestId, ['Content-Type', 'text/html']] }),
      want: { code: 'media-type-unexpected' },
    },
    {
      name: 'no media type',
      given: () => answer(page, { headers: [requestId] }),
      want: { code: 'media-type-unexpected', actual: 'absent' },
    },
    { name: 'a body that is no JSON', given: () => answer('{'), want: { code: 'body-malformed' } },
    {
      name: 'a member of another type',
      given: () => answer({ ...page, limit: '20' }),
      want: { code: 'schema-violated', at: { step: 'list', pointer: '/limit' }, actual: '"20"' },
    },
  ])('$name', ({ given, want }) => {
    expect(requireDocumented(given(), context, 'listModels')).toEqual([expect.objectContaining(want)]);
  });

  test('a header is judged as the type it is documented to have', () => {
    const retryAfter = (text: string) => answer('', { status: 202, headers: [requestId, json, ['Retry-After', text]] });
    const findings = (text: string) =>
      requireDocumented(retryAfter(text), context, 'collectRequest').filter(({ code }) => code === 'header-malformed');
    expect(findings('2')).toEqual([]);
    expect(findings('soon')).toEqual([expect.objectContaining({ at: { step: 'list', header: 'Retry-After' } })]);
  });
});

test('a schema of another document is resolved there', () => {
  const root = { components: { schemas: { Out: { type: 'object', required: ['url'] } } } };
  expect(requireSchema(answer({ url: 1 }), { $ref: '#/components/schemas/Out' }, root)).toEqual([]);
  expect(requireSchema(answer({}), { $ref: '#/components/schemas/Out' }, root)).toMatchObject([
    { code: 'schema-violated' },
  ]);
});

test.each([
  ['*/*', 'image/png', true],
  ['*/*', undefined, true],
  ['audio/*', 'audio/mpeg', true],
  ['audio/*', 'video/mp4', false],
  ['application/json', 'application/json', true],
  ['Application/JSON; charset=utf-8', 'application/json', true],
  ['application/json', undefined, false],
])('%s covers %s: %s', (documented, actual, want) => {
  expect(matchesMediaType(documented, actual)).toBe(want);
});
