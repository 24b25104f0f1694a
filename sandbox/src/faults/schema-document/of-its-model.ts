import type { Decorator, Fault } from '../decorator.ts';
import { putTogether, takeApart, touches } from '../making/answer-rewrite.ts';
import { modelIdOf } from '../making/operation-match.ts';
import { changeRequest, rewriteRequest } from '../making/request-rewrite.ts';

const on = ['readSchemaDocument'] as const;

/** Looks whether the tag is known, and not of what. */
const anyKnownTagWillDo: Decorator = (app) => {
  const tags = new Map<string, string>();
  return async (request) => {
    if (!touches({ on }, request)) return app(request);
    const [sent, model] = [request.headers.get('if-none-match'), modelIdOf(request)];
    const answer = await takeApart(await app(request));
    const tag = answer.headers.get('etag');
    if (tag !== null) tags.set(model, tag);
    const isForeign = [...tags].some(([other, known]) => other !== model && known === sent);
    return putTogether(isForeign && answer.status === 200 ? { ...answer, status: 304 } : answer);
  };
};

const onceOnly: Decorator = (app) => {
  let isOver = false;
  return async (request) => {
    const response = await app(request.clone());
    if (response.status !== 304) return response;
    if (!isOver) {
      isOver = true;
      return response;
    }
    return app(await changeRequest(request, { headers: { 'if-none-match': undefined } }));
  };
};

const swapped: Readonly<Record<string, string>> = {
  'audio-provider/speech_v2': 'text-provider/embed',
  'text-provider/embed': 'audio-provider/speech_v2',
};

export const schemaOfModelFaults: readonly Fault[] = [
  {
    id: 'schema-document.not-modified.for-the-tag-of-another-model',
    requirements: ['MR-SCH-12'],
    description: 'The tag of another document is answered with 304.',
    decorate: anyKnownTagWillDo,
  },
  {
    id: 'schema-document.not-modified.once-only',
    requirements: ['MR-SCH-12'],
    description: 'An unchanged document is answered with 304 one time; then it is sent again.',
    decorate: onceOnly,
  },
  {
    id: 'schema-document.content.of-another-model',
    requirements: ['MR-SCH-25', 'MR-SCH-27'],
    description: 'Two models have each the schema document of the other.',
    decorate: rewriteRequest(on, (request) => {
      const other = swapped[modelIdOf(request)];
      return other === undefined ? {} : { url: request.url.replace(modelIdOf(request), other) };
    }),
  },
];
