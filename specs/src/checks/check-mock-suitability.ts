import { followReference } from '../documents/references.ts';
import { formatPointer, isJsonObject, type JsonObject } from '../json.ts';
import { type CheckedDocument, walkDocument } from './checked-document.ts';

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** A mock needs the dialect at the root, and headers it can send. */
export function checkMockSuitability({ content, count, report }: CheckedDocument): void {
  const check = (place: string, message: string | undefined): void => {
    count();
    if (message !== undefined) report(place, message);
  };
  check('/jsonSchemaDialect', content['jsonSchemaDialect'] === dialect ? undefined : `must be ${dialect}`);
  walkDocument(content, {
    object: (node, pointer) => {
      for (const [header, value] of listHeaders(node, pointer)) {
        check(`${pointer}/headers${formatPointer([header])}`, headerProblem(content, value));
      }
    },
  });
}

// A referenced header is checked where it is defined.
function listHeaders(node: JsonObject, pointer: string): [string, JsonObject][] {
  const headers = node['headers'];
  if (!isJsonObject(headers) || !/^\/components$|\/responses\/[^/]+$/.test(pointer)) return [];
  return Object.entries(headers).flatMap(([name, value]) =>
    isJsonObject(value) && value['$ref'] === undefined ? [[name, value]] : [],
  );
}

function headerProblem(root: JsonObject, header: JsonObject): string | undefined {
  if (header['content'] !== undefined) return 'a mock sends null for a header described by content';
  if (header['schema'] === undefined) return 'a header needs a schema';
  if (header['example'] === undefined && header['examples'] === undefined)
    return 'a mock sends null for a header without example';
  const schema = followReference(root, header['schema']);
  const isList = schema.kind === 'found' && isJsonObject(schema.value) && schema.value['type'] === 'array';
  return isList ? 'a mock breaks on a header of type array' : undefined;
}
