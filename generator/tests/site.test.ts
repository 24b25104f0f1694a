import { expect, test } from 'vitest';
import { toDigest } from '../src/content.ts';
import { generate } from '../src/generate.ts';
import type { Ports } from '../src/ports.ts';
import type { SiteLook } from '../src/site/site-pages.ts';
import { type SiteReport, writeSite } from '../src/site/write-site.ts';
import { createFakeRouter, type FakeRouter, modelDocument } from './fake-router.ts';
import { createMemoryFiles, type MemoryFiles, memoryRoot } from './memory-files.ts';
import { configWith, instantClock, runGenerate } from './run-generate.ts';

const outDir = `${memoryRoot}/site`;
const text = { type: 'string' };
const makeDocument = (properties: object, root: object = {}): object =>
  modelDocument('p/m', { input: { type: 'object', properties }, root });

const look = { name: 'Harbour models', colour: undefined, logo: undefined, since: '2026-10-12' };

type Site = {
  router: FakeRouter;
  files: MemoryFiles;
  ports: Ports;
  write(renderer?: string, changes?: Partial<SiteLook>): Promise<SiteReport>;
};

function prepare(models: Record<string, string | object>): Site {
  const router = createFakeRouter(models);
  const files = createMemoryFiles();
  const ports = { http: router.http, files, clock: instantClock() };
  const write: Site['write'] = (renderer, changes) =>
    writeSite({ source: configWith({}), outDir, renderer, look: { ...look, ...changes } }, ports);
  return { router, files, ports, write };
}

const pageAt = ({ files }: Site, path: string): string => files.contents.get(`${outDir}/${path}`) ?? '';

test('a site has an index, a page for each model, and both APIs if a renderer is installed', async () => {
  const site = prepare({ 'p/m': makeDocument({ prompt: text }) });
  expect(await site.write()).toMatchObject({ models: 1, failed: [], refused: [] });
  expect(pageAt(site, 'models/p/m.html')).toContain('prompt');
  expect(pageAt(site, 'index.html')).not.toContain('Model Router API');
  await site.write('// https://cdn.example/picture.svg');
  expect(pageAt(site, 'index.html')).toContain('href="api/model-router.html"');
  expect(pageAt(site, 'assets/redoc.standalone.js')).toBe('// data:,');
  expect(pageAt(site, 'assets/model-router.js')).toContain('"openapi":"3.1.0"');
});

test('writing a site again without changes writes nothing, and removes the pages of removed models', async () => {
  const site = prepare({ 'p/m': makeDocument({}), 'p/gone': modelDocument('p/gone') });
  await site.write();
  const before = new Map(site.files.contents);
  const commits = site.files.commits.length;
  expect((await site.write()).files).toMatchObject({ created: 0, replaced: 0, removed: 0 });
  expect([site.files.contents, site.files.commits.length]).toEqual([before, commits]);
  site.router.models.delete('p/gone');
  expect((await site.write()).files).toMatchObject({ removed: 1 });
});

test('a site of selected models does not warn about the generated files of other models', async () => {
  const { router, files, ports } = prepare({ 'p/m': makeDocument({}), 'p/other': modelDocument('p/other') });
  await runGenerate(router, files);
  const report = await writeSite({ source: configWith({ only: ['p/m'] }), outDir, renderer: undefined, look }, ports);
  expect(report).toMatchObject({ models: 1, diagnostics: [] });
});

test.each([
  ['a page that was edited', 'models/p/m.html', true],
  ['a file that no run wrote', 'index.html', false],
])('writing a site does not overwrite %s', async (_what, path, isWritten) => {
  const site = prepare({ 'p/m': makeDocument({}) });
  if (isWritten) await site.write();
  site.files.contents.set(`${outDir}/${path}`, 'mine');
  site.router.models.set('p/m', makeDocument({ other: text }));
  expect((await site.write()).refused).toEqual([path]);
  expect(pageAt(site, path)).toBe('mine');
});

test('writing a site fails if the folder contains generated packages', async () => {
  const site = prepare({ 'p/m': makeDocument({}) });
  const packages = { models: { source: toDigest(''), files: {} } };
  const lock = { format: 1, generator: '1.0.0', packages, models: {} };
  site.files.contents.set(`${outDir}/switchyard.lock.json`, JSON.stringify(lock));
  await expect(site.write()).rejects.toThrow('contains generated packages');
});

test('generating packages fails if the folder contains a site', async () => {
  const site = prepare({ 'p/m': makeDocument({}) });
  await site.write();
  await expect(generate(configWith({ outDir }), site.ports)).rejects.toThrow('contains a site');
});

test('a site shows what changed since the lockfile was written, and no changes without a lockfile', async () => {
  const site = prepare({ 'p/m': makeDocument({ prompt: text }), 'p/same': modelDocument('p/same') });
  await site.write();
  expect(pageAt(site, 'index.html') + pageAt(site, 'models/p/m.html')).not.toMatch(/since 2026/i);
  expect(pageAt(site, 'changes.html')).toBe('');
  await runGenerate(site.router, site.files);
  site.router.models.set('p/m', makeDocument({}));
  site.router.models.set('p/new', modelDocument('p/new'));
  await site.write();
  expect(pageAt(site, 'models/p/m.html')).toMatch(
    /Changed since 2026-10-12[\s\S]*compatible[\s\S]*<code>input.prompt<\/code>: property removed/,
  );
  expect(pageAt(site, 'models/p/new.html')).toMatch(/Changed since 2026-10-12[\s\S]*added/);
  expect(pageAt(site, 'models/p/same.html')).not.toMatch(/since 2026/i);
  expect(pageAt(site, 'changes.html')).toContain('Models: 1 added, 1 changed');
});

test('a frozen site shows the documents of the lockfile', async () => {
  const site = prepare({ 'p/m': makeDocument({ prompt: text }) });
  await runGenerate(site.router, site.files);
  site.router.models.set('p/m', makeDocument({ other: text }));
  await writeSite(
    { source: configWith({ source: 'offline', frozen: true }), outDir, renderer: undefined, look },
    site.ports,
  );
  expect(pageAt(site, 'models/p/m.html')).toContain('prompt');
  expect(pageAt(site, 'changes.html')).toContain('No model has changed');
});

test('a site lists the models that have no page', async () => {
  const site = prepare({ 'p/m': makeDocument({}), 'p/broken': 'no JSON' });
  expect(await site.write()).toMatchObject({ models: 1, failed: ['p/broken'] });
  expect(pageAt(site, 'index.html')).toContain('<code>p/broken</code>');
});

const hostile = `"><script>alert(1)</script>{{id}}\u202e' onload=alert(1) \``;

test('a page escapes text from its document', async () => {
  const property = { type: 'string', description: hostile, default: hostile, enum: [hostile], examples: [hostile] };
  const root = {
    info: { title: hostile, description: hostile, version: '1' },
    'x-service-router-input-modalities': [hostile],
    'x-service-router-alias-of': hostile,
    'x-service-router-alt-providers': [{ provider: hostile, model_id: hostile }],
  };
  const site = prepare({
    'p/m': makeDocument({ [hostile]: property }, root),
    'P/..%2f<b>': modelDocument('P/..%2f<b>'),
  });
  await site.write();
  const pages = [...site.files.contents].filter(([path]) => path.startsWith(outDir) && path.endsWith('.html'));
  expect(pages.map(([path]) => path.slice(outDir.length + 1)).sort()).toEqual([
    'index.html',
    'models/index.html',
    'models/p/m.html',
    'models/~50/~2e.~252f~3cb~3e.html',
  ]);
  for (const [, html] of pages) {
    expect(html).not.toMatch(/<script>|\u202e|<b>/);
    expect(html.replace(/"[^"]*"/g, '').match(/<[^>]*\sonload/)).toBeNull();
  }
  expect(pageAt(site, 'models/p/m.html')).toContain('{{id}}');
});

function readPolicy(site: Site, path: string): string | undefined {
  const [, policy] = /Content-Security-Policy" content="([^"]*)"/.exec(pageAt(site, path)) ?? [];
  return policy?.replaceAll('&#x27;', "'");
}

test('the content security policy of a model page allows no requests to other hosts', async () => {
  const site = prepare({ 'p/m': makeDocument({}) });
  await site.write();
  expect(readPolicy(site, 'models/p/m.html')).toContain("default-src 'none'");
  expect(readPolicy(site, 'models/p/m.html')).not.toContain('https:');
});

test('a site uses the configured name, colour and logo', async () => {
  const site = prepare({ 'p/m': makeDocument({}) });
  await site.write(undefined, { colour: '#0a6e5c', logo: 'data:image/png;base64,AAAA' });
  expect(pageAt(site, 'index.html')).toContain('<h1>Harbour models</h1>');
  expect(pageAt(site, 'assets/site.css')).toContain('url("data:image/png;base64,AAAA")');
  expect(pageAt(site, 'models/p/m.html')).toContain('<title>p/m – Harbour models</title>');
  expect(pageAt(site, 'assets/site.css')).toContain('--accent: #0a6e5c;');
});

const kinds = (html: string): string[] => [...html.matchAll(/data-kind="(\w+)"/g)].map(([, kind = '']) => kind);

test('model pages show modalities that are guessed from field names, and mark deprecated models', async () => {
  const properties = { prompt: text, image_urls: { type: 'array', items: text }, num_images: { type: 'integer' } };
  const site = prepare({
    'p/m': makeDocument(properties),
    'p/size': makeDocument({ image_size: { enum: ['small', 'large'] } }),
    'p/old': JSON.stringify(modelDocument('p/old')).replace('"post":{', '"post":{"deprecated":true,'),
  });
  await site.write();
  expect(kinds(pageAt(site, 'models/p/m.html')).slice(0, 2)).toEqual(['image', 'text']);
  expect(kinds(pageAt(site, 'models/p/size.html'))[0]).toBe('data');
  expect(pageAt(site, 'models/p/old.html')).toContain('data-mark="deprecated"');
  expect(pageAt(site, 'models/p/m.html')).not.toContain('data-mark');
});

test('the index omits a description that is the same for several models except for the model id', async () => {
  const describe = (id: string, description: string): [string, object] => [
    id,
    modelDocument(id, { root: { info: { title: id, description, version: '1' } } }),
  ];
  const generic = ['p/a', 'p/b', 'p/c'].map((id) => describe(id, `The schema for the ${id} queue.`));
  const site = prepare(Object.fromEntries([...generic, describe('p/d', 'Draws a/b tests.')]));
  await site.write();
  expect(pageAt(site, 'models/index.html')).not.toContain('The schema for');
  expect(pageAt(site, 'models/index.html')).toContain('Draws a/b tests.');
});

test('a model page shows a curl command with escaped input and the API key as a variable', async () => {
  const example = { prompt: "a harbour's light" };
  const site = prepare({ 'p/m': modelDocument('p/m', { input: { type: 'object', example } }) });
  await site.write();
  const [, block = ''] = /aria-label="The call with curl">(.*?)<\/pre>/s.exec(pageAt(site, 'models/p/m.html')) ?? [];
  const shown = block
    .replace(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'");
  expect(shown).toBe(`curl -sS -X POST "\${MODEL_ROUTER_URL}/v2/models/p/m" \\
  -H "X-API-Key: \${MODEL_ROUTER_API_KEY}" \\
  -H 'Content-Type: application/json' \\
  --data-raw '{"prompt":"a harbour'\\''s light"}'`);
});

test('the start page links to the sample call of a model whose input is described', async () => {
  const vague = modelDocument('p/a', { root: { 'x-service-input-schema-authored': false } });
  const site = prepare({ 'p/a': vague, 'p/m': makeDocument({ prompt: text }) });
  await site.write();
  const index = pageAt(site, 'index.html');
  expect(index).toContain('has the packages <code>@switchyard/model-router</code>, <code>@switchyard/models</code>.');
  expect(index).toContain('<a href="models/p/m.html#call">p/m</a>');
});

// For unpublished packages, the command could install packages of someone else with the same names.
test('the start page shows an install command if the packages are published', async () => {
  const site = prepare({ 'p/m': makeDocument({ prompt: text }) });
  const { outputLayout } = configWith({});
  const source = configWith({ outputLayout: { ...outputLayout, publish: { access: 'restricted' } } });
  await writeSite({ source, outDir, renderer: undefined, look }, site.ports);
  expect(pageAt(site, 'index.html')).toContain('<code>npm install @switchyard/model-router @switchyard/models</code>');
});

test('a page renders descriptions as CommonMark, and escapes HTML and script links in them', async () => {
  const description = [
    'First **bold** and `code_here`, a [link](https://example.com/a).',
    '    indented()',
    '- an item\n- another',
    '<b>markup</b> [no](javascript:alert(1)) ![picture](https://example.com/b.png)',
    '# A heading',
  ].join('\n\n');
  const site = prepare({
    'p/m': makeDocument({ long: { ...text, description }, short: { ...text, description: 'Is *short*.' } }),
  });
  await site.write();
  const page = pageAt(site, 'models/p/m.html');
  expect(page).toContain('<p class="text">Is <em>short</em>.</p>');
  expect(page).toContain('<span class="brief">First bold and code_here, a link.</span>');
  expect(page).toContain(
    '<strong>bold</strong> and <code>code_here</code>, a <a href="https://example.com/a" rel="noreferrer noopener">link</a>',
  );
  expect(page).toContain('<li>an item</li>');
  expect(page).toContain('<pre><code>indented()');
  expect(page).toContain('<p><strong>A heading</strong></p>');
  expect(page).not.toMatch(/<b>|href="javascript|<img/);
});

test('the content security policy of the start page only allows the styles and scripts of the site', async () => {
  const site = prepare({ 'p/m': makeDocument({}) });
  await site.write();
  expect(readPolicy(site, 'index.html')).toBe(
    "default-src 'none'; style-src 'self' file:; script-src 'self' file:; img-src data:; base-uri 'none'; form-action 'none'",
  );
});
