import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import type { JsonSchema } from '../oracle/json-schema.ts';
import { define } from './sample.ts';
import { gather, isSchema } from './schema-view.ts';

/** A location in a value, with every schema that may apply to it. */
export type Location = {
  path: readonly (string | number)[];
  value: JsonValue;
  nodes: readonly JsonObject[];
  /** The whole value with a change at this location; `undefined` removes it. */
  change(to: JsonValue | undefined): JsonValue;
};

/** Every location of a value, outermost first. */
export function listLocations(whole: JsonValue, schema: JsonSchema): Location[] {
  const found: Location[] = [];
  const visit = (path: readonly (string | number)[], value: JsonValue, schemas: readonly JsonSchema[]): void => {
    const { nodes } = gather(schemas, schema, (_, branches) => branches);
    found.push({ path, value, nodes, change: (to) => changeAt(whole, path, to) });
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit([...path, index], item, itemSchemas(nodes, index));
    } else if (isJsonObject(value)) {
      for (const [name, member] of Object.entries(value)) visit([...path, name], member, memberSchemas(nodes, name));
    }
  };
  visit([], whole, [schema]);
  return found;
}

function memberSchemas(nodes: readonly JsonObject[], name: string): JsonSchema[] {
  return nodes.flatMap(({ properties, additionalProperties }) => {
    const own = isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    return isSchema(own) ? [own] : [];
  });
}

function itemSchemas(nodes: readonly JsonObject[], index: number): JsonSchema[] {
  return nodes.flatMap(({ prefixItems, items }) => {
    const own = Array.isArray(prefixItems) && index < prefixItems.length ? prefixItems[index] : items;
    return isSchema(own) ? [own] : [];
  });
}

export function changeAt(whole: JsonValue, path: readonly (string | number)[], to: JsonValue | undefined): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined) return to ?? null;
  if (Array.isArray(whole)) {
    return whole.flatMap((item, index) => {
      if (index !== step) return [item];
      return rest.length === 0 && to === undefined ? [] : [changeAt(item, rest, to)];
    });
  }
  if (!isJsonObject(whole)) return whole;
  const changed: JsonObject = {};
  for (const [name, member] of Object.entries(whole)) {
    if (name !== step) define(changed, name, member);
    else if (rest.length > 0 || to !== undefined) define(changed, name, changeAt(member, rest, to));
  }
  return changed;
}

/** As JSON pointer; indices as `*` when only the shape matters. */
export function pointerTo(path: readonly (string | number)[], indexes: 'exact' | 'any' = 'exact'): string {
  return path
    .map((step) => (typeof step === 'number' && indexes === 'any' ? '*' : String(step)))
    .map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

export function valueAt(whole: JsonValue, path: readonly (string | number)[]): JsonValue | undefined {
  let value: JsonValue | undefined = whole;
  for (const step of path) {
    if (Array.isArray(value) && typeof step === 'number') value = value[step];
    else value = isJsonObject(value) && typeof step === 'string' ? value[step] : undefined;
  }
  return value;
}
