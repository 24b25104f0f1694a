import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readModel } from '../src/catalog/index.ts';
import { RouterError } from '../src/router/router-error.ts';
import { WorkflowError } from '../src/workflow/index.ts';
import { catchFailure, createClient, id, input, secret, serveScripts } from './router-under-test.ts';
import { type Reply, routerError } from './scripted-server.ts';

const server = serveScripts();
const run = (reply: Reply, options = {}): Promise<RouterError> => {
  server().script(reply);
  return catchFailure(createClient(server()).router.run(id, input, options));
};

describe('a body that is not the router’s', () => {
  const json = { 'content-type': 'application/json' };
  const html = { 'content-type': 'text/html' };
  const bodies: [name: string, more: Exclude<Reply, string>][] = [
    ['HTML', { body: '<html>Bad gateway</html>', headers: html }],
    ['plain text', { body: 'upstream failed', headers: { 'content-type': 'text/plain' } }],
    ['truncated JSON', { body: '{"detail":"No', headers: json }],
    ['a body that breaks off', { body: '{"detail":"No', headers: json, truncate: true }],
    ['no body', { body: '' }],
    ['a body without a media type', { body: 'gone' }],
    ['bytes', { body: Buffer.from([0, 255]), headers: { 'content-type': 'application/octet-stream' } }],
    ['other JSON', { body: { message: 'No.' } }],
    ['JSON that is not an object', { body: [1] }],
    ['an error of the workflow API', { body: { error: { code: 'rate_limited', message: 'Slow down.' } } }], // MR-GEN-05
    ['JSON nested beyond the stack', { body: `${'['.repeat(20_000)}${']'.repeat(20_000)}`, headers: json }],
  ];
  // MR-ERR-23, MR-ERR-24, MR-ERR-25
  describe.each([400, 401, 404, 409, 413, 422, 500, 502])('of %i', (status) => {
    it.each(bodies)('an error whose body is %s has its status and request id', async (_, reply) => {
      const error = await run({ ...reply, status }, { idempotencyKey: false });
      expect(error).toMatchObject({ kind: 'opaque', status, requestId: 'request-1', attempts: 1 });
      expect(error.message).toContain(`${status} (request request-1)`);
      expect(error).toMatchObject({ category: { known: 'internal_error' } }); // MR-ERR-26
    });
  });

  it('limits the excerpt of a very long error body', async () => {
    const fetch = async (): Promise<Response> =>
      new Response('\0'.repeat(60_000_000), { status: 400, headers: { 'content-type': 'text/plain' } });
    const error = await catchFailure(
      createClient(server(), { fetch }).router.run(id, input, { idempotencyKey: false }),
    );
    expect(error).toMatchObject({ kind: 'opaque', excerpt: '\0'.repeat(500) });
  });

  it('limits the excerpt and keeps the cause of an error', async () => {
    const error = await run({ status: 400, body: `{"detail":"${'x'.repeat(5000)}`, headers: json });
    expect(error).toMatchObject({ kind: 'opaque', excerpt: `{"detail":"${'x'.repeat(489)}` });
    expect(error.cause).toBeInstanceOf(SyntaxError);
  });

  it('the body of an error is read if its media type is missing', async () => {
    const body = JSON.stringify({ detail: 'No.', error_type: 'invalid_input' });
    expect(await run({ status: 400, body })).toMatchObject({ kind: 'router', category: { known: 'invalid_input' } });
  });
});

describe('the category', () => {
  const words: [header: string | undefined, body: string | undefined, want: object][] = [
    [undefined, undefined, { known: 'internal_error' }],
    [undefined, 'not_enabled', { known: 'not_enabled', body: 'not_enabled' }],
    ['forbidden', 'not_enabled', { known: 'forbidden', header: 'forbidden', body: 'not_enabled' }],
    ['later_one', 'later_one', { known: 'internal_error', header: 'later_one', body: 'later_one' }],
  ];
  // MR-ERR-07, MR-ERR-08, MR-ERR-09, MR-ERR-26, MR-ERR-28
  it.each(words)('reads the category from the header %s and the body %s', async (header, body, want) => {
    const headers: Record<string, string> = header === undefined ? {} : { 'x-service-error-type': header };
    const error = await run({ status: 403, body: { detail: 'No.', error_type: body }, headers });
    expect(error).toMatchObject({ kind: 'router', detail: 'No.' });
    expect('category' in error && error.category).toEqual(want);
    expect(error.message).toContain(header ?? body ?? 'internal_error');
  });

  // The client treats errors of the router and of a provider alike: MR-ERR-29, MR-ERR-30. MR-ERR-01, MR-ERR-02,
  // MR-ERR-04, MR-ERR-05, MR-ERR-27, MR-HDR-04, MR-HDR-31
  const meanings: [ids: string, status: number, category: string, attempts: 1 | 4][] = [
    ['MR-CTG-01', 400, 'invalid_input', 1],
    ['MR-CTG-03', 422, 'invalid_input', 1], // Its detail is a text, so no field is named.
    ['MR-CTG-04, MR-CTG-05, MR-IDM-44, MR-IDM-52', 409, 'invalid_input', 1],
    ['MR-CTG-06', 400, 'content_policy_violation', 1],
    ['MR-CTG-07', 502, 'provider_error', 4],
    ['MR-CTG-08', 504, 'provider_timeout', 4],
    ['MR-CTG-09', 402, 'insufficient_credits', 1],
    ['MR-CTG-10', 404, 'model_not_found', 1],
    ['MR-CTG-11', 401, 'unauthorized', 1],
    ['MR-CTG-12', 403, 'forbidden', 1],
    ['MR-CTG-14', 499, 'client_disconnected', 1],
    ['MR-CTG-15', 500, 'internal_error', 4],
    ['MR-CTG-17', 403, 'not_enabled', 1],
    ['MR-CTG-24', 404, 'request_not_found', 1],
  ];
  it.each(meanings)(
    '%s: a call that fails with %i %s is sent %i times, and its error has that category',
    async (_, status, word, attempts) => {
      const body = { detail: 'For people.', error_type: word, upstream_detail: 'more' };
      const error = await run({ status, body, headers: { 'x-service-error-type': word } });
      const category = { known: word, header: word, body: word };
      expect(error).toMatchObject({ kind: 'router', status, category, detail: 'For people.', attempts });
      expect(server().seen).toHaveLength(attempts);
    },
  );
});

describe('a 422', () => {
  const field = { loc: ['body', 'images', 0], msg: 'too small', type: 'later_type', ctx: { least: 8 }, input: null };
  // MR-ERR-10, MR-ERR-12, MR-ERR-15, MR-ERR-16, MR-ERR-17, MR-ERR-19, MR-ERR-21, MR-ERR-31, MR-ERR-32
  it('a validation error has its fields, and its category from the header', async () => {
    const error = await run({
      status: 422,
      body: { detail: [field, { loc: ['prompt'], msg: 'missing', type: 'missing' }] },
      headers: { 'x-service-error-type': 'invalid_input' },
    });
    expect(error).toMatchObject({ kind: 'validation', category: { known: 'invalid_input' } });
    expect('fields' in error && error.fields).toEqual([field, { loc: ['prompt'], msg: 'missing', type: 'missing' }]);
    expect(error.message).toContain('body.images.0: too small');
  });

  const charged: [inputAuthored: boolean | undefined, headers: Record<string, string>, mayBeBilled: boolean][] = [
    [true, {}, false],
    [false, {}, true],
    [undefined, {}, true],
    [true, { 'x-service-upstream-status': '422' }, true],
  ];
  // MR-SCH-32
  it.each(charged)(
    'with inputAuthored %s and the headers %o, a call that is rejected with 422 may be billed: %s',
    async (inputAuthored, headers, want) => {
      server().script({ status: 422, body: { detail: [field] }, headers });
      const model = { id, ...(inputAuthored === undefined ? {} : { inputAuthored }) };
      expect(await catchFailure(createClient(server()).router.run(model, input as never))).toMatchObject({
        mayBeBilled: want,
      });
    },
  );
});

describe('billing of a call that failed', () => {
  // MR-CAT-45, MR-CAT-46, MR-CAT-47, MR-CAT-48, MR-CTG-06
  it.each([
    ['yes', true],
    ['no', false],
    ['unknown', true],
    ['later', true],
    [undefined, true],
  ])(
    'a content-policy rejection of a model with the billing value "%s" may be billed: %s',
    async (word, mayBeBilled) => {
      server().script(routerError(400, 'content_policy_violation'));
      const model = { id, ...(word === undefined ? {} : { chargesOnPolicyRejection: word }) };
      expect(await catchFailure(createClient(server()).router.run(model, input as never))).toMatchObject({
        mayBeBilled,
      });
    },
  );

  const refused: [status: number, category: string][] = [
    [400, 'invalid_input'],
    [400, 'insufficient_credits'],
    [401, 'unauthorized'],
    [402, 'insufficient_credits'],
    [403, 'not_enabled'],
    [404, 'model_not_found'],
    [413, ''],
    [429, 'later_one'],
  ];
  it.each(refused)(
    'a call that fails with %i %s is not billed, but may be after a lost response',
    async (status, category) => {
      const refusal = routerError(status, category);
      expect(await run(refusal)).toMatchObject({ mayBeBilled: false });
      server().script('reset', refusal);
      expect(await catchFailure(createClient(server()).router.run(id, input))).toMatchObject({ mayBeBilled: true });
    },
  );

  it.each([
    [400, 'provider_error'],
    [400, 'later_one'],
    [403, 'provider_error'],
    [404, 'cancelled'],
    [499, 'client_disconnected'],
  ])('a call that fails with %i %s may be billed', async (status, category) => {
    expect(await run(routerError(status, category))).toMatchObject({ mayBeBilled: true });
  });

  it('a listing is never billed', async () => {
    server().script({ body: '{"id":', headers: { 'content-type': 'application/json' } });
    expect(await catchFailure(readModel(createClient(server()).router, id))).toMatchObject({
      kind: 'decode',
      mayBeBilled: false,
    });
  });
});

describe('a secret', () => {
  const token = 'ab"c/def-gh';
  const forms = [token, encodeURIComponent(token), JSON.stringify(token).slice(1, -1)];
  const printError = (error: RouterError): string =>
    [
      JSON.stringify(error),
      error.message,
      error.stack,
      String(error.cause),
      String((error.cause as Error)?.stack),
    ].join();
  const long = 'x'.repeat(495);
  const echoes: [where: string, reply: Reply][] = [
    ['a detail', { status: 400, body: { detail: token, error_type: 'invalid_input' } }],
    ['a field', { status: 422, body: { detail: [{ loc: [token], msg: token, type: token, input: { a: token } }] } }],
    ['text', { status: 400, body: token, headers: { 'content-type': 'text/plain' } }],
    ['text, at the end of the excerpt', { status: 400, body: long + token, headers: { 'content-type': 'text/plain' } }],
    ['JSON that is not the router’s', { status: 400, body: { headers: { authorization: token } } }],
    ['malformed JSON', { status: 400, body: token, headers: { 'content-type': 'application/json' } }],
    ['a malformed result', { body: token, headers: { 'content-type': 'application/json' } }],
    ['a cut result', { body: `{${long}${token}`, headers: { 'content-type': 'application/json' } }],
    ['headers', { status: 400, body: {}, headers: { 'x-service-error-type': token, 'x-service-request-id': token } }],
  ];
  it.each(echoes)('redacts a secret that a server repeats in %s', async (_, reply) => {
    server().script(reply);
    const { router } = createClient(server(), { token });
    const printed = printError(await catchFailure(router.run(id, input, { idempotencyKey: false })));
    for (const form of forms) expect(printed).not.toContain(form);
    expect(printed).not.toContain('ab"');
    expect(printed).toContain('[red');
  });

  it('redacts a secret that the custom fetch repeats in the causes of its error', async () => {
    const cause = new Error('failed', { cause: new Error('no connection', { cause: new Error(`sent ${secret}`) }) });
    const { router } = createClient(server(), { fetch: () => Promise.reject(cause) });
    const error = await catchFailure(router.run(id, input));
    expect([error.kind, (error.cause as Error).message]).toEqual(['network', 'failed']);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(secret);
  });

  it("rejects a credential that isn't a valid header value, without sending or printing it", async () => {
    server().script({});
    const error = await catchFailure(createClient(server(), { token: 'secret\nof two lines' }).router.run(id, input));
    expect(error).toMatchObject({ kind: 'local', attempts: 0, mayBeBilled: false });
    expect(printError(error)).not.toContain('of two lines');
    expect(server().seen).toEqual([]);
  });

  it('strips white space around a credential', async () => {
    server().script({ status: 400, body: { detail: 'key-of-a-file is wrong', error_type: 'unauthorized' } });
    const error = await catchFailure(createClient(server(), { apiKey: 'key-of-a-file\n' }).router.run(id, input));
    expect(error.message).toContain('[redacted] is wrong');
  });
});

it.each([
  [
    'RouterError',
    new RouterError('broke', { kind: 'local', operation: 'run', attempts: 0, isRetryable: false, mayBeBilled: false }),
  ],
  ['WorkflowError', new WorkflowError('broke', { kind: 'local', jobId: 'job', attempts: 0, isRetryable: false })],
])('the console, the stack and the class of an error show the name %s', (name, error) => {
  expect([error.name, error.constructor.name, String(error)]).toEqual([name, name, `${name}: broke`]);
  expect(inspect(error).startsWith(`${name}: broke\n`)).toBe(true);
  expect(error.stack?.startsWith(`${name}: broke\n`)).toBe(true);
});
