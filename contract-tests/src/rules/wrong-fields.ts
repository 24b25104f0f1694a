import { isJsonObject, type JsonObject, type JsonValue, resolvePointer } from '../../../specs/src/index.ts';
import type { SurveyedModel } from '../survey.ts';

/** An input with one wrong value, and the way to it as `loc` is to tell: outermost first, an integer for an index. */
export type WrongField = { readonly input: JsonObject; readonly path: readonly (string | number)[] };

const scalarTypes: readonly JsonValue[] = ['string', 'integer', 'number', 'boolean'];
/** No scalar type takes an object; so the place of the fault is beyond doubt. */
const wrongScalar: JsonObject = { not_a_scalar: true };

function followed(schema: JsonValue | undefined, root: JsonObject): JsonObject {
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
export function scalarFields(model: SurveyedModel): readonly string[] {
  const schema = followed(model.inputSchema === true ? {} : model.inputSchema, model.document);
  return propertiesOf(schema).flatMap(([name, property]) =>
    isScalar(followed(property, model.document)) ? [name] : [],
  );
}

export function withWrong(model: SurveyedModel, names: readonly string[]): JsonObject {
  return { ...model.input, ...Object.fromEntries(names.map((name) => [name, wrongScalar])) };
}

/** A wrong element of an array of scalars, or a wrong member of an object, whichever the schema offers first. */
export function nestedWrong(model: SurveyedModel): WrongField | undefined {
  const schema = followed(model.inputSchema === true ? {} : model.inputSchema, model.document);
  for (const [name, property] of propertiesOf(schema)) {
    const inner = wrongInside(followed(property, model.document), model.document);
    if (inner !== undefined) return { input: { ...model.input, [name]: inner.value }, path: [name, ...inner.path] };
  }
  return undefined;
}

type Inside = { readonly value: JsonValue; readonly path: readonly (string | number)[] };

function wrongInside(property: JsonObject, root: JsonObject): Inside | undefined {
  if (property['type'] === 'array' && isScalar(followed(property['items'], root)))
    return { value: [wrongScalar], path: [0] };
  if (property['type'] !== 'object') return undefined;
  const member = propertiesOf(property).find(([, inner]) => isScalar(followed(inner, root)));
  return member === undefined ? undefined : { value: { [member[0]]: wrongScalar }, path: [member[0]] };
}
