import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AssetError, type DownloadOptions, downloadAsset } from '../src/assets/download-asset.ts';
import { type Asset, findAssets } from '../src/assets/find-assets.ts';
import { toDataUrl } from '../src/assets/index.ts';
import { saveAsset } from '../src/node/save-asset.ts';
import { manualClock, type Reply, startScriptedServer } from './scripted-server.ts';

const find = (data: unknown): Asset[] => findAssets({ data });

describe('findAssets', () => {
  // MR-AST-03, MR-AST-15, MR-AST-16, MR-AST-27, MR-AST-30, MR-AST-34, MR-LIM-13, MR-IDM-50
  it('finds asset URLs of the service and of providers, and does not report how long they stay valid', () => {
    const data = { images: [{ url: 'https://assets.example/1' }, { url: 'https://provider.example/2' }] };
    expect(find(data)).toEqual([
      { kind: 'url', path: ['images', 0, 'url'], url: 'https://assets.example/1' },
      { kind: 'url', path: ['images', 1, 'url'], url: 'https://provider.example/2' },
    ]);
  });

  it('the memory that findAssets needs is proportional to the size of the output, even if it is deep and wide', () => {
    const urls = Array.from({ length: 200_000 }, (_, at) => `http://a/${at}`);
    let data: unknown = urls;
    for (let level = 0; level < 5_000; level++) data = { a: data };
    const before = process.memoryUsage().heapUsed;
    const found = find(data);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(200_000_000);
    expect([found.length, found.at(-1)?.path.length, found.at(-1)?.path.at(-1)]).toEqual([200_000, 5_001, 199_999]);
  });

  // MR-AST-01, MR-AST-21, MR-AST-22, MR-AST-23
  it('finds a video in whichever member of the output contains it', () => {
    const videos = [{ gcsUri: 'https://storage.example/1' }, { bytesBase64Encoded: btoa('clip') }];
    expect(find({ response: { videos } })).toEqual([
      { kind: 'url', path: ['response', 'videos', 0, 'gcsUri'], url: 'https://storage.example/1' },
      {
        kind: 'inline',
        path: ['response', 'videos', 1, 'bytesBase64Encoded'],
        bytes: new TextEncoder().encode('clip'),
      },
    ]);
  });

  it('finds data URLs in outputs, and treats a binary output as one asset', () => {
    expect(find([`data:image/PNG;base64,${btoa('a')}`])).toMatchObject([{ kind: 'inline', mediaType: 'image/png' }]);
    const bytes = new Uint8Array([1]);
    const mediaType = 'audio/mpeg'; // from the response
    expect(findAssets({ data: bytes, mediaType })).toEqual([{ kind: 'inline', path: [], bytes, mediaType }]);
  });

  it('ignores values that are not assets, at any depth', () => {
    let deep: unknown = 'https://assets.example/deep';
    for (let depth = 0; depth < 300_000; depth += 1) deep = [deep];
    expect(
      find({ a: 'file:///etc/passwd', b: 'javascript:1', bytesBase64Encoded: '***', c: 'https://', deep }),
    ).toHaveLength(1);
    expect(find({ id: 'asset_123', uri: 'gs://bucket/object', text: 'see https://a.example' })).toEqual([]);
  });
});

async function scripted(...replies: (Reply | (() => Reply))[]) {
  const server = await startScriptedServer();
  onTestFinished(() => server.close());
  server.script(...replies);
  const asset: Asset = { kind: 'url', path: [], url: `${server.url}/clip` };
  const clock = manualClock();
  const read = (options: Partial<DownloadOptions> = {}): Promise<string> =>
    new Response(downloadAsset(asset, { maxBytes: 100, allowHttp: true, clock, ...options })).text();
  return { server, read };
}
const bytes = (text: string, headers: Record<string, string> = {}): Reply => ({
  body: Buffer.from(text),
  headers: { 'content-type': 'video/mp4', ...headers },
});

describe('downloadAsset', () => {
  it('retries a rejected download, and sends no credential', async () => {
    const { server, read } = await scripted({ status: 503 }, 'reset', bytes('whole'));
    expect(await read()).toBe('whole');
    for (const { headers } of server.seen) expect(Object.keys(headers)).not.toContain('authorization');
  });

  it('requests the rest of an asset after a broken connection', async () => {
    const first: Reply = { body: Buffer.from('12345'), truncate: true, headers: { etag: '"1"' } };
    const rest: Reply = { status: 206, body: Buffer.from('6789'), headers: { 'content-range': 'bytes 5-8/9' } };
    const { server, read } = await scripted(first, rest);
    expect(await read()).toBe('123456789');
    expect(server.seen[1]?.headers).toMatchObject({ range: 'bytes=5-', 'if-range': '"1"' });
  });

  const otherRest = { 'content-range': 'bytes 5-8/9', etag: '"2"' };
  it.each<[string, Reply]>([
    ['restarts from the beginning', bytes('123456789')],
    ['sends the rest of a different file', { status: 206, body: Buffer.from('6789'), headers: otherRest }],
  ])('fails after a broken connection if the server %s', async (_, second) => {
    const headers = { etag: '"1"' };
    const { server, read } = await scripted({ body: Buffer.from('12345'), truncate: true, headers }, second);
    await expect(read()).rejects.toThrow('broke off after 5 bytes');
    expect(server.seen).toHaveLength(2);
  });

  it.each([{}, { etag: 'W/"1"' }])('does not join parts that may belong to different files (%o)', async (headers) => {
    const rest: Reply = { status: 206, body: Buffer.from('6789'), headers: { 'content-range': 'bytes 5-8/9' } };
    const { server, read } = await scripted({ body: Buffer.from('12345'), truncate: true, headers }, rest);
    await expect(read()).rejects.toThrow('broke off after 5 bytes');
    expect(server.seen).toHaveLength(1);
  });

  const ends: [name: string, reply: Reply, options: Partial<DownloadOptions>, calls: number][] = [
    ['an asset above the limit', bytes('0123456789'), { maxBytes: 9 }, 1],
    ['404', { status: 404 }, {}, 1],
    ['endless 503 responses', { status: 503 }, { maxAttempts: 3 }, 3],
    ['http', bytes('1'), { allowHttp: false }, 0],
  ];
  it.each(ends)('a download ends with an error at %s', async (_, reply, options, calls) => {
    const { server, read } = await scripted(reply);
    await expect(read(options)).rejects.toThrow(AssetError);
    expect(server.seen).toHaveLength(calls);
  });

  it('follows a redirect, but not from https to http', async () => {
    const { server, read } = await scripted({ status: 302, headers: { location: '/moved' } }, bytes('whole'));
    expect(await read()).toBe('whole');
    expect(server.seen.map(({ url }) => url)).toEqual(['/clip', '/moved']);
    const secure = async (location: string): Promise<string> => {
      server.script({ status: 302, headers: { location } }, bytes('whole'));
      // The server has no certificate, so its address is rewritten.
      const fetch = (request: Request): Promise<Response> =>
        globalThis.fetch(request.url.replace('https://assets.example', server.url), { redirect: request.redirect });
      const asset: Asset = { kind: 'url', path: [], url: 'https://assets.example/clip' };
      return new Response(downloadAsset(asset, { maxBytes: 100, allowHttp: true, fetch })).text();
    };
    expect(await secure('https://assets.example/moved')).toBe('whole');
    await expect(secure('http://assets.example/moved')).rejects.toThrow('http: URLs are not downloaded');
    expect(server.seen).toHaveLength(1);
  });

  const refused: [name: string, to: string, options: Partial<DownloadOptions>, why: string][] = [
    ['another port of this machine', 'http://127.0.0.1:9/', {}, 'private network'],
    ['this machine by number', 'http://2130706433/', {}, 'private network'],
    ['this machine by name', 'http://localhost/', {}, 'private network'],
    ['this machine in version 6', 'http://[::1]/', {}, 'private network'],
    ['an IPv4 address that is mapped to IPv6', 'http://[::ffff:10.0.0.1]/', {}, 'private network'],
    ['a metadata service', 'http://169.254.169.254/latest', {}, 'private network'],
    ['a private network', 'https://192.168.0.1/', {}, 'private network'],
    ['a name of this network', 'https://redis:6379/', {}, 'private network'],
    ['a name for this machine', 'https://localhost.localdomain./', {}, 'private network'],
    ['a name that no public server has', 'https://kubernetes.default.svc/', {}, 'private network'],
    ['an IPv4 address within an IPv6 address', 'https://[2001::7f00:1]/', {}, 'private network'],
    ['a URL with a password', 'https://:a@assets.example/', {}, 'user name'],
    ['a file', 'file:///etc/passwd', {}, 'file: URLs are not downloaded'],
    ['a URL with a user name', 'http://a@assets.example/', {}, 'user name'],
    ['an invalid URL', 'http://', {}, 'the URL is not valid'],
    ['itself, endlessly', '/clip', {}, 'more than 5 times'],
    ['another port, where private ones are allowed', 'http://127.0.0.1:1/', { allowPrivate: true }, 'fetch failed'],
  ];
  it.each(refused)('does not follow a redirect to %s', async (_, location, options, why) => {
    const { server, read } = await scripted({ status: 302, headers: { location } });
    await expect(read({ maxAttempts: 1, ...options })).rejects.toThrow(why);
    expect(server.seen).toHaveLength(location === '/clip' ? 6 : 1);
  });

  it.each(['https://127.0.0.1/a', 'https://[fe80::1]/a', 'https://db.internal/a'])(
    'a download sends no request to %s',
    async (url) => {
      const fetch = (): never => expect.unreachable('it asked');
      const stream = downloadAsset({ kind: 'url', path: [], url }, { maxBytes: 1, fetch });
      await expect(new Response(stream).text()).rejects.toThrow('private network');
    },
  );

  it('a download ends when the signal aborts', async () => {
    const controller = new AbortController();
    const { server, read } = await scripted(() => {
      controller.abort();
      return { status: 503 };
    });
    await expect(read({ signal: controller.signal })).rejects.toThrow();
    expect(server.seen).toHaveLength(1);
  });
});

describe('the media type of an asset', () => {
  it.each([
    [{ media_type: 'image/png', bytes_base64: btoa('a') }, 'image/png'],
    [{ mimeType: 'Video/MP4; codecs=x', bytesBase64Encoded: btoa('a') }, 'video/mp4'],
    [{ b64_json: btoa('a') }, undefined],
    [{ content_type: 'image/webp', url: 'https://assets.example/1' }, 'image/webp'],
    [{ content_type: 'a page', url: 'https://assets.example/1' }, undefined],
  ])('finds the media type of an asset in a neighbouring member: %j', (data, mediaType) => {
    expect(find(data).map((asset) => asset.mediaType)).toEqual([mediaType]);
  });

  it('a download has the media type that the server sends, or else that of the output', async () => {
    const asset = { kind: 'url', path: ['url'], url: 'https://assets.example/1', mediaType: 'image/png' } as const;
    const download = (headers: Record<string, string>) =>
      downloadAsset(asset, { maxBytes: 10, fetch: async () => new Response(new Uint8Array(2), { headers }) });
    expect(await download({ 'content-type': 'image/webp; q=1' }).mediaType).toBe('image/webp');
    expect(await download({}).mediaType).toBe('image/png');
    const fetch = async (): Promise<Response> => new Response(null, { status: 404 });
    const failed = downloadAsset(asset, { maxBytes: 10, fetch });
    await expect(new Response(failed).text()).rejects.toThrow('404');
    expect(await failed.mediaType).toBe('image/png');
  });
});

/** Returns the path of a folder that does not exist yet. */
async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'assets-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, 'new');
}

describe('saveAsset', () => {
  const png = (path: (string | number)[]): Asset => ({
    kind: 'inline',
    path,
    bytes: new Uint8Array([1, 2]),
    mediaType: 'image/png',
  });
  it('derives a file name from the path and the media type, and does not overwrite files', async () => {
    const folder = await openFolder();
    const first = await saveAsset(png(['images', 0, 'url']), folder, { maxBytes: 10 });
    const second = await saveAsset(png(['images', 0, 'url']), folder, { maxBytes: 10 });
    expect(first).toEqual({ path: `${folder}/images-0-url.png`, mediaType: 'image/png', bytes: 2 });
    expect(second.path).toBe(`${folder}/images-0-url-2.png`);
    expect([...(await readFile(second.path))]).toEqual([1, 2]);
    expect((await readdir(folder)).sort()).toEqual(['images-0-url-2.png', 'images-0-url.png']);
  });

  it.each([
    ['../../etc/passwd', 'etc-passwd'],
    ['..', 'asset'],
    ['con', 'asset-con'],
    ['a'.repeat(300), 'a'.repeat(100)],
  ])('saves an asset in its folder with the name %s', async (name, safe) => {
    const folder = await openFolder();
    const { path } = await saveAsset(png([]), folder, { maxBytes: 10, name });
    expect(path).toBe(`${folder}/${safe}.png`);
  });

  it('leaves no file behind if a download fails', async () => {
    const folder = await openFolder();
    await expect(saveAsset(png(['a']), folder, { maxBytes: 1 })).rejects.toThrow(AssetError);
    expect(await readdir(folder)).toEqual([]);
  });

  it('uses the extension of the URL if the media type is unknown', async () => {
    const fetch = async (): Promise<Response> => new Response(new Uint8Array(1));
    const asset = { kind: 'url', path: ['mesh'], url: 'https://assets.example/a/b.OBJ?x=1' } as const;
    expect((await saveAsset(asset, await openFolder(), { maxBytes: 9, fetch })).path).toMatch(/mesh\.obj$/);
  });
});

it('converts a file to a data URL unless it is too large', async () => {
  const blob = new Blob([new Uint8Array(20_000).fill(7)], { type: 'image/png' });
  const url = await toDataUrl(blob, { maxBytes: 20_000 });
  expect(Buffer.from(url.replace('data:image/png;base64,', ''), 'base64')).toEqual(Buffer.alloc(20_000, 7));
  await expect(toDataUrl(blob, { maxBytes: 19_999 })).rejects.toThrow('20000 bytes, and maxBytes is 19999');
});

describe('a download that is not the asset', () => {
  const asset = { kind: 'url', url: 'https://assets.example/a.png', path: ['a'], mediaType: 'image/png' } as const;
  const save = async (respond: () => Response, more = {}): Promise<unknown> => {
    const folder = await openFolder();
    const failed = await saveAsset(asset, folder, { maxBytes: 100, fetch: async () => respond(), ...more }).catch(
      (error: unknown) => error,
    );
    expect(await readdir(folder)).toEqual([]);
    return failed;
  };

  it('saving an asset rejects an HTML page, an empty file and an incomplete download', async () => {
    const html = { headers: { 'content-type': 'text/html' } };
    expect(await save(() => new Response('<html>expired', html))).toMatchObject({
      message: expect.stringContaining('a page'),
    });
    expect(await save(() => new Response(''))).toMatchObject({ message: expect.stringContaining('empty') });
    const silent = (): Response => new Response(new ReadableStream({}));
    const failed = await save(silent, { idleTimeoutMs: 30, maxAttempts: 2, clock: manualClock() });
    expect(failed).toBeInstanceOf(AssetError);
    expect(failed).toMatchObject({ message: expect.stringContaining('sent no data for 30 ms') });
  });
});
