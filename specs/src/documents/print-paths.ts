import type { SchemaObject } from 'openapi-typescript';
import type ts from 'typescript';
import { readPrebuilt } from '../files.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { documentAsJson, type OpenApiDocument } from './read-document.ts';

// Marks on the copy that is printed; the transform hook reads them.
const knownValues = 'x-known-values';
const bytes = 'x-bytes';

/**
 * The TypeScript source of `paths`, `components` and `operations` of a document: open sets (`x-open-enum`) as their
 * known literals or any other string, byte bodies as `Blob`, bodies of any media type as `unknown`, members with a
 * default optional. The same document always gives the same text.
 */
export async function printPaths(document: OpenApiDocument): Promise<string> {
  return readPrebuilt('paths', JSON.stringify(document)) ?? (await print(document));
}

async function print(document: OpenApiDocument): Promise<string> {
  const [{ default: openapiTS, astToString, STRING, tsLiteral, tsUnion }, { factory }] = await Promise.all([
    import('openapi-typescript'),
    import('typescript').then((module) => module.default),
  ]);
  const transform = (schema: SchemaObject): ts.TypeNode | undefined => {
    const marks: Record<string, unknown> = { ...schema };
    if (marks[bytes] === true) return factory.createTypeReferenceNode('Blob');
    const known = marks[knownValues];
    if (!Array.isArray(known)) return undefined;
    // `string & {}` keeps the union from collapsing into `string`, so editors still offer the known values.
    const other = factory.createIntersectionTypeNode([STRING, factory.createTypeLiteralNode([])]);
    return tsUnion([...known.map((value) => tsLiteral(value)), factory.createParenthesizedType(other)]);
  };
  const source = JSON.stringify(markForPrinting(documentAsJson(document)));
  return astToString(await openapiTS(source, { transform, defaultNonNullable: false, silent: true }));
}

/** A copy in which open sets and byte bodies are marked for the hook. */
function markForPrinting(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(markForPrinting);
  if (!isJsonObject(value)) return value;
  if (value['x-open-enum'] === true) return asOpenSet(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      return [key, key === 'content' && isJsonObject(inner) ? markContent(inner) : markForPrinting(inner)];
    }),
  );
}

function asOpenSet(schema: JsonObject): JsonObject {
  const { enum: own, anyOf, oneOf, ...rest } = schema;
  const branches = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const lists = [own, ...branches.map((branch) => (isJsonObject(branch) ? branch['enum'] : undefined))];
  const known = lists.flatMap((list) => (Array.isArray(list) ? list : [])).filter((word) => typeof word === 'string');
  return { ...rest, type: 'string', [knownValues]: [...new Set(known)] };
}

// A schema may have a property called `content` as well; only names with a slash are media types.
function markContent(content: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(content).map(([mediaType, value]) => {
      if (mediaType === '*/*') return [mediaType, { schema: true }];
      if (isByteType(mediaType)) return [mediaType, { schema: { type: 'string', [bytes]: true } }];
      return [mediaType, markForPrinting(value)];
    }),
  );
}

function isByteType(mediaType: string): boolean {
  if (!mediaType.includes('/')) return false;
  return !/^(?:application\/(?:[a-z0-9.+-]+\+)?json|text\/.*)$/i.test(mediaType);
}
