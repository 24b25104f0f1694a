import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { type LocalServer, serveLocally } from '../local-servers.ts';
import { pageScript } from './page-script.ts';
import { makeProject, type Project } from './project.ts';

const page = 'docs/how-to/see-what-an-update-breaks.md';
const servers: LocalServer[] = [];
let project: Project | undefined;
let cache = '';
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  project?.close();
  rmSync(cache, { recursive: true, force: true });
});

type Answer = (request: IncomingMessage, body: Buffer, response: ServerResponse) => void;

async function serve(answer: Answer): Promise<string> {
  const server = await serveLocally(async (request, response) => answer(request, await buffer(request), response));
  servers.push(server);
  return server.url;
}

/** A router of one model whose input has these members. */
function serveRouter(members: () => readonly string[]): Promise<string> {
  return serve((request, _, response) => {
    const input = {
      type: 'object',
      properties: Object.fromEntries(members().map((name) => [name, { type: 'string' }])),
    };
    const content = { 'application/json': { schema: input } };
    const post = { requestBody: { content }, responses: { 200: { description: 'Done.', content } } };
    const document = {
      openapi: '3.1.0',
      info: { title: 'One', version: '1' },
      paths: { '/v2/models/maker/one': { post } },
    };
    const catalog = { data: [{ id: 'maker/one', billing: {} }], has_more: false };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(request.url?.endsWith('openapi.json') ? document : catalog));
  });
}

type Packument = { versions: Record<string, { dist: { tarball: string } }>; 'dist-tags': Record<string, string> };

/** What npm needs of a registry: to publish, to read a package, and to load its files. */
async function serveRegistry(): Promise<{ url: string; packages: Map<string, Packument> }> {
  const packages = new Map<string, Packument>();
  const files = new Map<string, Buffer>();
  const url = await serve((request, body, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    const file = files.get(path.slice(path.lastIndexOf('/') + 1));
    if (request.method !== 'PUT') {
      const known = packages.get(path);
      const found = file ?? (known && JSON.stringify(known));
      response.writeHead(found === undefined ? 404 : 200).end(found ?? '{}');
      return;
    }
    const { versions, _attachments, ...rest } = JSON.parse(body.toString());
    const present = packages.get(path);
    const isTaken = Object.keys(versions).some((version) => version in (present?.versions ?? {}));
    for (const [name, { data }] of Object.entries<{ data: string }>(_attachments)) {
      const key = encodeURIComponent(name);
      files.set(key, Buffer.from(data, 'base64'));
      for (const one of Object.values<{ dist: { tarball: string } }>(versions))
        one.dist.tarball = `${url}/files/${encodeURIComponent(key)}`;
    }
    if (!isTaken) packages.set(path, { ...rest, versions: { ...present?.versions, ...versions } });
    response.writeHead(isTaken ? 403 : 201).end('{}');
  });
  return { url, packages };
}

// Only in `npm run test:long`.
const isLong = process.env['SWITCHYARD_RELEASES'] === '1';
test.runIf(isLong)(
  'the steps of the release page publish packages and their changelog to a registry',
  async () => {
    let members = ['prompt', 'seed'];
    const routerUrl = await serveRouter(() => members);
    const registry = await serveRegistry();
    cache = mkdtempSync(join(tmpdir(), 'switchyard-npm-'));
    const fillIn = (text: string): string =>
      text
        .replace('https://router.example', routerUrl)
        .replace('https://registry.example', registry.url)
        .replace('git tag packages-v1', 'git tag "packages-v$RELEASE"');
    const steps = pageScript(page, fillIn, ({ note }) => !note.includes('release-packages.test.ts'));
    const host = registry.url.slice('http:'.length);
    project = makeProject();
    project.write('.npmrc', `registry=${registry.url}\n${host}/:_authToken=a-token\nfund=false\naudit=false\n`);
    project.write('.gitignore', 'node_modules\n.switchyard\n');
    const env = {
      SWITCHYARD_API_KEY: 'a-key',
      npm_config_cache: cache,
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@example.com',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@example.com',
    };
    const first = await project.run(`git init --quiet\n${steps}`, { ...env, RELEASE: '1' });
    expect(first.output + first.code).toMatch(/0$/);
    expect([...registry.packages].map(([name, { versions }]) => [name, Object.keys(versions)])).toEqual([
      ['@acme/model-router', ['0.1.0']],
      ['@acme/workflow-execution', ['0.1.0']],
      ['@acme/models', ['0.1.0']],
    ]);

    members = ['prompt', 'style'];
    // Only the models have changed.
    const lines = steps.split('\n');
    const kept = lines.filter(
      (_, index) => ![0, 1].some((back) => /publish .*(?:model-router|workflow)/.test(lines[index - back] ?? '')),
    );
    const second = await project.run(kept.join('\n'), { ...env, RELEASE: '2' });
    expect(second.output + second.code).toMatch(/0$/);
    expect(registry.packages.get('@acme/models')?.['dist-tags']).toEqual({ latest: '0.2.0' });
    const changelog = readFileSync(join(project.folder, 'generated/models/CHANGELOG.md'), 'utf8');
    expect(changelog).toMatch(
      /^# Changelog\n\n## 0\.2\.0\n\n### `maker\/one`: breaking\n\n- breaking: `input\.seed`: property removed/,
    );

    const consumer = await project.run(
      `mkdir consumer && cp .npmrc consumer && cd consumer
npm init --yes > log && npm install --legacy-peer-deps @acme/models > log
test -f node_modules/@acme/models/CHANGELOG.md
node --input-type=module --eval 'import { model } from "@acme/models/maker/one"; console.log(model.id)'`,
      env,
    );
    expect(consumer).toMatchObject({ code: 0, output: expect.stringContaining('maker/one') });
    expect(await project.run('npx openapi-switchyard verify generated', env)).toMatchObject({ code: 0 });
  },
  240_000,
);
