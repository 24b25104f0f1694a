import { isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import type { Decorator, Fault } from '../decorator.ts';
import { rewriteAnswer, rewriteJson, takeApart, withText } from '../making/answer-rewrite.ts';
import { without } from '../making/json-change.ts';
import { modelIdOf } from '../making/operation-match.ts';
import { changeRequest, rewriteRequest } from '../making/request-rewrite.ts';

const on = ['readSchemaDocument'] as const;
const one = 'text-provider/embed';

function memberObject(owner: JsonObject, name: string): JsonObject {
  const value = owner[name];
  return isJsonObject(value) ? value : {};
}

/** The schemas of the model's input: in the operation, and those that the document names. */
const ofInputs = (change: (schema: JsonObject) => JsonObject): Decorator => {
  const walk = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(walk);
    if (!isJsonObject(value)) return value;
    const inner = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, walk(member)]));
    return Array.isArray(value['required']) && isJsonObject(value['properties']) ? change(inner) : inner;
  };
  return rewriteJson({ on, status: 200 }, (document, { request }) => {
    if (modelIdOf(request) !== one) return document;
    const paths = Object.entries(memberObject(document, 'paths')).map(([path, item]): [string, JsonValue] => {
      const post = isJsonObject(item) ? memberObject(item, 'post') : {};
      const body = post['requestBody'];
      if (!isJsonObject(item) || body === undefined) return [path, item];
      return [path, { ...item, post: { ...post, requestBody: walk(body) } }];
    });
    const components = memberObject(document, 'components');
    const schemas = walk(memberObject(components, 'schemas'));
    return { ...document, paths: Object.fromEntries(paths), components: { ...components, schemas } };
  });
};

/** Each breach stands in the document of one model only. */
export const schemaOfOneModelFaults: readonly Fault[] = [
  {
    id: 'schema-document.content.one-refers-outward',
    requirements: ['MR-SCH-25'],
    description: 'The document of one model refers to another document.',
    decorate: rewriteAnswer({ on, status: 200 }, (answer, { request }) => {
      if (modelIdOf(request) !== 'text-provider/outline') return answer;
      const text = new TextDecoder().decode(answer.body);
      return withText(answer, text.replace('"#/components/', '"shared.json#/components/'));
    }),
  },
  {
    id: 'schema-document.not-modified.never-for-one-model',
    requirements: ['MR-SCH-12'],
    description: 'The document of one model is sent whole each time.',
    decorate: rewriteRequest(on, (request) =>
      modelIdOf(request) === one ? { headers: { 'if-none-match': undefined } } : {},
    ),
  },
  {
    id: 'schema-document.content.hides-what-is-required',
    requirements: ['MR-SCH-27'],
    description: 'The document of one model calls nothing required that the router asks for.',
    decorate: ofInputs((schema) => without(schema, 'required')),
  },
  {
    id: 'run.validation.left-out-for-one-model',
    requirements: ['MR-SCH-27', 'MR-RUN-49'],
    description: 'One model is run whatever its schema says of the input.',
    decorate: rewriteAnswer({ on: ['runModel'], status: 422 }, async (answer, { request, app }) => {
      if (modelIdOf(request) !== one) return answer;
      const body = new TextEncoder().encode(JSON.stringify({ input: 'anything' }));
      return takeApart(await app(await changeRequest(request, { body })));
    }),
  },
];
