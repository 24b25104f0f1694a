import { isSchema, type Schema } from '../documents/read-document.ts';
import { followReference } from '../documents/references.ts';
import { SpecError } from '../errors.ts';
import { asObject, formatPointer, type JsonObject, type JsonValue } from '../json.ts';
import { compileSchema } from '../schema/schema-check.ts';
import { type CheckedDocument, walkDocument } from './checked-document.ts';

/** Checks that every example and every default is valid against its schema, including formats. */
export function checkExamples({ content, count, report }: CheckedDocument): void {
  for (const { node, pointer, isSchema: isOwn } of walkDocument(content)) {
    const schema = isOwn ? node : node['schema'];
    if (!isSchema(schema)) continue;
    const examples = isOwn ? listOwnExamples(node) : listExamplesNextTo(node, content);
    for (const [place, example] of examples.filter(([, value]) => value !== undefined)) {
      count();
      for (const message of messagesFor(schema, example, content)) report(`${pointer}${place}`, message);
    }
  }
}

type Examples = (readonly [place: string, value: JsonValue | undefined])[];

function listOwnExamples(schema: JsonObject): Examples {
  const several = Array.isArray(schema['examples']) ? schema['examples'] : [];
  const listed = several.map((value, index) => [`/examples/${index}`, value] as const);
  return [['/example', schema['example']], ['/default', schema['default']], ...listed];
}

// An object with a `schema` may have an `example`, or `examples` by name, each inline or as a reference.
function listExamplesNextTo(holder: JsonObject, root: JsonObject): Examples {
  const named = Object.entries(asObject(holder['examples'])).map(([name, entry]) => {
    return [`/examples${formatPointer([name])}`, asObject(followReference(root, entry).value)['value']] as const;
  });
  return [['/example', holder['example']], ...named];
}

function messagesFor(schema: Schema, example: unknown, root: JsonObject): string[] {
  try {
    const violations = compileSchema(schema, { root, formats: 'assert' })(example);
    return violations.map(({ pointer, message }) => (pointer === '' ? message : `${pointer} ${message}`));
  } catch (error) {
    if (error instanceof SpecError) return [error.message];
    throw error;
  }
}
