import { expect, test } from 'vitest';
import type { NoResponse, Ports, WireResponse } from '../contract/exchange.ts';
import type { Target } from '../contract/target.ts';
import { checkReachability as reachTarget } from './discover.ts';
import { senderTo } from './fixtures/sender.ts';

const router = { url: 'http://router.test', credentials: { main: 'sk-main' } };
const workflow = { url: 'http://jobs.test', credentials: { main: 'token' }, jobs: { api: 'a', save: 'b' } };

function answer(status: number, type: string, body: string): WireResponse {
  return { kind: 'response', status, headers: [['Content-Type', type]], body: new TextEncoder().encode(body) };
}
const json = (status: number, value: unknown): WireResponse =>
  answer(status, 'application/json', JSON.stringify(value));
const page = '<form action="/login">';
const rejected = { detail: 'No.', error_type: 'unauthorized' };
const envelope = { error: { code: 'not_found', message: 'No such job.', details: null } };
const tls: NoResponse = { kind: 'no-response', because: 'tls', detail: 'EPROTO: wrong version\nnumber' };

async function checkReachability(given: WireResponse | NoResponse, target: Partial<Target>) {
  let now = 0;
  const pass = (ms: number): void => {
    now += ms;
  };
  const ports: Ports = {
    exchange: async () => given,
    clock: { now: () => now, sleep: async (ms) => pass(ms) },
  };
  const kind = 'live' as const;
  return (await reachTarget(senderTo({ kind, ...target }, ports))).reachability;
}

test.each<{ name: string; given: WireResponse | NoResponse; want: RegExp; target?: Partial<Target> }>([
  {
    name: 'rejects the credential',
    given: json(401, rejected),
    want: /returned 401: the router credential "main" is rejected/,
  },
  {
    name: 'forbids the credential',
    given: json(403, rejected),
    want: /returned 403: the router credential "main" is rejected/,
  },
  { name: 'does not have the path', given: answer(404, 'text/plain', 'none'), want: /is the base URL right/ },
  {
    name: 'shows a login page',
    given: answer(200, 'text/html; charset=utf-8', page),
    want: /the login page of a proxy/,
  },
  {
    name: 'shows an error page',
    given: answer(502, 'text/html', page),
    want: /returned 502 with an error page from a proxy or gateway in front of the service \(is the service behind it running\?\)$/,
  },
  {
    name: 'has a base URL that ends with /v2',
    given: json(404, { detail: 'Not found' }),
    want: /returned 404, .*must not end with \/v2, which is appended automatically: use http:\/\/router\.test\)$/,
    target: { router: { ...router, url: 'http://router.test/v2' } },
  },
  {
    name: 'has a base URL that ends with /api/v2',
    given: answer(404, 'text/plain', ''),
    want: /must not end with \/api\/v2, which is appended automatically: use http:\/\/jobs\.test\)$/,
    target: { workflow: { ...workflow, url: 'http://jobs.test/api/v2' } },
  },
  {
    name: 'is behind a gateway that rejects calls',
    given: answer(403, 'text/plain', ''),
    want: /, or a gateway requires/,
  },
  { name: 'redirects', given: answer(302, 'text/plain', ''), want: /a redirect, for example to a login page/ },
  { name: 'is a different API', given: json(200, { ok: true }), want: /does not look like the API/ },
  { name: 'does not use TLS', given: tls, want: /^GET \S+: EPROTO: wrong version number \(does the target use https/ },
  {
    name: 'declares an uncompressed body as compressed',
    given: { kind: 'no-response', because: 'malformed', detail: 'Content-Encoding gzip: incorrect header check' },
    want: /incorrect header check \(is the body compressed as this header specifies, and only once\?\)$/,
  },
  {
    name: 'has no job path',
    given: answer(404, 'text/plain', ''),
    want: /not look like the API/,
    target: { workflow },
  },
  {
    name: 'rejects the token',
    given: json(401, envelope),
    want: /workflow credential "main" is rejected/,
    target: { workflow },
  },
  {
    name: 'needs a token, but none is configured',
    given: json(401, envelope),
    want: /no workflow credential "main" is configured \(set SWITCHYARD_WORKFLOW_TOKEN or/,
    target: { workflow: { ...workflow, credentials: {} } },
  },
])(
  'does not check a live target that $name, and explains why in one line',
  async ({ given, want, target = { router } }) => {
    const reachability = await checkReachability(given, target);
    expect(reachability).toEqual({ kind: 'unreachable', because: expect.stringMatching(want) });
    expect(JSON.stringify(reachability)).not.toContain('\\n');
  },
);

test.each<{ name: string; given: WireResponse; target?: Partial<Target> }>([
  { name: 'lists its models', given: json(200, { data: [], has_more: false }) },
  { name: 'lists its models in a different member', given: json(200, { items: [{ id: 'acme/one' }] }) },
  { name: 'fails with a 500', given: json(500, {}) },
  { name: 'does not know the job', given: json(404, envelope), target: { workflow } },
  {
    name: 'is a sandbox and does not return JSON',
    given: answer(404, 'text/html', page),
    target: { kind: 'sandbox', router },
  },
])('checks a target that $name', async ({ given, target = { router } }) => {
  expect(await checkReachability(given, target)).toEqual({ kind: 'reachable' });
});
