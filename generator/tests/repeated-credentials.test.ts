import { describe, expect, test } from 'vitest';
import { renderReport } from '../src/report/report.ts';
import { createFakeRouter, type FakeRouter, modelDocument, type Reply } from './fake-router.ts';
import { createMemoryFiles } from './memory-files.ts';
import { runGenerate } from './run-generate.ts';

const secret = 'sk-Live_9f3Q+x7e/04';
const credential = { kind: 'api-key', value: secret } as const;
const forms: readonly (readonly [name: string, text: string])[] = [
  ['without encoding', secret],
  ['in lower case', secret.toLowerCase()],
  ['percent-encoded', encodeURIComponent(secret).toLowerCase()],
  ['as JSON escapes', secret.replace(/./gu, (one) => `\\u00${one.charCodeAt(0).toString(16)}`)],
  ['in hex', Buffer.from(secret).toString('hex')],
  ['in base64', btoa(`user:${secret}`)],
];

/** Runs the generator. `printed`: the report, or the error if the run failed. */
async function generateFrom(
  router: FakeRouter,
): Promise<{ files: ReturnType<typeof createMemoryFiles>; printed: string }> {
  const files = createMemoryFiles();
  const printed = await runGenerate(router, files, { credential }).then(
    (report) => renderReport(report) + JSON.stringify(report),
    (error: Error) => JSON.stringify([error.message, error]),
  );
  return { files, printed };
}

const document = modelDocument('p/echo');
const inDocument: readonly (readonly [place: string, reply: (text: string) => Reply])[] = [
  ['the entity tag', (text) => ({ headers: { etag: `"${text}"` }, body: document })],
  ['a header that the generator does not use', (text) => ({ headers: { 'x-trace': text }, body: document })],
  ['a description', (text) => ({ body: { ...document, info: { title: `${text}`, version: '1' } } })],
  ['a member name', (text) => ({ body: { ...document, [`x-${text}`]: 1 } })],
  ['a 401', (text) => ({ status: 401, body: { detail: `Your key ${text} is unknown`, error_type: 'unauthorized' } })],
  ['a media type', (text) => ({ headers: { 'content-type': `text/${text}` }, body: '<html>' })],
  ['a request id', (text) => ({ status: 500, headers: { 'x-service-request-id': text } })],
  ['a redirect', (text) => ({ status: 302, headers: { location: `http://elsewhere.test/${text}` } })],
  ['a body that is not JSON', (text) => ({ body: `{"a": ${text}` })],
];

describe.each(forms)('a credential that responses repeat %s', (_, text) => {
  test('generate rejects documents that repeat the credential, and neither writes nor prints it', async () => {
    const router = createFakeRouter(
      Object.fromEntries(['fine', ...inDocument.keys()].map((id) => [`p/${id}`, document])),
    );
    router.intercept = (_request, url) => {
      const place = /^\/v2\/models\/p\/(\d+)\/openapi\.json$/.exec(url.pathname)?.[1];
      return inDocument[Number(place ?? Number.NaN)]?.[1](text);
    };
    const { files, printed } = await generateFrom(router);
    expect(printed).not.toContain(text);
    for (const [place, [name]] of inDocument.entries())
      expect(printed, name).toMatch(
        new RegExp(`p/${place}: the schema document cannot be read: .* repeats the credential`),
      );
    const written = [...files.contents].map(([path, contents]) => `${path} ${contents}`);
    expect(written.some((file) => file.includes('p/fine'))).toBe(true);
    for (const file of written) for (const form of [secret, text]) expect(file).not.toContain(form);
  });

  test('generate ends without output if the catalog repeats the credential', async () => {
    const router = createFakeRouter();
    const data = [{ id: `p/${text}`, billing: { charges_on_policy_rejection: 'yes' } }];
    router.intercept = () => ({ body: { data, has_more: false } });
    const { files, printed } = await generateFrom(router);
    expect(printed).toContain('repeats the credential');
    expect(printed).not.toContain(text);
    expect([...files.contents]).toEqual([]);
  });
});

test('does not print a credential that a connection error quotes', async () => {
  const router = createFakeRouter();
  router.intercept = () => ({ kind: 'no-response', because: 'failed', detail: `encoded as ${secret}` });
  const { printed } = await generateFrom(router);
  expect(printed).toContain('repeats the credential');
  expect(printed).not.toContain(secret);
});

test('reads documents without a credential, and with one that is too short to search for', async () => {
  for (const own of [undefined, { kind: 'bearer', value: 'openapi' } as const]) {
    const router = createFakeRouter({ 'p/fine': modelDocument('p/fine') });
    const report = await runGenerate(router, createMemoryFiles(), { credential: own });
    expect(report.models).toMatchObject({ generated: 1, failed: 0 });
  }
});
