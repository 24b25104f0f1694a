import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sandboxCredentials } from '../../sandbox/src/index.ts';
import { serveSandbox } from '../../scripts/tests/with-sandbox.ts';
import { buildEffectiveSpecs } from '../../specs/src/index.ts';
import { checkRecorded, exitCodeOf, type ReadHar, readHar } from '../src/index.ts';
import { serveLocally } from './local-servers.ts';
import { namedBlock } from './pages/code-blocks.ts';
import { runScript, writePlaywright } from './pages/project.ts';
import { catalog } from './sandbox-under-test.ts';

// Runs the program of docs/how-to/check-recorded-traffic.md with the Chromium in the dependencies.
const key = sandboxCredentials.router.main;
const specs = buildEffectiveSpecs();
let folder: string;
let recorded: ReadHar & { readonly url: string };
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'recording-'));
  writeFileSync(
    join(folder, 'record-traffic.mjs'),
    namedBlock('docs/how-to/check-recorded-traffic.md', 'record-traffic.mjs').text,
  );
  writePlaywright(folder);
  recorded = await record();
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

/** A page whose button lists models, runs one, submits a request, and polls and collects the request at the URLs of its handle. */
const app = (
  router: string,
) => `<!doctype html><link rel="icon" href="data:,"><button>Generate</button><script type="module">
const headers = { 'X-API-Key': '${key}', 'Content-Type': 'application/json' };
const send = async (url, body) =>
  (await fetch(url, body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) })).json();
document.querySelector('button').onclick = async () => {
  await send('${router}/v2/models?limit=3');
  const model = '${router}/v2/models/sandbox/outcomes';
  await send(model, { outcome: 'echo' });
  const handle = await send(model + '/requests', { size_bytes: 10 });
  for (let status = ''; status !== 'COMPLETED'; ) ({ status } = await send(handle.status_url));
  await send(handle.response_url);
  document.body.append('Done');
};
</script>`;

/** Returns the traffic that Playwright records while the page of an app uses a sandbox. */
async function record(): Promise<typeof recorded> {
  const timings = { waitingMs: 20, runningMs: 20 };
  const { url, close } = await serveSandbox({ catalog, cors: ['*'], timings });
  const page = await serveLocally((_, response) => response.setHeader('Content-Type', 'text/html').end(app(url)));
  try {
    const env = { APP_URL: `${page.url}/` };
    expect(await runScript('node record-traffic.mjs', folder, { env })).toEqual({ code: 0, output: '' });
    return { ...readHar(readFileSync(join(folder, 'traffic.har'), 'utf8'), {}), url };
  } finally {
    await Promise.all([page.close(), close()]);
  }
}

test('recorded traffic of a conforming server passes, and no report shows the credential in it', async () => {
  const { exchanges, urls, skipped, url } = recorded;
  expect([urls, skipped]).toEqual([{ router: url }, 1]); // The request for the page itself is skipped.
  expect(new Set(exchanges.map(({ request }) => request.method))).toEqual(new Set(['GET', 'POST']));
  const report = await checkRecorded({ exchanges, urls, specs }, folder);
  expect(report.groups).toEqual([]);
  expect(exitCodeOf(report)).toBe(0);
  expect(report.counts.passed).toBeGreaterThan(10);
  for (const name of ['result.json', 'report.html'])
    expect(readFileSync(join(folder, name), 'utf8')).not.toContain(key);
});

test('a check of recorded traffic fails if the server sends no request ids', async () => {
  const { exchanges, urls } = recorded;
  const broken = exchanges.map((exchange) => {
    const { result } = exchange;
    if (result.kind === 'no-response') return exchange;
    return {
      ...exchange,
      result: { ...result, headers: result.headers.filter(([name]) => !/request-id/i.test(name)) },
    };
  });
  expect(exitCodeOf(await checkRecorded({ exchanges: broken, urls, specs }, folder))).toBe(1);
});

test.each(['', '{}', '[1]', '{"log":{"entries":3}}', 'not json'])(
  'a check of recorded traffic rejects %j, which is not a HAR file',
  (text) => {
    expect(() => readHar(text, {})).toThrow('not a HAR file');
  },
);

/** An entry of a HAR file whose response repeats a secret in its body. */
const makeEntry = (secret: string, sent: readonly string[][], received: readonly string[][] = []): object => {
  const headers = (lines: readonly string[][]) => lines.map(([name, value]) => ({ name, value }));
  return {
    startedDateTime: '2026-01-01T00:00:00.000Z',
    request: { method: 'GET', url: 'https://router.test/v2/models', headers: headers(sent) },
    response: { status: 200, headers: headers(received), content: { text: JSON.stringify({ repeated: secret }) } },
  };
};

test('no report shows a credential of a header that a body repeats', async () => {
  // Secrets without common parts, so that none is redacted only because another one is.
  const secrets = ['k9Fq2LmZ4c', 'tR5wXb81vN', 'hY3uJd60pS', 'gM8eKa27oV', 'zC1iQn94lT'] as const;
  const [inCookie, setByServer, userName, firstOfTwo, parameter] = secrets;
  const entries = [
    makeEntry(inCookie, [['Cookie', `theme=dark; sid=${inCookie}; lang=en`]]),
    makeEntry(setByServer, [], [['Set-Cookie', `sid="${setByServer}"; Path=/; HttpOnly`]]),
    makeEntry(userName, [['Authorization', `Basic ${btoa(`${userName}:`)}`]]),
    makeEntry(firstOfTwo, [['Authorization', `Bearer ${firstOfTwo}==, Bearer other-token-1`]]),
    makeEntry(parameter, [['Authorization', `Token token="${parameter}", uri="/v2/models"`]]),
  ];
  const read = readHar(JSON.stringify({ log: { entries } }), {});
  const out = mkdtempSync(join(folder, 'repeated-'));
  await checkRecorded({ ...read, specs, evidence: 'all' }, out, { formats: ['markdown', 'sarif'] });
  for (const name of readdirSync(out).filter((one) => one.includes('.') && one !== '.gitignore')) {
    const text = readFileSync(join(out, name), 'utf8');
    expect(
      secrets.filter((secret) => text.includes(secret)),
      name,
    ).toEqual([]);
    if (name === 'result.json') expect(text).toContain('https://router.test/v2/models');
  }
});

test('a check of recorded traffic accepts many long cookies, and its reports show none of them', async () => {
  const cookie = (name: string): string =>
    Array.from({ length: 400 }, (_, at) => `${name}${at}=${'(['.repeat(20)}${name}-${at}-value`).join('; ');
  const repeated = 'se-Cret_9f3Q7eXx';
  const entries = ['a', 'b', 'c'].map((name) => {
    const cookies = `${cookie(name)}; long=${name.repeat(60_000)}`;
    return makeEntry(repeated, [
      ['Cookie', cookies],
      ['X-API-Key', repeated],
    ]);
  });
  const read = readHar(JSON.stringify({ log: { entries } }), {});
  const out = mkdtempSync(join(folder, 'cookies-'));
  const secrets = ['se-Cret_of-the-environment', ...read.exchanges.map((_, at) => `${'(['.repeat(2_000)}${at}`)];
  await checkRecorded({ ...read, specs, secrets, evidence: 'all', redact: { query: ['(['.repeat(2_000)] } }, out);
  const exchanges = readdirSync(join(out, 'exchanges')).map((name) =>
    readFileSync(join(out, 'exchanges', name), 'utf8'),
  );
  expect(exchanges.join('')).not.toMatch(/se-Cret|a-0-value|([abc])\1{50}/);
});
