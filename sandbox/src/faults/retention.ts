import type { Decorator, Fault } from './decorator.ts';
import { headerOf, putTogether, refusal, takeApart, touches, type Where, withHeader } from './making/answer-rewrite.ts';
import { requestKey } from './making/idempotency-key.ts';
import { changeRequest } from './making/request-rewrite.ts';
import { renameKey } from './run/keys.ts';

const hourMs = 60 * 60 * 1000;
const on = ['runModel'] as const;

/** Keys that are older than so many hours are taken for new ones. */
function keptFor(hours: number, where: Where = { on: ['runModel', 'submitRequest'] }): Decorator {
  return (app, context) => {
    const firsts = new Map<string, number>();
    return renameKey((key, request) => {
      if (!touches(where, request)) return key;
      const first = firsts.get(key) ?? context.clock.now();
      firsts.set(key, first);
      return context.clock.now() - first > hours * hourMs ? `${key}-later` : key;
    })(app, context);
  };
}

type Kept = { response: Response; at: number; body: string };
type Later = (known: Kept, call: { body: string; response: Response }) => Response | Promise<Response>;

/** What becomes of a keyed call when a day has gone by since the first one. */
function afterADay(later: Later): Decorator {
  return (app, context) => {
    const firsts = new Map<string, number>();
    const kept = new Map<string, Kept>();
    return async (request) => {
      const key = requestKey(request);
      if (key === undefined || !touches({ on }, request)) return app(request);
      const [body, now, slot] = [await request.clone().text(), context.clock.now(), `${key} ${request.url}`];
      const at = firsts.get(slot) ?? now;
      firsts.set(slot, at);
      const response = await app(request);
      const known = kept.get(slot);
      if (known === undefined && response.status === 200) kept.set(slot, { response: response.clone(), at, body });
      return known !== undefined && now - known.at > 24 * hourMs ? later(known, { body, response }) : response;
    };
  };
}

async function repeated(known: Kept): Promise<Response> {
  return putTogether(withHeader(await takeApart(known.response.clone()), 'Idempotent-Replayed', 'true'));
}

const keptForEver = afterADay((known, { body, response }) => (known.body === body ? repeated(known) : response));

const conflictsForEver: Decorator = (app, context) =>
  afterADay(async (known, { body, response }) =>
    known.body === body
      ? response
      : putTogether(refusal(await takeApart(response), context, { status: 409, category: 'invalid_input' })),
  )(app, context);

/** An hour is added to a window by each retry within it. */
const renewed: Decorator = (app, context) => {
  const last = new Map<string, Kept>();
  return async (request) => {
    const key = requestKey(request);
    if (key === undefined || !touches({ on }, request)) return app(request);
    const [body, now] = [await request.clone().text(), context.clock.now()];
    const slot = `${key} ${request.headers.get('x-api-key')}`;
    const known = last.get(slot);
    const response = await app(request);
    if (known !== undefined && known.body === body && now - known.at < 24 * hourMs && response.status === 200) {
      last.set(slot, { ...known, at: now });
      return putTogether(withHeader(await takeApart(known.response.clone()), 'Idempotent-Replayed', 'true'));
    }
    if (known === undefined && response.status === 200) last.set(slot, { response: response.clone(), at: now, body });
    return response;
  };
};

/** Links of which the healthy application says that they have expired, or have not. */
function links(
  judge: (link: { response: Response; remembered: Response | undefined; ageMs: number; path: string }) => Response,
): Decorator {
  return (app, context) => {
    const opened = new Map<string, { response: Response; at: number }>();
    return async (request) => {
      const { pathname: path } = new URL(request.url);
      const response = await app(request);
      if (!path.startsWith('/__assets/')) return response;
      const before = opened.get(path);
      if (before === undefined && response.status === 200)
        opened.set(path, { response: response.clone(), at: context.clock.now() });
      const ageMs = context.clock.now() - (before?.at ?? context.clock.now());
      return judge({ response, remembered: before?.response.clone(), ageMs, path });
    };
  };
}

const gone = (): Response => new Response('expired', { status: 410 });
const asset = (): Response => new Response('bytes', { headers: { 'Content-Type': 'image/png' } });

/** A replay runs anew, so that its links are signed anew. */
const signsAnew: Decorator = (app) => async (request) => {
  if (!touches({ on }, request)) return app(request);
  const again = request.clone();
  const replayed = await takeApart(await app(request));
  if (replayed.headers.get('idempotent-replayed') !== 'true') return putTogether(replayed);
  const fresh = await takeApart(await app(await changeRequest(again, { headers: { 'idempotency-key': undefined } })));
  // A replay of the next second is left alone: rules of other requirements compare its bytes.
  const isRenewed = expiryOf(fresh) - expiryOf(replayed) > 60_000;
  return putTogether(isRenewed ? withHeader(fresh, 'Idempotent-Replayed', 'true') : replayed);
};

function expiryOf({ body }: { body: Uint8Array }): number {
  return Number(/\/__assets\/service\/[^"?]*\?expires=(\d+)/.exec(new TextDecoder().decode(body))?.[1] ?? 0);
}

/** Handles by key, given out again for as long as the server runs. */
const handlesForEver: Decorator = (app, context) => {
  const handles = new Map<string, { response: Response; text: string }>();
  let count = 0;
  return async (request) => {
    const key = requestKey(request);
    if (key === undefined || !touches({ on: ['submitRequest'] }, request)) return app(request);
    const text = await request.clone().text();
    const response = await app(request);
    const slot = `${key} ${request.url} ${request.headers.get('x-api-key')}`;
    const known = handles.get(slot);
    if (known === undefined || known.text !== text) {
      if (response.status === 201) handles.set(slot, { response: response.clone(), text });
      return response;
    }
    count += 1;
    const again = withHeader(await takeApart(known.response.clone()), 'Idempotent-Replayed', 'true');
    return putTogether(withHeader(again, headerOf({ branded: 'Request-Id' }, context), `again-${count}`));
  };
};

export const retentionFaults: readonly Fault[] = [
  {
    id: 'retention.key.kept-for-an-hour',
    requirements: ['MR-IDM-46', 'MR-IDM-54'],
    description: 'Keys are forgotten after an hour.',
    decorate: keptFor(1),
    trips: ['MR-IDM-48'],
  },
  {
    id: 'retention.key.kept-for-twelve-hours',
    requirements: ['MR-IDM-46'],
    description: 'Keys are forgotten after twelve hours.',
    decorate: keptFor(12),
    trips: ['MR-IDM-48', 'MR-IDM-54'],
  },
  {
    id: 'retention.key.kept-for-half-an-hour-less',
    requirements: ['MR-IDM-46'],
    description: 'Keys are forgotten half an hour too early.',
    decorate: keptFor(23.5),
    trips: ['MR-IDM-54'],
  },
  {
    id: 'retention.key.kept-for-ever',
    requirements: ['MR-IDM-48', 'MR-IDM-49'],
    description: 'A result is repeated for as long as the server runs.',
    decorate: keptForEver,
  },
  {
    id: 'retention.key.renewed-by-each-retry',
    requirements: ['MR-IDM-47'],
    description: 'A retry opens another day for its key.',
    decorate: renewed,
    trips: ['MR-HDR-03', 'MR-HDR-25', 'MR-HDR-27'],
  },
  {
    id: 'retention.key.conflicts-for-ever',
    requirements: ['MR-IDM-49'],
    description: 'A key of yesterday cannot be used for another call.',
    decorate: conflictsForEver,
  },
  {
    id: 'retention.link.lives-for-ever',
    requirements: ['MR-AST-06', 'MR-AST-09', 'MR-AST-14', 'MR-AST-15'],
    description: 'Links of the service never expire.',
    decorate: links(({ response, path }) =>
      response.status === 410 && path.includes('/service/') ? asset() : response,
    ),
    trips: ['MR-AST-11', 'MR-AST-17'],
  },
  {
    id: 'retention.link.half-day-lives-a-day',
    requirements: ['MR-AST-11'],
    description: 'Links of the second video provider live for a day.',
    decorate: links(({ response, remembered, ageMs }) =>
      response.status === 410 && remembered !== undefined && ageMs < 24 * hourMs ? remembered : response,
    ),
    trips: ['MR-AST-06', 'MR-AST-17'],
  },
  {
    id: 'retention.link.counts-from-its-first-opening',
    requirements: ['MR-AST-15'],
    description: 'The day of a link begins when it is opened first.',
    decorate: links(({ response, remembered }) =>
      response.status === 410 && remembered === undefined ? asset() : response,
    ),
    trips: ['MR-AST-11'],
  },
  {
    id: 'retention.link.opens-once',
    requirements: ['MR-AST-02', 'MR-AST-24'],
    description: 'A link opens once.',
    decorate: links(({ response, remembered }) => (remembered === undefined ? response : gone())),
  },
  {
    id: 'retention.link.renewed-by-replay',
    requirements: ['MR-AST-17'],
    description: 'A replay signs its links anew.',
    decorate: signsAnew,
  },
  {
    id: 'retention.cursor.restarts-when-expired',
    requirements: ['MR-CAT-51', 'MR-CAT-52'],
    description: 'An expired cursor gives the first page.',
    decorate: (app) => async (request) => {
      const url = new URL(request.url);
      const again = request.clone();
      const response = await app(request);
      if (!touches({ on: ['listModels'] }, again) || response.status !== 400 || !url.searchParams.has('cursor'))
        return response;
      url.searchParams.delete('cursor');
      return app(await changeRequest(again, { url: url.toString() }));
    },
    trips: ['MR-CAT-50'],
  },
  {
    id: 'retention.submission.kept-for-an-hour',
    requirements: ['MR-IDM-46'],
    description: 'The keys of submissions are forgotten after an hour.',
    decorate: keptFor(1, { on: ['submitRequest'] }),
  },
  {
    id: 'retention.submission.kept-for-ever',
    requirements: ['MR-IDM-48', 'MR-IDM-49'],
    description: 'The key of a submission gives its handle for as long as the server runs.',
    decorate: handlesForEver,
  },
];
