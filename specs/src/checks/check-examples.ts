import { isSchema, type Schema } from '../documents/read-document.ts';
import { followReference } from '../documents/references.ts';
import { SpecError } from '../errors.ts';
import { formatPointer, isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { compileSchema } from '../schema/schema-check.ts';
import { type CheckedDocument, walkDocument } from './checked-document.ts';

type Example = { value: JsonValue; place: string };

/** Every example of a body, header, parameter or schema, and every default, is valid against its schema, formats included. */
export function checkExamples({ content, count, report }: CheckedDocument): void {
  const checkAll = (schema: Schema, examples: readonly Example[]): void => {
    for (const example of examples) {
      count();
      for (const message of messagesFor(schema, example, content)) report(example.place, message);
    }
  };
  walkDocument(content, {
    object: (node, pointer) => {
      const schema = node['schema'];
      if (isSchema(schema)) checkAll(schema, siblingExamples(content, node, pointer));
    },
    schema: (schema, pointer) => checkAll(schema, ownExamples(schema, pointer)),
  });
}

function messagesFor(schema: Schema, example: Example, root: JsonObject): string[] {
  try {
    const violations = compileSchema(schema, { root, formats: 'assert' })(example.value);
    return violations.map(({ pointer, message }) => (pointer === '' ? message : `${pointer} ${message}`));
  } catch (error) {
    if (error instanceof SpecError) return [error.message];
    throw error;
  }
}

// Examples next to a `schema`: one `example`, or `examples` by name, each inline or by reference.
function siblingExamples(root: JsonObject, node: JsonObject, pointer: string): Example[] {
  const single = node['example'];
  const several = isJsonObject(node['examples']) ? Object.entries(node['examples']) : [];
  return [
    ...(single === undefined ? [] : [{ value: single, place: `${pointer}/example` }]),
    ...several.flatMap(([name, entry]) => {
      const place = `${pointer}/examples${formatPointer([name])}`;
      const followed = followReference(root, entry);
      const example = followed.kind === 'found' ? followed.value : undefined;
      const value = isJsonObject(example) ? example['value'] : undefined;
      return value === undefined ? [] : [{ value, place }];
    }),
  ];
}

function ownExamples(schema: Schema, pointer: string): Example[] {
  if (typeof schema === 'boolean') return [];
  const single = ['example', 'default'].flatMap((key) => {
    const value = Object.hasOwn(schema, key) ? schema[key] : undefined;
    return value === undefined ? [] : [{ value, place: `${pointer}/${key}` }];
  });
  const several = Array.isArray(schema['examples']) ? schema['examples'] : [];
  return [...single, ...several.map((value, index) => ({ value, place: `${pointer}/examples/${index}` }))];
}
