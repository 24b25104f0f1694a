import { followReference } from '../documents/references.ts';
import { asObject, formatPointer, isJsonObject, type JsonObject } from '../json.ts';
import { type CheckedDocument, walkDocument } from './checked-document.ts';

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** Checks that a mock server can use the document: the dialect is set at the root, and headers can be sent. */
export function checkMockSuitability({ content, count, report }: CheckedDocument): void {
  count();
  if (content['jsonSchemaDialect'] !== dialect) report('/jsonSchemaDialect', `must be ${dialect}`);
  for (const { node, pointer } of walkDocument(content)) {
    if (!/^\/components$|\/responses\/[^/]+$/.test(pointer)) continue;
    for (const [name, header] of Object.entries(asObject(node['headers']))) {
      // A referenced header is checked at its definition.
      if (!isJsonObject(header) || header['$ref'] !== undefined) continue;
      count();
      const problem = headerProblem(content, header);
      if (problem !== undefined) report(`${pointer}/headers${formatPointer([name])}`, problem);
    }
  }
}

function headerProblem(root: JsonObject, header: JsonObject): string | undefined {
  if (header['content'] !== undefined) return 'a mock sends null for a header that is described by content';
  if (header['schema'] === undefined) return 'a header needs a schema';
  if (header['example'] === undefined && header['examples'] === undefined)
    return 'a mock sends null for a header without an example';
  const { type } = asObject(followReference(root, header['schema']).value);
  return type === 'array' ? 'a mock breaks on a header of type array' : undefined;
}
