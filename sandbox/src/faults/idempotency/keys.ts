import type { Decorator, Fault } from '../decorator.ts';
import {
  putTogether,
  refusal,
  rewriteJson,
  setHeader,
  takeApart,
  touches,
  withHeader,
} from '../making/answer-rewrite.ts';
import { requestKey } from '../making/idempotency-key.ts';
import { modelIdOf } from '../making/operation-match.ts';
import { changeRequest, rewriteRequest } from '../making/request-rewrite.ts';
import { renameKey } from '../run/keys.ts';

const runs = ['runModel'] as const;
const submissions = ['submitRequest'] as const;
type On = typeof runs | typeof submissions;

type First = { readonly url: string; readonly model: string; readonly text: string };
type Seen = { readonly request: Request; readonly first: First; readonly text: string };

/** What a keyed call after the first one is taken for. */
function afterTheFirst(on: On, change: (seen: Seen) => { url?: string; text?: string } | undefined): Decorator {
  return (app) => {
    const firsts = new Map<string, First>();
    return async (request) => {
      const key = requestKey(request);
      if (key === undefined || !touches({ on }, request)) return app(request);
      const text = await request.clone().text();
      const first = firsts.get(key);
      if (first === undefined) firsts.set(key, { url: request.url, model: modelIdOf(request), text });
      const changed = first === undefined ? undefined : change({ request, first, text });
      if (changed === undefined) return app(request);
      const { url = request.url, text: body = text } = changed;
      return app(await changeRequest(request, { url, body: new TextEncoder().encode(body) }));
    };
  };
}

function namesIn(url: string): string {
  return [...new URL(url).searchParams.keys()].join();
}

type Held = { status: readonly number[]; place: (request: Request, text: string) => string };

/** A rejected call holds its key against any other call. */
function holdsAfter(on: On, { status, place }: Held): Decorator {
  return (app, context) => {
    const held = new Map<string, string>();
    return async (request) => {
      const key = requestKey(request);
      if (key === undefined || !touches({ on }, request)) return app(request);
      const call = place(request, await request.clone().text());
      const before = held.get(key);
      const response = await app(request);
      if (before === undefined && status.includes(response.status) && !isFromProvider(response)) held.set(key, call);
      if (before === undefined || before === call) return response;
      return putTogether(refusal(await takeApart(response), context, { status: 409, category: 'invalid_input' }));
    };
  };
}

function isFromProvider({ headers }: Response): boolean {
  return [...headers.keys()].some((name) => name.endsWith('-upstream-status'));
}

const isNeighbours = (request: Request): boolean => request.headers.get('x-api-key')?.endsWith('-neighbour') === true;

type Owner = { readonly isNeighbour: boolean; readonly text: string };
type Stopping = {
  readonly category: string;
  /** Whether the key is free again when its call is answered. */
  readonly isFreed: boolean;
  readonly stops: (owner: Owner, call: Owner) => boolean;
};

/** Whoever has the key stands in everybody's way. */
function heldForAll({ category, isFreed, stops }: Stopping): Decorator {
  return (app, context) => {
    const owners = new Map<string, Owner>();
    return async (request) => {
      const key = requestKey(request);
      if (key === undefined || !touches({ on: runs }, request)) return app(request);
      const call = { isNeighbour: isNeighbours(request), text: await request.clone().text() };
      const owner = owners.get(key) ?? call;
      owners.set(key, owner);
      const response = await app(request);
      if (isFreed && owner === call) owners.delete(key);
      if (owner.isNeighbour === call.isNeighbour || !stops(owner, call)) return response;
      const refused = refusal(await takeApart(response), context, { status: 409, category });
      return putTogether(withHeader(refused, 'Retry-After', '1'));
    };
  };
}

const replaysTwice: Decorator = (app, context) => {
  const times = new Map<string, number>();
  const anew = renameKey((key) => {
    const now = (times.get(key) ?? 0) + 1;
    times.set(key, now);
    return now > 3 ? `${key}-${now}` : key;
  });
  return anew(app, context);
};

export const keyFormFaults: readonly Fault[] = [
  {
    id: 'idempotency.key.cut-at-64-characters',
    requirements: ['MR-IDM-32'],
    description: 'Of a key no more than 64 characters are kept.',
    decorate: renameKey((key) => key.slice(0, 64)),
    trips: ['MR-HDR-14'],
  },
  {
    id: 'idempotency.key.letter-case-ignored',
    requirements: ['MR-IDM-32'],
    description: 'Keys that differ in letter case only are one key.',
    decorate: renameKey((key) => key.toLowerCase()),
    trips: ['MR-HDR-14'],
  },
  {
    id: 'idempotency.record.fourth-call-runs-again',
    requirements: ['MR-IDM-01', 'MR-IDM-02'],
    description: 'A result is repeated two times; then the model runs again.',
    decorate: replaysTwice,
    trips: ['MR-HDR-14', 'MR-IDM-41'],
  },
  {
    id: 'idempotency.conflict.by-length',
    requirements: ['MR-IDM-27', 'MR-IDM-16'],
    description: 'Bodies of equal length are taken for the same.',
    decorate: afterTheFirst(runs, ({ first, text }) =>
      first.text.length === text.length ? { text: first.text } : undefined,
    ),
  },
  {
    id: 'idempotency.conflict.values-of-the-query-ignored',
    requirements: ['MR-IDM-26', 'MR-IDM-16'],
    description: 'Of the query the names are compared and not the values.',
    decorate: afterTheFirst(runs, ({ request, first }) =>
      namesIn(request.url) === namesIn(first.url)
        ? { url: request.url.replace(/\?.*$/, '') + new URL(first.url).search }
        : undefined,
    ),
  },
  {
    id: 'idempotency.conflict.other-queue-overlooked',
    requirements: ['MR-IDM-25', 'MR-IDM-16', 'MR-SUB-18'],
    description: 'A key used for the queue of another model gives the first handle.',
    decorate: afterTheFirst(submissions, ({ request, first }) =>
      modelIdOf(request) === first.model ? undefined : { url: first.url, text: first.text },
    ),
  },
  {
    id: 'idempotency.rejection.held-after-422',
    requirements: ['MR-IDM-33'],
    description: 'Input that a model refuses holds the key of the run.',
    decorate: holdsAfter(runs, { status: [422], place: (_, text) => text }),
  },
  {
    id: 'idempotency.rejection.submission-held-after-422',
    requirements: ['MR-IDM-33'],
    description: 'Input that a model refuses holds the key of the submission.',
    decorate: holdsAfter(submissions, { status: [422], place: (_, text) => text }),
  },
  {
    id: 'idempotency.rejection.held-after-404',
    requirements: ['MR-IDM-33'],
    description: 'A model that does not exist holds the key.',
    decorate: holdsAfter(runs, { status: [404], place: modelIdOf }),
  },
  {
    id: 'idempotency.scope.running-call-stops-neighbours',
    requirements: ['MR-IDM-40'],
    description: 'A call that runs makes the same key of another workspace wait.',
    decorate: heldForAll({ category: 'concurrency_limit_exceeded', isFreed: true, stops: () => true }),
  },
  {
    id: 'idempotency.scope.neighbours-conflict',
    requirements: ['MR-IDM-40'],
    description: 'A key conflicts with the call of another workspace.',
    decorate: heldForAll({
      category: 'invalid_input',
      isFreed: false,
      stops: (owner, call) => owner.text !== call.text,
    }),
  },
  {
    id: 'idempotency.scope.submissions-shared',
    requirements: ['MR-IDM-40'],
    description: 'The key of a submission gives another workspace the same handle.',
    decorate: rewriteRequest(submissions, (request) =>
      isNeighbours(request) && requestKey(request) !== undefined ? { headers: { 'x-api-key': 'sk-sandbox-main' } } : {},
    ),
  },
  {
    id: 'idempotency.conflict.marked-as-replay',
    requirements: ['MR-HDR-14'],
    description: 'A conflict is marked as if the record had answered.',
    decorate: setHeader({ on: [...runs, ...submissions], status: 409 }, 'Idempotent-Replayed', 'true'),
  },
  {
    id: 'idempotency.submission.replayed-handle-leads-nowhere',
    requirements: ['MR-SUB-12', 'MR-QUE-20'],
    description: 'The URLs of a handle that is given again lead nowhere.',
    decorate: (app, context) => {
      const seen = new Set<string>();
      return rewriteJson({ on: submissions, status: 201 }, (handle) => {
        const [id, url] = [String(handle['request_id']), handle['status_url']];
        const isAgain = seen.has(id);
        seen.add(id);
        return isAgain ? { ...handle, status_url: String(url).replace('/requests/', '/requests/00') } : handle;
      })(app, context);
    },
  },
];
