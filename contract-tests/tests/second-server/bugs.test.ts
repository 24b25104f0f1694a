import { describe, expect, it } from 'vitest';
import { bugs } from './bugs.ts';
import { keyed, obedient, type Session, sessionWith, still } from './session.ts';
import { startServer } from './start.ts';

// Each probe is true on the server as it should be, and false on the one with the bug.

type Probe = (session: Session) => Promise<boolean>;

const input = { prompt: 'a harbour' };
const outcome = (word: string) => ({ outcome: word });
const voice = '/v2/models/speech-provider/voice_en';
/** What is submitted here waits. */
const endless = '/v2/models/video-provider/overbooked/requests';
const json = async (answer: Promise<Response>) => (await answer).json();
const header = async (answer: Promise<Response>, name: string) => (await answer).headers.get(name);
const status = async (answer: Promise<Response>) => (await answer).status;

async function traverse({ call }: Session): Promise<number> {
  let count = 0;
  for (let query = ''; ; ) {
    const page = await json(call(`/v2/models?limit=7${query}`));
    count += page.data.length;
    if (!page.has_more) return count;
    query = `&cursor=${page.next_cursor}`;
  }
}

/** Submits, waits for the end, and returns the handle. */
async function finished(session: Session, path: string, body: unknown) {
  const handle = await json(session.post(`${path}/requests`, body));
  await session.completed(handle.status_url);
  return handle;
}

async function cancelled({ post, call, completed }: Session) {
  const handle = await json(post(endless, { scene: 'one' }));
  await call(handle.cancel_url, 'main', { method: 'PUT' });
  return completed(handle.status_url);
}

const readTag = async ({ call }: Session) => (await header(call(`${still}/openapi.json`), 'etag')) ?? '';

const readDocument = ({ call }: Session, tag: string) =>
  call(`${still}/openapi.json`, 'main', { headers: { 'if-none-match': tag } });

const probes: Record<string, Probe> = {
  'list-has-more-by-length': async (session) => (await traverse(session)) === 31,
  'list-skips-at-boundary': async (session) => (await traverse(session)) === 31,
  'list-bad-cursor-restarts': async ({ call }) => (await status(call('/v2/models?cursor=x'))) === 400,
  'read-unknown-model-500': async ({ call }) => (await status(call('/v2/models/image-provider/none'))) === 404,
  'read-shows-prices': async ({ call }) => Object.keys((await json(call(still))).billing).length === 1,
  'read-cached-for-all': async ({ call, server }) => {
    await call(still);
    return (await status(fetch(server.routerUrl + still))) === 401;
  },
  'run-spend-below-zero': async ({ post }) =>
    (await header(post(still, input, 'spendCapped'), 'x-committed-spend-remaining')) === '0',
  'run-fallback-on-refusal': async ({ post }) =>
    (await status(post(`${still}?fallback_provider=second-image-provider`, { prompt: '[disallowed]' }))) === 400,
  'run-key-stored-late': async ({ post, server }) => {
    await Promise.all([1, 2].map(() => post(obedient, { outcome: 'success', delay_ms: 200 }, 'main', keyed('k'))));
    return server.ledger().dispatched.length === 1;
  },
  'schema-304-for-any-tag': async (session) => (await readDocument(session, '"another"')).status === 200,
  'schema-304-bare': async (session) => {
    const tag = await readTag(session);
    return (await header(readDocument(session, tag), 'etag')) === tag;
  },
  'submit-replays-new-body': async ({ post }) => {
    await post(`${still}/requests`, input, 'main', keyed('k'));
    return (await status(post(`${still}/requests`, { prompt: 'new' }, 'main', keyed('k')))) === 409;
  },
  'submit-validates-late': async ({ post }) => (await status(post(`${still}/requests`, { prompt: 1 }))) === 422,
  'submit-relative-urls': async ({ post }) => URL.canParse((await json(post(`${still}/requests`, input))).status_url),
  'collect-wait-in-fractions': async ({ post, call }) =>
    (await header(call((await json(post(endless, { scene: 'a' }))).response_url), 'retry-after')) === '1',
  'collect-decodes-bytes': async (session) => {
    const handle = await finished(session, voice, { text: 'a' });
    const [queued, direct] = await Promise.all([session.call(handle.response_url), session.post(voice, { text: 'a' })]);
    return Buffer.from(await queued.arrayBuffer()).equals(Buffer.from(await direct.arrayBuffer()));
  },
  'collect-any-workspace': async (session) =>
    (await status(session.call((await finished(session, still, input)).response_url, 'neighbour'))) === 404,
  'status-error-type-null': async (session) =>
    !('error_type' in (await json(session.call((await finished(session, still, input)).status_url)))),
  'status-position-from-one': async ({ post, call }) =>
    (await json(call((await json(post(endless, { scene: 'a' }))).status_url))).queue_position === 0,
  'status-any-model': async ({ post, call }) => {
    const { status_url: url } = await json(post(`${still}/requests`, input));
    return (await status(call(url.replace('image-provider/still-1.2', 'speech-provider/voice_en')))) === 404;
  },
  'cancel-completed-accepted': async (session) => {
    const { cancel_url: url } = await finished(session, still, input);
    return (await status(session.call(url, 'main', { method: 'PUT' }))) === 409;
  },
  'cancel-overwrites-outcome': async (session) => {
    const { cancel_url: cancel, response_url: result } = await finished(session, still, input);
    await session.call(cancel, 'main', { method: 'PUT' });
    return (await status(session.call(result))) === 200;
  },
  'cancel-without-error-type': async (session) => (await cancelled(session)).error_type === 'cancelled',
  'key-shared-by-all': async ({ post }) => {
    await post(still, input, 'main', keyed('k'));
    return (await header(post(still, input, 'neighbour', keyed('k')), 'idempotent-replayed')) === null;
  },
  'key-ignores-query': async ({ post }) => {
    await post(still, input, 'main', keyed('k'));
    return (await status(post(`${still}?strict_mode=true`, input, 'main', keyed('k')))) === 409;
  },
  'key-window-slides': async ({ post, server }) => {
    const replayed = () => header(post(still, input, 'main', keyed('k')), 'idempotent-replayed');
    await replayed();
    await server.advance(20 * 3_600_000);
    await replayed();
    await server.advance(20 * 3_600_000);
    return (await replayed()) === null;
  },
  'auth-bearer-first': async ({ call, server }) => {
    const headers = { authorization: `Bearer ${server.accounts.router.main.token}`, 'x-api-key': 'wrong' };
    return (await status(call('/v2/models', 'main', { headers }))) === 401;
  },
  'error-type-missing-on-422': async ({ post }) =>
    (await header(post(still, outcome('none')), 'x-service-error-type')) === 'invalid_input',
  'request-id-per-connection': async ({ call }) => {
    const ids: unknown[] = [];
    for (let count = 0; count < 3; count += 1) {
      const answer = await call(still);
      ids.push(answer.headers.get('x-service-request-id'));
      await answer.text();
    }
    return new Set(ids).size === 3;
  },
  'workflow-foreign-403': async ({ workflow, server }) =>
    (await workflow(`${server.jobs.foreign}/workflow`)).status === 404,
  'workflow-after-deadline': async ({ workflow, server }) =>
    (await workflow(`${server.jobs.expired}/workflow`)).status === 404,
  'workflow-shows-extra-data': async ({ workflow, server }) =>
    !(await (await workflow(`${server.jobs.submitted}/workflow`)).text()).includes('extra_data'),
};

async function probeWith(id: string, chosen: readonly string[]): Promise<boolean | undefined> {
  const server = await startServer({ bugs: new Set(chosen) });
  try {
    return await probes[id]?.(sessionWith(server));
  } finally {
    await server.close();
  }
}

describe('a bug', () => {
  it.concurrent.each(bugs.map((bug) => bug.id))('shows when it is switched on: %s', async (id) => {
    expect([await probeWith(id, []), await probeWith(id, [id])]).toEqual([true, false]);
  });
});
