import { extensionKey, isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import type { Decorator, Fault } from '../decorator.ts';
import { rewriteAnswer, rewriteJson, type Where, withText } from '../making/answer-rewrite.ts';
import { without } from '../making/json-change.ts';

const served: Where = { on: ['readSchemaDocument'], status: 200 };

function changePaths(change: (operation: JsonObject) => JsonObject): Decorator {
  const changeItem = (item: JsonValue): JsonValue => {
    if (!isJsonObject(item)) return item;
    const entries = Object.entries(item).map(([method, operation]) => [
      method,
      isJsonObject(operation) ? change(operation) : operation,
    ]);
    return Object.fromEntries(entries);
  };
  return rewriteJson(served, (document) => {
    const paths = isJsonObject(document['paths']) ? document['paths'] : {};
    return {
      ...document,
      paths: Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, changeItem(item)])),
    };
  });
}

export const schemaContentFaults: readonly Fault[] = [
  {
    id: 'schema-document.content.version-missing',
    requirements: ['MR-SCH-25'],
    description: 'A schema document does not say which OpenAPI version it is written in.',
    decorate: rewriteJson(served, (document) => without(document, 'openapi')),
  },
  {
    id: 'schema-document.content.leads-elsewhere',
    requirements: ['MR-SCH-25'],
    description: 'A schema document refers to a schema on another host.',
    decorate: rewriteJson(served, (document) => {
      const components = isJsonObject(document['components']) ? document['components'] : {};
      const schemas = isJsonObject(components['schemas']) ? components['schemas'] : {};
      const elsewhere = { $ref: 'https://schemas.example.test/bounds.json#/Width' };
      return { ...document, components: { ...components, schemas: { ...schemas, Elsewhere: elsewhere } } };
    }),
  },
  {
    id: 'schema-document.content.input-missing',
    requirements: ['MR-SCH-26'],
    description: 'A schema document does not describe the input.',
    decorate: changePaths((operation) => without(operation, 'requestBody')),
    trips: ['MR-CTG-09', 'MR-QUE-30', 'MR-RUN-02', 'MR-RUN-51'],
  },
  {
    id: 'schema-document.content.authored-flag-as-text',
    requirements: ['MR-SCH-30'],
    description: 'The authored flag is the word true or false.',
    decorate: rewriteAnswer(served, (answer, { context }) => {
      const key = extensionKey(context.brand, 'input-schema-authored');
      const text = new TextDecoder().decode(answer.body);
      return withText(answer, text.replace(new RegExp(`("${key}"\\s*:\\s*)(true|false)`, 'g'), '$1"$2"'));
    }),
  },
];
