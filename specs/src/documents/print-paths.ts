import type { SchemaObject } from 'openapi-typescript';
import type ts from 'typescript';
import { readOrCreateText } from '../files.ts';
import { asObject, isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { dataKeys } from '../settings.ts';
import type { OpenApiDocument } from './read-document.ts';
import { followReference } from './references.ts';

/** Format that marks byte bodies for the transform hook, in the copy that is printed. */
const bytes = 'x-bytes';

/**
 * Prints the TypeScript types `paths`, `components` and `operations` of a document. Open sets (`x-open-enum`) become
 * strings with the known values in the comment, byte bodies become `Blob`, and bodies of any media type become
 * `unknown`. Members with a default, and headers that may be missing, are optional. Comments contain defaults, lengths
 * and bounds. The same document always gives the same text.
 */
export async function printPaths(document: OpenApiDocument): Promise<string> {
  return readOrCreateText('paths', JSON.stringify(document), () => print(document));
}

async function print(document: OpenApiDocument): Promise<string> {
  const [{ default: openapiTS, astToString }, { factory }] = await Promise.all([
    import('openapi-typescript'),
    import('typescript').then((module) => module.default),
  ]);
  const transform = ({ format }: SchemaObject): ts.TypeNode | undefined =>
    format === bytes ? factory.createTypeReferenceNode('Blob') : undefined;
  const source = JSON.stringify(markForPrinting(document, document));
  return astToString(await openapiTS(source, { transform, defaultNonNullable: false, silent: true }));
}

/** Returns a copy for openapi-typescript: marks byte bodies, turns open sets into strings, and adds bounds to comments. */
function markForPrinting(value: JsonValue, root: JsonObject): JsonValue {
  if (Array.isArray(value)) return value.map((inner) => markForPrinting(inner, root));
  if (!isJsonObject(value)) return value;
  if (value['x-open-enum'] === true) return convertOpenSet(value);
  // An optional header that is referenced becomes inline, because openapi-typescript prints every referenced header as required.
  const isHeader = String(value['$ref']).startsWith('#/components/headers/');
  const header = isHeader ? asObject(followReference(root, value).value) : value;
  const node = addSchemaBounds(header['required'] === true ? value : header, root);
  return Object.fromEntries(
    Object.entries(node).map(([key, inner]) => {
      if (dataKeys.has(key)) return [key, inner];
      return [key, key === 'content' && isJsonObject(inner) ? markContent(inner, root) : markForPrinting(inner, root)];
    }),
  );
}

/** Copies the default and bounds of a node's schema, which may be referenced, to the node, for its comment. */
function addSchemaBounds(node: JsonObject, root: JsonObject): JsonObject {
  const schemaNode = node['schema'] ?? (String(node['$ref']).startsWith('#/components/schemas/') ? node : undefined);
  const resolved = followReference(root, schemaNode).value;
  const schema = isJsonObject(resolved) ? resolved : node;
  const bounds = describeBounds(schema);
  const description = [node['description'], bounds]
    .filter((part) => typeof part === 'string' && part !== '')
    .join('\n\n');
  const value = node['default'] ?? schema['default'];
  return {
    ...node,
    ...(description === '' ? {} : { description }),
    ...(value === undefined ? {} : { default: value }),
  };
}

const boundKeywords = [
  { name: 'Length', low: 'minLength', high: 'maxLength' },
  { name: 'Entries', low: 'minItems', high: 'maxItems' },
  { name: 'Range', low: 'minimum', high: 'maximum' },
];

/** Describes the lengths and bounds of a schema, such as `Length: 1 to 512.`; empty if it has none. */
function describeBounds(schema: JsonObject): string {
  const phrases = boundKeywords.flatMap(({ name, low, high }) => {
    const [least, most] = [schema[low], schema[high]];
    if (least === undefined && most === undefined) return [];
    if (most === undefined) return `${name}: at least ${least}.`;
    if (least === undefined) return `${name}: at most ${most}.`;
    return least === most ? `${name}: ${least}.` : `${name}: ${least} to ${most}.`;
  });
  return phrases.join(' ');
}

// Plain `string`, with the known values in the comment, because openapi-fetch would turn the usual `'a' | (string &
// {})` in a response into an object type.
function convertOpenSet(schema: JsonObject): JsonObject {
  const { enum: own, anyOf, oneOf, ...rest } = schema;
  const branches = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const lists = [own, ...branches.map((branch) => (isJsonObject(branch) ? branch['enum'] : undefined))];
  const known = lists.flatMap((list) => (Array.isArray(list) ? list : [])).filter((word) => typeof word === 'string');
  const note = `Known values: ${[...new Set(known)].join(', ')}.`;
  const description = [rest['description'], note].filter((part) => typeof part === 'string').join('\n\n');
  return { ...rest, type: 'string', description };
}

// A schema may also have a property named `content`, so only names with a slash count as media types.
function markContent(content: JsonObject, root: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(content).map(([mediaType, value]) => {
      if (mediaType === '*/*') return [mediaType, { schema: true }];
      const isText = /^(?:application\/(?:[a-z0-9.+-]+\+)?json|text\/.*)$/i.test(mediaType);
      if (isText || !mediaType.includes('/')) return [mediaType, markForPrinting(value, root)];
      return [mediaType, { schema: { type: 'string', format: bytes } }];
    }),
  );
}
