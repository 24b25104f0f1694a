import { isJsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import type { Decorator, Variant } from '../decorator.ts';
import {
  type Answer,
  parseBody,
  rewriteAnswer,
  rewriteJson,
  type Where,
  withHeader,
  withText,
} from '../making/answer-rewrite.ts';
import { setMember } from '../making/json-change.ts';

const anything: Where = { on: 'any' };
/** The tag of a schema document is over its bytes: those are left as they are. */
const butDocuments: Where['on'] = [
  'listModels',
  'readModel',
  'runModel',
  'submitRequest',
  'collectRequest',
  'readStatus',
  'cancelRequest',
  'readJobWorkflow',
];

function rewriteText(change: (body: JsonValue) => string): Decorator {
  return rewriteAnswer({ on: butDocuments }, (answer) => {
    const body = parseBody(answer);
    return body === undefined ? answer : withText(answer, change(body));
  });
}

function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, inner]) => [name, reversed(inner)]),
  );
}

/** Every character beyond letters and digits inside strings, as `\uXXXX`; the surrogate halves one by one. */
function escaped(body: JsonValue): string {
  return JSON.stringify(body).replace(
    /[^\x20-\x7e]|\//g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function isJson(answer: Answer): boolean {
  return /^application\/json\b/.test(answer.headers.get('content-type') ?? '');
}

const extraMembers: readonly (readonly [string, Where, JsonValue])[] = [
  ['page', { on: ['listModels'], status: 200 }, { total_hint: 'many' }],
  ['detail', { on: ['readModel'], status: 200 }, ['featured']],
  ['handle', { on: ['submitRequest'], status: 201 }, { region: 'one' }],
  ['status', { on: ['readStatus'], status: 200 }, 'started'],
  ['cancel', { on: ['cancelRequest'] }, null],
  ['job', { on: ['readJobWorkflow'], status: 200 }, { version: 3 }],
];

const memberVariants: readonly Variant[] = extraMembers.map(([name, where, value]) => ({
  id: `json.extra-member.${name}`,
  requirements: [],
  description: `An undocumented member stands in the ${name} body.`,
  decorate: setMember(where, 'undocumented', value),
}));

export const jsonVariants: readonly Variant[] = [
  ...memberVariants,
  {
    id: 'json.extra-member.entry',
    requirements: ['MR-CAT-41'],
    description: 'Listed entries hold tags, and their billing object a note in words.',
    decorate: rewriteJson({ on: ['listModels', 'readModel'], status: 200 }, (body) => {
      const enrich = (entry: JsonValue): JsonValue => {
        if (!isJsonObject(entry) || !isJsonObject(entry['billing'])) return entry;
        return {
          ...entry,
          tags: ['new'],
          billing: { ...entry['billing'], note: 'invoiced monthly', is_metered: true },
        };
      };
      return Array.isArray(body['data']) ? { ...body, data: body['data'].map(enrich) } : enrich(body);
    }),
  },
  {
    id: 'json.extra-member.error',
    requirements: ['MR-ERR-01'],
    description: 'Errors of the router hold further members.',
    decorate: rewriteJson({ on: 'router', status: (status) => status >= 400 }, (body) =>
      'detail' in body ? { ...body, upstream_detail: { code: 17 }, refusal_subject: 'input' } : body,
    ),
  },
  {
    id: 'json.pretty-printed',
    requirements: ['MR-COL-06'],
    description: 'JSON bodies are indented and end with a line feed.',
    decorate: rewriteText((body) => `\n${JSON.stringify(body, null, 4)}\n`),
  },
  {
    id: 'json.members-reversed',
    requirements: ['MR-COL-06'],
    description: 'Members of JSON objects come in the opposite order.',
    decorate: rewriteText((body) => JSON.stringify(reversed(body))),
  },
  {
    id: 'json.unicode-escapes',
    requirements: ['MR-QUE-18'],
    description: 'Slashes and letters beyond ASCII are escaped.',
    decorate: rewriteText(escaped),
  },
  {
    id: 'json.charset-parameter',
    requirements: ['MR-COL-05'],
    description: 'The JSON media type names its charset, in capitals.',
    decorate: rewriteAnswer(anything, (answer) =>
      isJson(answer) ? withHeader(answer, 'Content-Type', 'Application/JSON; Charset="UTF-8"') : answer,
    ),
  },
  {
    id: 'json.error-subtype',
    requirements: ['MR-ERR-01'],
    description: 'Errors are labelled with a media type of their own that ends in +json (NS-41).',
    decorate: rewriteAnswer({ on: 'any', status: (status) => status >= 400 }, (answer) =>
      isJson(answer) ? withHeader(answer, 'Content-Type', 'application/vnd.error+json') : answer,
    ),
  },
];
