import type { Decorator, Fault } from '../decorator.ts';
import { type Answer, rewriteAnswer, touches, withHeader } from '../making/answer-rewrite.ts';
import { changeRequest, rewriteRequest } from '../making/request-rewrite.ts';

const on = ['readSchemaDocument'] as const;
const tagOfList = '"listing-v1"';

const unmodified = (answer: Answer): Answer => ({ ...answer, status: 304, body: new Uint8Array() });

/** What is asked under a condition is answered as if the main key had asked, once it was refused. */
const unlocks = (refused: number): Decorator => {
  const plan = (app: (request: Request) => Promise<Response>) => async (request: Request) => {
    if (!touches({ on }, request) || !request.headers.has('if-none-match')) return app(request);
    const asMain = await changeRequest(request, {
      headers: { 'x-api-key': 'sk-sandbox-main', authorization: undefined },
    });
    const response = await app(request);
    return response.status === refused ? app(asMain) : response;
  };
  return plan;
};

export const schemaConditionalFaults: readonly Fault[] = [
  {
    id: 'schema-document.conditional.listing-has-a-tag-too',
    requirements: ['MR-SCH-23'],
    description: 'The listing carries a tag of its own and is not sent again to who has it.',
    decorate: rewriteAnswer({ on: ['listModels'], status: 200 }, (answer, { request }) => {
      const tagged = withHeader(answer, 'ETag', tagOfList);
      return request.headers.get('if-none-match') === tagOfList ? unmodified(tagged) : tagged;
    }),
  },
  {
    id: 'schema-document.conditional.status-is-unmodified',
    requirements: ['MR-SCH-23'],
    description: 'A status that is asked for under a condition is answered with 304.',
    decorate: rewriteAnswer({ on: ['readStatus'], status: 200 }, (answer, { request }) =>
      request.headers.has('if-none-match') ? unmodified(answer) : answer,
    ),
    trips: ['MR-RUN-02'],
  },
  {
    id: 'schema-document.tag.compared-in-lower-case',
    requirements: ['MR-SCH-12', 'MR-SCH-09'],
    description: 'The case of letters says nothing when tags are compared.',
    decorate: rewriteRequest(on, (request) => {
      const tag = request.headers.get('if-none-match')?.toLowerCase().replace(/^w/, 'W');
      return tag === undefined ? {} : { headers: { 'if-none-match': tag } };
    }),
  },
  {
    id: 'schema-document.not-modified.never-under-a-token',
    requirements: ['MR-SCH-12'],
    description: 'Who sends a token gets the whole document each time.',
    decorate: rewriteRequest(on, (request) =>
      request.headers.has('x-api-key') ? {} : { headers: { 'if-none-match': undefined } },
    ),
  },
  {
    id: 'schema-document.conditional.unlocked-for-anybody',
    requirements: ['MR-SCH-18', 'MR-AUT-01'],
    description: 'With a tag of the document no credential is asked for.',
    decorate: unlocks(401),
  },
  {
    id: 'schema-document.conditional.unlocked-for-the-barred',
    requirements: ['MR-SCH-19'],
    description: 'With a tag of the document a caller without access is served.',
    decorate: unlocks(403),
  },
  {
    id: 'schema-document.conditional.any-model-is-unmodified',
    requirements: ['MR-SCH-20'],
    description: 'Whether there is such a model is not asked when the condition is a star.',
    decorate: rewriteAnswer({ on, status: 404 }, (answer, { request }) =>
      request.headers.get('if-none-match') === '*' ? unmodified(answer) : answer,
    ),
  },
];
