import { isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import type { Decorator, Variant } from '../decorator.ts';
import {
  headerOf,
  parseBody,
  putTogether,
  refusal,
  rewriteAnswer,
  rewriteJson,
  takeApart,
  touches,
  type Where,
  withBody,
} from '../making/answer-rewrite.ts';
import { without } from '../making/json-change.ts';
import { rewriteRequest, withQuery } from '../making/request-rewrite.ts';

const listed: Where = { on: ['listModels'], status: 200 };
const on422: Where = { on: ['runModel', 'submitRequest'], status: 422 };
const marker = 'after-the-empty-page.';

/** Before each page comes an empty one that promises more (MR-CAT-25). */
const emptyPages: Decorator = (app) => async (request) => {
  const url = new URL(request.url);
  const cursor = url.searchParams.get('cursor');
  if (!touches({ on: ['listModels'] }, request)) return app(request);
  if (cursor?.startsWith(marker)) {
    const rest = cursor.slice(marker.length);
    if (rest === '') url.searchParams.delete('cursor');
    else url.searchParams.set('cursor', rest);
    return app(new Request(url, request));
  }
  const answer = await takeApart(await app(request));
  const page = parseBody(answer);
  if (answer.status !== 200 || !isJsonObject(page)) return putTogether(answer);
  return putTogether(withBody(answer, { ...page, data: [], has_more: true, next_cursor: marker + (cursor ?? '') }));
};

/** A page is filled to the half of what was asked for; the limit applied is reported all the same. */
const shortPages: Decorator = (app, context) => {
  const halved = rewriteRequest(['listModels'], (request) => ({
    url: withQuery(request, (query) => query.set('limit', String(Math.ceil(sizeOf(query.get('limit')) / 2)))),
  }));
  const reported = rewriteJson(listed, (page, { request }) => ({
    ...page,
    limit: sizeOf(new URL(request.url).searchParams.get('limit')),
  }));
  return reported(halved(app, context), context);
};

function sizeOf(limit: string | null): number {
  const asked = Number(limit ?? 20);
  return asked > 0 ? Math.min(asked, 100) : 20;
}

function changeListed(change: (entry: JsonObject) => JsonValue): Decorator {
  return rewriteJson(listed, (page) => {
    const entries = Array.isArray(page['data']) ? page['data'] : [];
    return { ...page, data: entries.map((entry) => (isJsonObject(entry) ? change(entry) : entry)) };
  });
}

function changeEntries(change: (entry: JsonObject) => JsonValue): Decorator {
  return rewriteJson(on422, (body) => {
    const detail = Array.isArray(body['detail']) ? body['detail'] : [];
    return { ...body, detail: detail.map((entry) => (isJsonObject(entry) ? change(entry) : entry)) };
  });
}

const unknownChargeWord = (entry: JsonObject): JsonObject => ({
  ...entry,
  billing: { charges_on_policy_rejection: 'by_agreement' },
});

const creditsAs402: Decorator = rewriteAnswer({ on: ['runModel'], status: 400 }, (answer, { context }) => {
  const isAboutCredits = answer.headers.get(headerOf({ branded: 'Error-Type' }, context)) === 'insufficient_credits';
  return isAboutCredits ? { ...answer, status: 402 } : answer;
});

export const modelRouterVariants: readonly Variant[] = [
  {
    id: 'catalog.page.empty-with-more',
    requirements: ['MR-CAT-25', 'MR-CAT-22'],
    description: 'Every other page is empty and has more.',
    decorate: emptyPages,
  },
  {
    id: 'catalog.page.short-with-more',
    requirements: ['MR-CAT-25', 'MR-CAT-20'],
    description: 'Pages hold half of what was asked for and have more.',
    decorate: shortPages,
  },
  {
    id: 'catalog.entry.unknown-charge-word',
    requirements: ['MR-CAT-44'],
    description: 'charges_on_policy_rejection is a word that the documents do not define.',
    decorate: (app, context) => {
      const detail = rewriteJson({ on: ['readModel'], status: 200 }, unknownChargeWord);
      return detail(changeListed(unknownChargeWord)(app, context), context);
    },
  },
  {
    id: 'catalog.limit.text-selects-default',
    requirements: ['MR-CAT-12'],
    description: 'A limit that is no number selects the default (NS-30).',
    decorate: rewriteRequest(['listModels'], (request) => ({
      url: withQuery(request, (query) => {
        if (Number.isNaN(Number(query.get('limit')))) query.delete('limit');
      }),
    })),
  },
  {
    id: 'model.schema-url.present',
    requirements: ['MR-MOD-05', 'MR-MOD-06'],
    description: 'Details name an HTTPS URL of the schema document, in capitals and with a query.',
    decorate: rewriteJson({ on: ['readModel'], status: 200 }, (detail) => ({
      ...detail,
      input_schema_url: `HTTPS://schemas.example.test/v2/models/${String(detail['id'])}/openapi.json?version=4`,
    })),
  },
  {
    id: 'schema-document.conditional.strong-comparison',
    requirements: ['MR-SCH-12'],
    description: 'A weak form of the tag and * are answered with the document (NS-28).',
    decorate: rewriteRequest(['readSchemaDocument'], (request) => {
      const sent = request.headers.get('if-none-match') ?? '';
      return { headers: { 'if-none-match': /^(?:W\/|\*)/.test(sent) ? undefined : sent || undefined } };
    }),
  },
  {
    id: 'run.credits.answered-with-402',
    requirements: ['MR-CTG-09'],
    description: 'A run without credits is answered with 402 (C-11).',
    decorate: creditsAs402,
  },
  {
    id: 'errors.validation.prefixed-loc',
    requirements: ['MR-ERR-13'],
    description: 'loc begins with the word body.',
    decorate: changeEntries((entry) => ({
      ...entry,
      loc: ['body', ...(Array.isArray(entry['loc']) ? entry['loc'] : [])],
    })),
  },
  {
    id: 'errors.validation.nothing-echoed',
    requirements: ['MR-ERR-20', 'MR-ERR-18'],
    description: 'Entries of a 422 echo no input and name no bound.',
    decorate: changeEntries((entry) => without(entry, 'input', 'ctx')),
  },
  {
    id: 'errors.validation.own-types',
    requirements: ['MR-ERR-16', 'MR-ERR-17'],
    description: 'Entries of a 422 have types of the provider, bounds of any kind and further members.',
    decorate: changeEntries((entry) => ({
      ...entry,
      type: 'image_too_small',
      ctx: { min: { width: 64 } },
      input: null,
      url: 'about:blank',
    })),
  },
  {
    id: 'errors.detail.other-words',
    requirements: ['MR-ERR-02', 'MR-ERR-03'],
    description: 'The detail of errors is in another language and has two lines.',
    decorate: rewriteJson({ on: 'router', status: (status) => status >= 400 && status !== 422 }, (body) =>
      'detail' in body ? { ...body, detail: 'Das ging leider nicht.\nBitte prüfen. 請再試一次' } : body,
    ),
  },
  {
    id: 'idempotency.conflict.for-colleagues',
    requirements: ['MR-IDM-44'],
    description: 'A key of another member of the workspace conflicts in place of giving the recorded result.',
    decorate: rewriteAnswer({ on: ['runModel'], status: 200 }, (answer, { request, context }) => {
      const isColleague = request.headers.get('x-api-key')?.endsWith('-colleague') === true;
      const isReplay = answer.headers.get('idempotent-replayed') === 'true';
      return isColleague && isReplay ? refusal(answer, context, { status: 409, category: 'invalid_input' }) : answer;
    }),
  },
];
