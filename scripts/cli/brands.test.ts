import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { folderForTest, runCommand, serveForTest } from '../tests/run-command.ts';
import { smallDocument } from '../tests/small-document.ts';

type Source = { key?: string; headers?: readonly string[]; models?: number; odd?: string };

let folder = '';
beforeEach(() => {
  folder = folderForTest();
});

/** Starts a router whose documents and headers use these brands. The documents of `odd` models use a different brand. */
function serve({ key, headers = [], models = 2, odd }: Source): Promise<string> {
  const ids = Array.from({ length: models }, (_, index) => `text-provider/m${index}`);
  const makeDocument = (id: string, word: string | undefined) =>
    smallDocument(id, { a: {} }, word === undefined ? {} : { [`x-${word}-input-schema-authored`]: false });
  return serveForTest((request, response) => {
    for (const name of headers) response.setHeader(name, 'value');
    response.setHeader('content-type', 'application/json');
    const [id] = ids.filter((one) => request.url?.includes(`${one}/`));
    const page = { data: ids.map((one) => ({ id: one, billing: {} })), has_more: false };
    if (request.url?.startsWith('/v2/models?')) response.end(JSON.stringify(page));
    else if (id === undefined) response.writeHead(404).end('{}');
    else response.end(JSON.stringify(makeDocument(id, id === odd ? 'odd' : key)));
  });
}

const apiKey = 'sk-test-9f3Q7eXx';

const run = (...words: string[]) => runCommand(words, folder, { SWITCHYARD_API_KEY: apiKey });

const readLock = (dir = 'generated') => JSON.parse(readFileSync(join(folder, dir, 'switchyard.lock.json'), 'utf8'));
const inputAuthored = () => readFileSync(join(folder, 'generated/models/text-provider/m0.js'), 'utf8');
const bothNames = /^switchyard: .*Acme.*Service.*$|^switchyard: .*Service.*Acme.*$/;

const rule = ['--rule', 'schema-document.*', '--json'];

test.each(['generate', 'diff', 'docs', 'conform'])(
  '%s never uses a credential as the brand, and never prints it',
  async (command) => {
    for (const word of [apiKey, apiKey.toUpperCase(), Buffer.from(apiKey).toString('hex'), `a-${apiKey}-b`]) {
      const url = await serve({ headers: [`X-${word}-Request-Id`, `X-${word}-Credits-Used`] });
      const more: Record<string, readonly string[]> = { diff: ['generated'], conform: rule };
      const { code, out, err } = await run(command, '--router-url', url, ...(more[command] ?? []));
      expect([1, 2, 3]).toContain(code);
      expect(`${out}${err}`.toLowerCase()).not.toContain(word.toLowerCase());
      expect(existsSync(join(folder, 'generated'))).toBe(false);
    }
  },
  60_000,
);

describe('generate', () => {
  test.each<[string, Source]>([
    ['documents', { key: 'service' }],
    ['two headers', { headers: ['X-Service-Request-Id', 'X-Service-Credits-Used'] }],
    ['documents, even if one header has the configured brand', { key: 'service', headers: ['X-Acme-Request-Id'] }],
    ['the documents of many models', { key: 'service', models: 30 }],
  ])('generate fails in one line if the configured brand differs from that of %s', async (_, source) => {
    const { code, out, err } = await run('generate', '--brand', 'Acme', '--router-url', await serve(source));
    expect([code, out]).toEqual([2, '']);
    expect(err.trim().split('\n').slice(-1)[0]).toMatch(bothNames);
    expect(existsSync(join(folder, 'generated'))).toBe(false);
  });

  test('generate uses the source’s brand if none is configured, and keeps it for offline and unchanged runs', async () => {
    const url = await serve({ key: 'acme', headers: ['X-Acme-Request-Id'] });
    expect(await run('generate', '--router-url', url)).toMatchObject({ code: 0, err: expect.stringContaining('Acme') });
    expect(readLock().brand).toBe('Acme');
    expect(inputAuthored()).toContain('inputAuthored: false');
    for (const more of [['--offline'], ['--frozen', '--offline'], [], ['--check']]) {
      const again = await run('generate', '--router-url', url, ...more);
      expect([again.code, again.out.includes('output    unchanged'), again.err]).toEqual([
        0,
        true,
        expect.not.stringContaining('Acme'),
      ]);
    }
  });

  test('generate adopts the brand of the source when it differs from that of the last run', async () => {
    await run('generate', '--router-url', await serve({ key: 'acme' }));
    expect((await run('generate', '--router-url', await serve({ key: 'acme-2' }))).code).toBe(0);
    expect(readLock().brand).toBe('Acme-2');
  });

  test('generate keeps the spelling of a configured brand', async () => {
    const url = await serve({ key: 'acme', headers: ['x-acme-request-id', 'x-acme-credits-used'] });
    expect((await run('generate', '--brand', 'ACME', '--router-url', url)).code).toBe(0);
    expect((await run('generate', '--router-url', url)).out).toContain('output    unchanged');
    expect(readLock().brand).toBe('ACME');
  });

  test.each<[string, Source]>([
    ['documents without a brand', {}],
    ['only one header of another brand', { headers: ['X-Proxy-Request-Id'] }],
    ['one misspelled header', { key: 'service', headers: ['X-Servce-Request-Id', 'X-Service-Credits-Used'] }],
  ])('generate uses the default brand for a source with %s', async (_, source) => {
    expect((await run('generate', '--router-url', await serve(source))).code).toBe(0);
    expect(readLock().brand).toBe('Service');
  });

  test('generate omits and reports a document whose brand differs from that of all others', async () => {
    const url = await serve({ key: 'service', odd: 'text-provider/m1', models: 4 });
    const { code, out } = await run('generate', '--router-url', url);
    expect(code).toBe(0);
    expect(out).toMatch(
      /3 generated, 1 failed(?:.|\n)*brand-differs(?:.|\n)*text-provider\/m1: .*brand odd, .*Service/,
    );
  });

  test('generate ignores an invalid brand in the lockfile', async () => {
    const url = await serve({ key: 'service' });
    await run('generate', '--router-url', url);
    const file = join(folder, 'generated/switchyard.lock.json');
    writeFileSync(file, JSON.stringify({ ...readLock(), brand: 'a\r\nb' }));
    expect((await run('generate', '--router-url', url)).code).toBe(0);
    expect(readLock().brand).toBe('Service');
  });
});

describe('diff', () => {
  test('diff fails in one line if the configured brand differs from that of the source', async () => {
    const url = await serve({ key: 'service' });
    await run('generate', '--router-url', url);
    const { code, out, err } = await run('diff', 'generated', '--brand', 'Acme', '--router-url', url);
    expect([code, out]).toEqual([2, '']);
    expect(err.trim().split('\n').slice(-1)[0]).toMatch(bothNames);
  });

  test('diff uses the source’s brand if none is configured', async () => {
    const url = await serve({ key: 'acme' });
    await run('generate', '--router-url', url);
    expect(await run('diff', 'generated', '--router-url', url)).toMatchObject({ code: 0, err: '' });
  });

  test('diff fails if the configured brand differs from that of an output', async () => {
    await run('generate', '--router-url', await serve({ key: 'service' }));
    const { code, err } = await run('diff', 'generated', 'generated', '--brand', 'Acme');
    expect([code, err.trim()]).toEqual([2, expect.stringMatching(bothNames)]);
  });
});

describe('conform', () => {
  test.each<[string, Source]>([
    ['documents', { key: 'service' }],
    ['two headers', { headers: ['X-Service-Request-Id', 'X-Service-Credits-Used'] }],
  ])(
    'conform fails in one line if the configured brand differs from that of %s',
    { timeout: 20_000 },
    async (_, source) => {
      const { code, out, err } = await run('conform', '--brand', 'Acme', '--router-url', await serve(source), ...rule);
      expect([code, out]).toEqual([2, '']);
      expect(err.trim().split('\n').slice(-1)[0]).toMatch(bothNames);
    },
  );

  test('conform uses the target’s brand if none is configured', { timeout: 20_000 }, async () => {
    const url = await serve({ key: 'acme', headers: ['X-Acme-Request-Id'] });
    const { out, err } = await run('conform', '--router-url', url, ...rule);
    expect(JSON.parse(out).specs.brand).toBe('Acme');
    expect(err).toContain('the source uses the brand Acme');
  });

  test('conform reports a misspelt header rather than using it as the brand', { timeout: 20_000 }, async () => {
    const url = await serve({ key: 'service', headers: ['X-Servce-Request-Id', 'X-Servce-Credits-Used'] });
    const { code, out } = await run('conform', '--router-url', url, '--json', '--rule', 'passive.header.request-id*');
    expect([code, JSON.parse(out).specs.brand]).toEqual([1, 'Service']);
  });
});
