import type { Decorator, Fault } from '../decorator.ts';
import {
  type Answer,
  changeStatus,
  dropHeader,
  refusal,
  rewriteAnswer,
  rewriteJson,
  setHeader,
  type Where,
  withHeader,
  withText,
} from '../making/answer-rewrite.ts';
import { rewriteRequest } from '../making/request-rewrite.ts';

const on = ['readSchemaDocument'] as const;
const served: Where = { on, status: 200 };
const unmodified: Where = { on, status: 304 };
const missing: Where = { on, status: 404 };

function changeTag(change: (tag: string, answer: Answer) => string): Decorator {
  return rewriteAnswer({ on, status: (status) => status === 200 || status === 304 }, (answer) =>
    withHeader(answer, 'ETag', change(answer.headers.get('etag') ?? '', answer)),
  );
}

const randomTags: Decorator = (app, context) => {
  const tagged = rewriteAnswer(served, (answer) =>
    withHeader(answer, 'ETag', `"${context.random().toString(36).slice(2)}"`),
  );
  return tagged(app, context);
};

/** One tag for every document, understood when it comes back. */
const oneTagForAll: Decorator = (app, context) => {
  const tag = '"documents-v1"';
  const tagged = changeTag(() => tag)(app, context);
  return async (request) => {
    if (request.headers.get('if-none-match') !== tag) return tagged(request);
    return rewriteRequest(on, () => ({ headers: { 'if-none-match': '*' } }))(tagged, context)(request);
  };
};

const emptyAs304: Decorator = rewriteAnswer({ on: ['listModels', 'readModel'], status: 200 }, (answer, { request }) =>
  request.headers.has('if-none-match') ? { ...answer, status: 304, body: new Uint8Array() } : answer,
);

export const schemaTransferFaults: readonly Fault[] = [
  {
    id: 'schema-document.read.request-id-missing',
    requirements: ['MR-SCH-05', 'MR-HDR-01'],
    description: 'A schema document carries no request id.',
    decorate: dropHeader(served, { branded: 'Request-Id' }),
  },
  {
    id: 'schema-document.read.as-html',
    requirements: ['MR-SCH-04'],
    description: 'A schema document is sent as an HTML page.',
    decorate: setHeader(served, 'Content-Type', 'text/html; charset=utf-8'),
  },
  {
    id: 'schema-document.read.cut-off',
    requirements: ['MR-SCH-04'],
    description: 'A schema document ends in the middle.',
    decorate: rewriteAnswer(served, (answer) => ({ ...answer, body: answer.body.slice(0, answer.body.length / 2) })),
  },
  {
    id: 'schema-document.read.as-array',
    requirements: ['MR-SCH-04'],
    description: 'A schema document is wrapped in an array.',
    decorate: rewriteJson(served, (document) => [document]),
  },
  {
    id: 'schema-document.etag.missing',
    requirements: ['MR-SCH-06'],
    description: 'A schema document has no entity tag.',
    decorate: dropHeader(served, 'ETag'),
  },
  {
    id: 'schema-document.etag.weak',
    requirements: ['MR-SCH-08'],
    description: 'The entity tag is a weak one.',
    decorate: changeTag((tag) => `W/${tag}`),
  },
  {
    id: 'schema-document.etag.unquoted',
    requirements: ['MR-SCH-08', 'MR-HDR-23'],
    description: 'The entity tag stands without its quotes.',
    decorate: changeTag((tag) => tag.replaceAll('"', '')),
  },
  {
    id: 'schema-document.etag.of-the-moment',
    requirements: ['MR-SCH-09'],
    description: 'The same bytes get another tag each time.',
    decorate: randomTags,
    trips: ['MR-SCH-12'],
  },
  {
    id: 'schema-document.etag.same-for-all',
    requirements: ['MR-SCH-09'],
    description: 'All documents share one tag.',
    decorate: oneTagForAll,
  },
  {
    id: 'schema-document.cache-control.missing',
    requirements: ['MR-SCH-07', 'MR-SCH-10'],
    description: 'A schema document has no Cache-Control.',
    decorate: dropHeader(served, 'Cache-Control'),
  },
  {
    id: 'schema-document.cache-control.public',
    requirements: ['MR-SCH-10'],
    description: 'A schema document may be kept in shared caches.',
    decorate: setHeader(served, 'Cache-Control', 'public, must-revalidate'),
  },
  {
    id: 'schema-document.cache-control.without-revalidation',
    requirements: ['MR-SCH-10'],
    description: 'Cache-Control lacks must-revalidate.',
    decorate: setHeader(served, 'Cache-Control', 'private, max-age=600'),
  },
  {
    id: 'schema-document.not-modified.never',
    requirements: ['MR-SCH-12'],
    description: 'If-None-Match is ignored; the document is always sent.',
    decorate: rewriteRequest(on, () => ({ headers: { 'if-none-match': undefined } })),
  },
  {
    id: 'schema-document.not-modified.for-any-tag',
    requirements: ['MR-SCH-12'],
    description: 'A stale tag is answered with 304 too.',
    decorate: rewriteRequest(on, (request) => ({
      headers: { 'if-none-match': request.headers.has('if-none-match') ? '*' : undefined },
    })),
  },
  {
    id: 'schema-document.not-modified.as-412',
    requirements: ['MR-SCH-12'],
    // Its body is as empty as that of a 304.
    description: 'An unchanged document is answered with 412.',
    decorate: changeStatus(unmodified, 412),
    trips: ['MR-CAN-20', 'MR-ERR-21'],
  },
  {
    id: 'schema-document.not-modified.request-id-missing',
    requirements: ['MR-SCH-14', 'MR-HDR-01'],
    description: 'The 304 carries no request id.',
    decorate: dropHeader(unmodified, { branded: 'Request-Id' }),
  },
  {
    id: 'schema-document.not-modified.tag-missing',
    requirements: ['MR-SCH-15'],
    description: 'The 304 carries no entity tag.',
    decorate: dropHeader(unmodified, 'ETag'),
  },
  {
    id: 'schema-document.not-modified.tag-of-another',
    requirements: ['MR-SCH-15'],
    description: 'The 304 carries another entity tag than the document.',
    decorate: setHeader(unmodified, 'ETag', '"another-document"'),
  },
  {
    id: 'schema-document.not-modified.cache-control-missing',
    requirements: ['MR-SCH-16'],
    description: 'The 304 carries no Cache-Control.',
    decorate: dropHeader(unmodified, 'Cache-Control'),
  },
  {
    id: 'schema-document.conditional.on-the-catalog',
    requirements: ['MR-SCH-23'],
    description: 'The listing and the model detail answer 304 to If-None-Match.',
    decorate: emptyAs304,
  },
  {
    id: 'schema-document.unknown.answered-with-500',
    requirements: ['MR-SCH-20', 'MR-STC-05'],
    description: 'The schema document of an unknown model is answered with 500.',
    decorate: rewriteAnswer(missing, (answer, { context }) =>
      refusal(answer, context, { status: 500, category: 'internal_error' }),
    ),
  },
  {
    id: 'schema-document.unknown.empty-document',
    requirements: ['MR-SCH-20', 'MR-STC-05'],
    description: 'The schema document of an unknown model is an empty object.',
    decorate: rewriteAnswer(missing, (answer) => ({ ...withText(answer, '{}'), status: 200 })),
  },
];
