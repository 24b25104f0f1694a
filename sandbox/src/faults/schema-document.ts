import { asObject, extensionKey, isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { onJson, onReply, onRequest, onText, refuse, set } from './builders/changes.ts';
import { type Fault, fault, group } from './builders/fault.ts';
import { readText, without, withText } from './builders/replies.ts';
import { isOfModel, readModelId, withTarget } from './builders/requests.ts';

/** Changes the operation of each model. */
export function changePosts(document: JsonObject, change: (post: JsonObject) => JsonObject): JsonObject {
  const paths = Object.entries(asObject(document['paths'])).map(([path, item]): [string, JsonValue] => [
    path,
    isJsonObject(item) ? { ...item, post: change(asObject(item['post'])) } : item,
  ]);
  return { ...document, paths: Object.fromEntries(paths) };
}

function changeSchemas(document: JsonObject, change: (schemas: JsonObject) => JsonValue): JsonObject {
  const components = asObject(document['components']);
  return { ...document, components: { ...components, schemas: change(asObject(components['schemas'])) } };
}

const withoutInputs = onJson((document) => changePosts(document, (post) => without(post, 'requestBody')));

function withoutRequired(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutRequired);
  if (!isJsonObject(value)) return value;
  const isSchema = Array.isArray(value['required']) && isJsonObject(value['properties']);
  const members = Object.entries(isSchema ? without(value, 'required') : value);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutRequired(member)]));
}

/** In the schemas of the model's input: in the operation, and among the components. */
const nothingRequired = onJson((document) =>
  changeSchemas(
    changePosts(document, (post) => ({ ...post, requestBody: withoutRequired(asObject(post['requestBody'])) })),
    withoutRequired,
  ),
);

const otherHost: JsonObject = { $ref: 'https://schemas.example.test/bounds.json#/Width' };
const refersToOtherHost = onJson((document) =>
  changeSchemas(document, (schemas) => ({ ...schemas, Elsewhere: otherHost })),
);

const swapped: Readonly<Record<string, string>> = {
  'audio-provider/speech_v2': 'text-provider/embed',
  'text-provider/embed': 'audio-provider/speech_v2',
};

const swappedDocuments = onRequest((request) => {
  const id = readModelId(request);
  return withTarget(request, (target) => target.replace(id, swapped[id] ?? id));
});

const authoredFlagAsText = onReply((reply, { context }) => {
  const key = extensionKey(context.brand, 'input-schema-authored');
  const flag = new RegExp(`("${key}"\\s*:\\s*)(true|false)`, 'g');
  return withText(reply, readText(reply).replace(flag, '$1"$2"'));
});

const outward = onText((text) => text.replace('"#/components/', '"shared.json#/components/'));

export const schemaDocumentFaults: readonly Fault[] = [
  ...group({ id: 'schema-document', on: ['readSchemaDocument'], status: 200, subject: 'A schema document' }, [
    fault('cache-control.public', 'MR-SCH-10', set.header('Cache-Control', 'public, must-revalidate')),
    fault('cache-control.without-revalidation', 'MR-SCH-10', set.header('Cache-Control', 'private, max-age=600')),
    fault('content.leads-elsewhere', 'MR-SCH-25', refersToOtherHost),
    fault('content.input-missing', 'MR-SCH-26 also MR-CTG-09 MR-QUE-30 MR-RUN-02 MR-RUN-51', withoutInputs),
    fault('content.authored-flag-as-text', 'MR-SCH-30', authoredFlagAsText),
    fault('content.one-refers-outward', 'MR-SCH-25', outward, { when: isOfModel('text-provider/outline') }),
    fault('content.hides-what-is-required', 'MR-SCH-27', nothingRequired, { when: isOfModel('text-provider/embed') }),
    fault('content.of-another-model', 'MR-SCH-25 MR-SCH-27', swappedDocuments),
  ]),
  ...group({ id: 'schema-document.unknown', on: ['readSchemaDocument'], status: 404, subject: 'An unknown document' }, [
    fault('answered-with-500', 'MR-SCH-20 MR-STC-05', refuse(500, 'internal_error')),
    fault('called-otherwise', 'MR-CTG-10 MR-SCH-20', set.category('no_such_document')),
    fault('empty-document', 'MR-SCH-20 MR-STC-05', set.text('{}', 200)),
  ]),
];
