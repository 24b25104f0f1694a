import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { buildEffectiveSpecs, defaultSpecSettings } from '../../../specs/src/index.ts';
import { notations } from '../../tests/notations.ts';
import type { Target } from '../contract/target.ts';
import { conformToFolder } from './conform-to-folder.ts';

const key = 'sk-Live_9f3Q7eXxYz';
const folder = mkdtempSync(join(tmpdir(), 'redacted-places-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Checks a router that always returns these headers and this body. Returns the files of the report. */
async function reportOn(answer: { headers: Record<string, string>; body: string | Buffer }, redact?: Target['redact']) {
  const server = createServer((_, response) => response.writeHead(200, answer.headers).end(answer.body));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a listening server has a port
  const target: Target = { kind: 'live', router: { url, credentials: { main: key } }, ...(redact && { redact }) };
  const specs = buildEffectiveSpecs(defaultSpecSettings);
  try {
    await conformToFolder({ target, specs, rules: ['catalog.list.*'], evidence: 'all' }, folder, {
      formats: ['markdown'],
    });
  } finally {
    server.close();
  }
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')).join('\n');
}

test.each<[string, { headers: Record<string, string>; body: string | Buffer }]>([
  [
    'Latin-1 and binary bodies',
    { headers: { 'content-type': 'text/plain' }, body: Buffer.from(`\xe9 ${key} \xff`, 'latin1') },
  ],
  ['the media type', { headers: { 'content-type': `application/${key}` }, body: `<${key}>` }],
  [
    'the name of a header',
    { headers: { [`x-${key}-request-id`]: '1', 'content-type': 'application/json' }, body: '[]' },
  ],
  [
    'every encoding',
    {
      headers: {
        'content-type': 'text/plain',
        ...Object.fromEntries(Object.values(notations).map((write, at) => [`x-${at}`, write(key).replace(/\s+/g, '')])),
      },
      body: Object.values(notations)
        .map((write) => `${write(write(key))} ; `)
        .join(''),
    },
  ],
])(
  'no report shows a credential in %s',
  async (_, answer) => {
    expect((await reportOn(answer)).toLowerCase()).not.toMatch(/live_9f|9f3q7e|6b2d4c6976|jdf9my3qz/);
  },
  60_000,
);

test('no report shows the value of a redacted header, parameter or member, wherever it is repeated', async () => {
  const [session, ticket, owner] = ['session-4711-abc', 'ticket-4712-def', 'owner-4713-ghi'];
  const headers = { 'content-type': 'application/json', 'x-session': session, link: `</v2?ticket=${ticket}&a=1>` };
  const body = JSON.stringify({ data: [{ id: owner, of: { owner, pin: 4711 } }], note: `${session} ${ticket}` });
  const named = { headers: ['X-Session'], query: ['ticket'], pointers: ['/data/*/of/owner', '/data/0/of/pin'] };
  const plain = await reportOn({ headers, body });
  for (const text of [session, ticket, owner]) expect(plain).toContain(text);
  const redacted = await reportOn({ headers, body }, named);
  for (const text of [session, ticket, owner, '"pin\\":4711']) expect(redacted).not.toContain(text);
}, 60_000);
