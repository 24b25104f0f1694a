import { isJsonObject, type JsonObject, type JsonValue, resolvePointer } from '../../specs/src/index.ts';

type Step = string | number;
/** A location in a value, with every schema of the document that may apply to it. */
export type Location = {
  path: readonly Step[];
  value: JsonValue;
  nodes: readonly JsonObject[];
  /** Returns the whole value with this location replaced; `undefined` removes the location. */
  change(to: JsonValue | undefined): JsonValue;
};

/** Lists every location in a value, outermost first. */
export function listLocations(whole: JsonValue, schema: JsonValue, root: JsonObject): Location[] {
  const found: Location[] = [];
  const visit = (path: readonly Step[], value: JsonValue, schemas: readonly JsonValue[]): void => {
    const nodes = schemasOfValue(schemas, root);
    found.push({ path, value, nodes, change: (to) => changeAt(whole, path, to) });
    const inner = (own: (node: JsonObject) => JsonValue | undefined): JsonValue[] =>
      nodes.map(own).filter((one) => one !== undefined);
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries())
        visit(
          [...path, index],
          item,
          inner(({ prefixItems, items }) => (Array.isArray(prefixItems) ? prefixItems[index] : undefined) ?? items),
        );
    } else if (isJsonObject(value)) {
      for (const [name, member] of Object.entries(value))
        visit(
          [...path, name],
          member,
          inner(({ properties, additionalProperties }) =>
            isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : additionalProperties,
          ),
        );
    }
  };
  visit([], whole, [schema]);
  return found;
}

const maxNodes = 200;

/** Returns the schemas that may apply to the same value, including all branches of unions. */
function schemasOfValue(start: readonly JsonValue[], root: JsonObject): JsonObject[] {
  const nodes = new Set<JsonObject>();
  const pending = [...start];
  for (let schema = pending.shift(); schema !== undefined; schema = pending.shift()) {
    if (!isJsonObject(schema) || nodes.has(schema) || nodes.size > maxNodes) continue;
    nodes.add(schema);
    const { $ref } = schema;
    if (typeof $ref === 'string' && $ref.startsWith('#/')) pending.push(resolvePointer(root, $ref.slice(1)) ?? true);
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) pending.push(...listAt(schema, keyword));
  }
  return [...nodes];
}

export function listAt(holder: JsonObject, key: string): readonly JsonValue[] {
  const value = holder[key];
  return Array.isArray(value) ? value : [];
}

function changeAt(whole: JsonValue, [step, ...rest]: readonly Step[], to: JsonValue | undefined): JsonValue {
  if (step === undefined) return to ?? null;
  const isRemoved = rest.length === 0 && to === undefined;
  if (Array.isArray(whole))
    return whole.flatMap((item, index) => (index !== step ? [item] : isRemoved ? [] : [changeAt(item, rest, to)]));
  if (!isJsonObject(whole)) return whole;
  const kept = Object.entries(whole).filter(([name]) => name !== step || !isRemoved);
  return Object.fromEntries(kept.map(([name, member]) => [name, name === step ? changeAt(member, rest, to) : member]));
}

/** Returns the JSON pointer of a path, with `*` for indices. */
export function pointerTo(path: readonly Step[]): string {
  return path
    .map((step) => `/${typeof step === 'number' ? '*' : step.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

export function valueAt(whole: JsonValue, path: readonly Step[]): JsonValue | undefined {
  let value: JsonValue | undefined = whole;
  for (const step of path) {
    if (Array.isArray(value)) value = value[Number(step)];
    else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}
