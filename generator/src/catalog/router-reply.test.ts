import { describe, expect, test } from 'vitest';
import { defaultBrand } from '../../../specs/src/index.ts';
import type { GeneratorError } from '../diagnostics.ts';
import { readReply } from './router-reply.ts';

type ErrorResponse = { status: number; header?: string; body?: object | string };

function readError({ status, header, body = '' }: ErrorResponse): GeneratorError {
  const headers = new Map(header === undefined ? [] : [['x-service-error-type', header]]);
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
  const where = { brand: defaultBrand, baseUrl: 'http://router.test' };
  const reply = readReply({ kind: 'response', status, headers, bytes }, { operation: 'listModels' }, where);
  return reply.kind === 'failed' ? reply.error : expect.fail('an error is expected');
}

describe('the category of an error', () => {
  const unknown = { error_type: 'quota-2-exceeded' };
  test.each<[string, ErrorResponse, string, string]>([
    ['is read from the header', { status: 429, header: 'rate_limited' }, 'rate_limited', 'error type rate_limited,'],
    [
      'is read from the body',
      { status: 429, body: { error_type: 'rate_limited' } },
      'rate_limited',
      'error type rate_limited,',
    ],
    [
      'is read from the body if the header has no valid category; the message contains both words',
      { status: 429, header: 'quota-2-exceeded', body: { error_type: 'rate_limited' } },
      'rate_limited',
      'error type rate_limited (quota-2-exceeded),',
    ],
    [
      'is read from the header if header and body differ',
      { status: 403, header: 'not_enabled', body: { error_type: 'forbidden' } },
      'not_enabled',
      'error type not_enabled,',
    ],
    [
      'is internal_error for an invalid word; the message contains the word',
      { status: 429, header: 'quota-2-exceeded', body: unknown },
      'internal_error',
      'error type internal_error (quota-2-exceeded),',
    ],
    [
      'is internal_error if neither header nor body has a category',
      { status: 502, body: '<html>' },
      'internal_error',
      'status 502, media type',
    ],
    [
      'is shown without control characters, and with at most 200 characters',
      { status: 400, body: { error_type: `\u001b[2J\u202e${'x'.repeat(9_000)}` } },
      'internal_error',
      `error type internal_error (?[2J?${'x'.repeat(195)}),`,
    ],
  ])('the category of an error response %s', (_, response, category, words) => {
    const error = readError(response);
    expect(error.category).toBe(category);
    expect(error.message).toContain(words);
  });
});

test.each<[ErrorResponse, string, string]>([
  [{ status: 403, body: { error_type: 'forbidden' } }, 'source-forbidden', 'has no access'],
  [{ status: 403, body: { error_type: 'not_enabled' } }, 'source-not-enabled', 'not enabled for the account'],
  [{ status: 403, body: '<html>' }, 'source-forbidden', 'a proxy in front of the router'],
  [{ status: 401, body: '' }, 'source-unauthorised', 'rejected'],
  [{ status: 500, header: 'service_unavailable' }, 'source-unavailable', 'Run again later'],
  [{ status: 400, header: 'unauthorized' }, 'source-unauthorised', 'rejected'],
  [{ status: 400, body: 'Bad Request' }, 'source-refused', 'base URL of a Model Router'],
])('reports the response %j with the code %s', (response, code, help) => {
  expect(readError(response)).toMatchObject({ code, help: expect.stringContaining(help) });
});

test('suggests the base URL without /v2 if the configured one ends with /v2', () => {
  const response = { kind: 'response', status: 404, headers: new Map(), bytes: new Uint8Array() } as const;
  const helpAt = (baseUrl: string): string | undefined => {
    const reply = readReply(response, { operation: 'listModels' }, { brand: defaultBrand, baseUrl });
    return reply.kind === 'failed' ? reply.error.help : undefined;
  };
  expect(helpAt('https://router.example/v2')).toContain('use https://router.example');
  expect(helpAt('https://router.example')).toContain('Check that this is the base URL');
});
