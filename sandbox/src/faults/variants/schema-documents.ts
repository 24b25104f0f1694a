import { isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import { onJson, set } from '../builders/changes.ts';
import { group, type Variant, fault as variant } from '../builders/fault.ts';

const further = { 'x-of-the-maker': { since: '2026-02', tags: ['stable'] }, 'x-weight': 3 };

/** Extension keys wherever OpenAPI allows them: also among paths, responses and the parts of a schema. */
function extended(value: JsonValue, depth = 0): JsonValue {
  if (!isJsonObject(value) || depth > 8) return value;
  const members = Object.entries(value).map(([name, member]): [string, JsonValue] => [
    name,
    name === 'properties' && isJsonObject(member) ? eachExtended(member, depth) : extended(member, depth + 1),
  ]);
  const isOpen = !('$ref' in value) && !dataMembers.some((name) => name in value);
  return Object.fromEntries([...members, ...(isOpen ? Object.entries(further) : [])]);
}

function eachExtended(properties: JsonObject, depth: number): JsonObject {
  return Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, extended(member, depth + 1)]));
}

/** Objects that are data of the caller and no part of the document. */
const dataMembers = ['example', 'examples', 'default', 'enum', 'const'];

const withMore = onJson((document) => ({
  ...document,
  tags: [{ name: 'models' }],
  externalDocs: { url: 'https://docs.example.test/models' },
  servers: [{ url: 'https://api.example.test' }],
}));

export const schemaDocumentVariants: readonly Variant[] = group(
  { id: 'schema-document', on: ['readSchemaDocument'], status: 200, subject: 'Schema documents' },
  [
    variant(
      'media-type.of-openapi',
      'MR-SCH-04',
      'are labelled as OpenAPI in JSON',
      set.header('Content-Type', 'application/vnd.oai.openapi+json;version=3.1'),
    ),
    variant(
      'extension-keys',
      'MR-SCH-25 MR-SCH-30',
      'have extension keys in all of their parts',
      onJson((document) => {
        const changed = extended(document);
        return isJsonObject(changed) ? changed : document;
      }),
    ),
    variant('further-members', 'MR-SCH-25', 'name servers, tags and other documentation', withMore),
  ],
);
