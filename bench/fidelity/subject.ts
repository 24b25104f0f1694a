import {
  asObject,
  isJsonMediaType,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  readEssence,
  readModelOperation,
  resolvePointer,
  type Schema,
} from '../../specs/src/index.ts';
import type { BenchDocument } from '../documents.ts';

/** The JSON input or output of a model, as described in its document. */
export type Subject = {
  model: string;
  direction: 'input' | 'output';
  path: string;
  /** Media types of the body that can be JSON. */
  mediaTypes: readonly string[];
  status: string;
  schema: Schema;
  root: JsonObject;
  /** Examples from the document. */
  published: readonly JsonValue[];
};

/** Lists the input and the output of a model, unless the body isn't JSON. */
export function listSubjects({ id, root }: BenchDocument): Subject[] {
  const operation = readModelOperation(root, id);
  if (operation === undefined) return [];
  const { input, outputs, place } = operation;
  const path = decodePointer(place.item.pointer);
  const isAuthored = Object.keys(root).every((key) => !/^x-.+-input-schema-authored$/.test(key) || root[key] !== false);
  const isWild = (type: string): boolean => /^(?:\*|application)\/\*$/.test(readEssence(type));
  const base = { model: id, root, path };
  const subjects: Subject[] = [];
  const add = (direction: Subject['direction'], contents: typeof outputs, status = ''): void => {
    const json = contents.filter(
      ({ mediaType, schema }) =>
        (isJsonMediaType(mediaType) || isWild(mediaType)) && asObject(schema)['format'] !== 'binary',
    );
    if (json.length === 0) return;
    const schemas = json.map(({ schema = {} }) => schema);
    // A body with a wildcard media type may also be plain text.
    if (direction === 'output' && json.some(({ mediaType }) => isWild(mediaType))) schemas.push({ type: 'string' });
    const [only] = schemas;
    const schema = schemas.length === 1 && isSchema(only) ? only : { anyOf: schemas };
    const published = json
      .flatMap(({ examples }) => examples)
      .concat(schemas.flatMap((one) => listExamples(one, root)));
    subjects.push({ ...base, direction, status, schema, published, mediaTypes: json.map((one) => one.mediaType) });
  };
  if (input !== undefined) add('input', [isAuthored ? input : { ...input, schema: { type: 'object' }, examples: [] }]);
  add(
    'output',
    outputs,
    Object.keys(asObject(place.post.value['responses'])).find((key) => /^2/.test(key)),
  );
  return subjects;
}

const isSchema = (value: JsonValue | undefined): value is Schema => isJsonObject(value) || typeof value === 'boolean';

function listExamples(schema: JsonValue, root: JsonObject): JsonValue[] {
  const { $ref, example, examples } = asObject(schema);
  const target = typeof $ref === 'string' && $ref.startsWith('#/') ? resolvePointer(root, $ref.slice(1)) : undefined;
  const own = [...(example === undefined ? [] : [example]), ...(Array.isArray(examples) ? examples : [])];
  return target === undefined ? own : [...own, ...listExamples(target, {})];
}

function decodePointer(pointer: string): string {
  return (pointer.split('/').at(-1) ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
}
