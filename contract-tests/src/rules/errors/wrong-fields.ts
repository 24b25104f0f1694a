import { isJsonObject, type JsonObject, type JsonValue, resolvePointer } from '../../../../specs/src/index.ts';
import type { DiscoveredModel } from '../../discovery.ts';

/** An input with a wrong value inside a field, and the path to it as `loc` gives it: outermost first, integers for indices. */
export type WrongField = { readonly input: JsonObject; readonly path: readonly (string | number)[] };

const scalarTypes: readonly JsonValue[] = ['string', 'integer', 'number', 'boolean'];
/** No scalar type accepts an object, so the location of the error is certain. */
const wrongScalar: JsonObject = { not_a_scalar: true };

function resolved(schema: JsonValue | undefined, root: JsonObject): JsonObject {
  if (!isJsonObject(schema)) return {};
  const reference = schema['$ref'];
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return schema;
  const target = resolvePointer(root, decodeURIComponent(reference.slice(1)));
  return isJsonObject(target) ? target : {};
}

function isScalar(schema: JsonObject): boolean {
  return scalarTypes.includes(schema['type'] ?? null);
}

function propertiesOf(schema: JsonObject): readonly (readonly [string, JsonValue])[] {
  return isJsonObject(schema['properties']) ? Object.entries(schema['properties']) : [];
}

/** Top-level fields of one plain scalar type, so that a wrong value breaks that field and no other. */
export function scalarFields(model: DiscoveredModel): readonly string[] {
  const schema = resolved(model.inputSchema === true ? {} : model.inputSchema, model.document);
  return propertiesOf(schema).flatMap(([name, property]) =>
    isScalar(resolved(property, model.document)) ? [name] : [],
  );
}

export function withWrong(model: DiscoveredModel, names: readonly string[]): JsonObject {
  return { ...model.input, ...Object.fromEntries(names.map((name) => [name, wrongScalar])) };
}

/** A wrong element of an array of scalars, or a wrong member of an object, if the document's input has such a field. */
export function nestedWrong(document: JsonObject, kind: 'array' | 'object'): WrongField | undefined {
  for (const [name, property] of propertiesOf(resolved(inputSchemaOf(document), document))) {
    const inner = wrongInside(resolved(property, document), document, kind);
    if (inner !== undefined) return { input: { [name]: inner.value }, path: [name, ...inner.path] };
  }
  return undefined;
}

function inputSchemaOf(document: JsonObject): JsonValue | undefined {
  const items = isJsonObject(document['paths']) ? Object.values(document['paths']) : [];
  const pointers = ['/post/requestBody/content/application~1json/schema'];
  return items.flatMap((item) => pointers.map((pointer) => resolvePointer(item, pointer))).find(isJsonObject);
}

type Inside = { readonly value: JsonValue; readonly path: readonly (string | number)[] };

function wrongInside(property: JsonObject, root: JsonObject, kind: 'array' | 'object'): Inside | undefined {
  if (property['type'] !== kind) return undefined;
  if (kind === 'array') {
    return isScalar(resolved(property['items'], root)) ? { value: [wrongScalar], path: [0] } : undefined;
  }
  const member = propertiesOf(property).find(([, inner]) => isScalar(resolved(inner, root)));
  return member === undefined ? undefined : { value: { [member[0]]: wrongScalar }, path: [member[0]] };
}
