import { isJsonObject, type JsonObject, type JsonValue, resolvePointer } from '../../../specs/src/index.ts';
import { compareSchemas } from './compare-schemas.ts';
import type { Direction } from './rules.ts';
import { changeOf, type SchemaChange, sameJson } from './schema-change.ts';
import { child, type Located } from './schema-parts.ts';

type Found = { readonly value: JsonObject; readonly pointer: string };
type Operation = Found & { readonly parameters: ReadonlyMap<string, Found> };
type Sides = { readonly before: JsonObject; readonly after: JsonObject };

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** What changed between two OpenAPI documents for a caller, operation by operation. */
export function diffOperations(before: JsonObject, after: JsonObject): SchemaChange[] {
  if (sameJson(before, after)) return [];
  const sides = { before, after };
  const [old, now] = [operationsOf(before), operationsOf(after)];
  const changes: SchemaChange[] = [];
  for (const [name, operation] of old) {
    const { pointer } = operation;
    const counterpart = now.get(name);
    if (counterpart === undefined) changes.push(changeOf('operation-removed', 'input', { pointer, subject: name }));
    else changes.push(...diffOperation(operation, counterpart, sides));
  }
  for (const [name, { pointer }] of now)
    if (!old.has(name)) changes.push(changeOf('operation-added', 'input', { pointer, subject: name }));
  return changes;
}

function diffOperation(old: Operation, now: Operation, sides: Sides): SchemaChange[] {
  const changes: SchemaChange[] = [];
  const [before, after] = [old.value['operationId'], now.value['operationId']];
  if (!sameJson(before, after))
    changes.push(changeOf('operation-renamed', 'input', { pointer: now.pointer, before, after }));
  const [oldSecurity, newSecurity] = [securityOf(old, sides.before), securityOf(now, sides.after)];
  if (!sameJson(oldSecurity, newSecurity)) {
    const facts = { pointer: now.pointer, before: oldSecurity, after: newSecurity };
    changes.push(changeOf('security-changed', 'input', facts));
  }
  return [
    ...changes,
    ...diffParameters(old, now, sides),
    ...diffBodies(old, now, sides),
    ...diffResponses(old, now, sides),
  ];
}

function diffParameters(old: Operation, now: Operation, sides: Sides): SchemaChange[] {
  const changes: SchemaChange[] = [];
  for (const [name, parameter] of now.parameters) {
    const before = old.parameters.get(name);
    const isRequired = parameter.value['required'] === true;
    const facts = { pointer: parameter.pointer, subject: name };
    if (before === undefined) {
      changes.push(changeOf(isRequired ? 'parameter-added-required' : 'parameter-added-optional', 'input', facts));
      continue;
    }
    if ((before.value['required'] === true) !== isRequired)
      changes.push(changeOf(isRequired ? 'parameter-became-required' : 'parameter-became-optional', 'input', facts));
    changes.push(...diffSchemas(before, parameter, { sides, direction: 'input' }));
  }
  for (const [name, { pointer }] of old.parameters)
    if (!now.parameters.has(name)) changes.push(changeOf('parameter-removed', 'input', { pointer, subject: name }));
  return changes;
}

function diffBodies(old: Operation, now: Operation, sides: Sides): SchemaChange[] {
  const before = member(old, 'requestBody', sides.before);
  const after = member(now, 'requestBody', sides.after);
  if (before === undefined && after === undefined) return [];
  const [was, is] = [before, after].map((body) => body?.value['required'] === true);
  const pointer = after?.pointer ?? before?.pointer ?? now.pointer;
  const rule = is ? 'body-became-required' : 'body-became-optional';
  return [
    ...(was === is ? [] : [changeOf(rule, 'input', { pointer })]),
    ...diffContents(before, after, { sides, direction: 'input' }),
  ];
}

function diffResponses(old: Operation, now: Operation, sides: Sides): SchemaChange[] {
  const [before, after] = [membersOf(old, 'responses', sides.before), membersOf(now, 'responses', sides.after)];
  const changes: SchemaChange[] = [];
  for (const [status, response] of before) {
    const counterpart = after.get(status);
    const rule = status.startsWith('2') ? 'success-response-removed' : 'response-removed';
    if (counterpart === undefined)
      changes.push(changeOf(rule, 'output', { pointer: response.pointer, subject: status }));
    else {
      changes.push(...diffHeaders(response, counterpart, sides));
      changes.push(...diffContents(response, counterpart, { sides, direction: 'output' }));
    }
  }
  for (const [status, { pointer }] of after)
    if (!before.has(status)) changes.push(changeOf('response-added', 'output', { pointer, subject: status }));
  return changes;
}

function diffHeaders(old: Found, now: Found, sides: Sides): SchemaChange[] {
  const [before, after] = [membersOf(old, 'headers', sides.before), membersOf(now, 'headers', sides.after)];
  const lost = [...before].filter(([name]) => !after.has(name));
  const gained = [...after].filter(([name]) => !before.has(name));
  return [
    ...lost.map(([subject, { pointer }]) => changeOf('header-removed', 'output', { pointer, subject })),
    ...gained.map(([subject, { pointer }]) => changeOf('header-added', 'output', { pointer, subject })),
    ...[...after].flatMap(([name, header]) => {
      const counterpart = before.get(name);
      return counterpart === undefined ? [] : diffSchemas(counterpart, header, { sides, direction: 'output' });
    }),
  ];
}

type How = { readonly sides: Sides; readonly direction: Direction };

function diffContents(old: Found | undefined, now: Found | undefined, how: How): SchemaChange[] {
  const before = old === undefined ? new Map<string, Found>() : membersOf(old, 'content', how.sides.before);
  const after = now === undefined ? new Map<string, Found>() : membersOf(now, 'content', how.sides.after);
  // A body may be sent in more ways than before: that widens what goes in as well as what comes out.
  const rules = ['media-type-added', 'media-type-removed'] as const;
  return [
    ...[...after].flatMap(([mediaType, { pointer, value }]) => {
      const counterpart = before.get(mediaType);
      if (counterpart !== undefined) return diffSchemas(counterpart, { pointer, value }, how);
      return [changeOf(rules[0], how.direction, { pointer, after: mediaType })];
    }),
    ...[...before]
      .filter(([mediaType]) => !after.has(mediaType))
      .map(([mediaType, { pointer }]) => changeOf(rules[1], how.direction, { pointer, before: mediaType })),
  ];
}

function diffSchemas(old: Found, now: Found, { sides, direction }: How): SchemaChange[] {
  const at = ({ value, pointer }: Found): Located => ({
    schema: value['schema'] ?? true,
    pointer: `${pointer}/schema`,
  });
  return compareSchemas({ ...at(old), root: sides.before }, { ...at(now), root: sides.after }, direction);
}

function securityOf({ value }: Operation, root: JsonObject): JsonValue {
  return value['security'] ?? root['security'] ?? [];
}

function operationsOf(root: JsonObject): Map<string, Operation> {
  const paths = membersOf({ value: root, pointer: '' }, 'paths', root);
  return new Map(
    [...paths].flatMap(([path, item]) =>
      methods.flatMap((method): [string, Operation][] => {
        const operation = member(item, method, root);
        if (operation === undefined) return [];
        const parameters = new Map([...parametersOf(item, root), ...parametersOf(operation, root)]);
        return [[`${method.toUpperCase()} ${path}`, { ...operation, parameters }]];
      }),
    ),
  );
}

function parametersOf(holder: Found, root: JsonObject): Map<string, Found> {
  const list = holder.value['parameters'];
  return new Map(
    (Array.isArray(list) ? list : []).flatMap((value, index): [string, Found][] => {
      const found = follow(
        { schema: value, pointer: child({ schema: null, pointer: holder.pointer }, 'parameters', index) },
        root,
      );
      return found === undefined ? [] : [[`${String(found.value['in'])} ${String(found.value['name'])}`, found]];
    }),
  );
}

function membersOf(holder: Found, key: string, root: JsonObject): Map<string, Found> {
  const value = holder.value[key];
  return new Map(
    Object.entries(isJsonObject(value) ? value : {}).flatMap(([name, schema]): [string, Found][] => {
      const found = follow({ schema, pointer: child({ schema: null, pointer: holder.pointer }, key, name) }, root);
      return found === undefined ? [] : [[name, found]];
    }),
  );
}

function member(holder: Found, key: string, root: JsonObject): Found | undefined {
  return follow(
    { schema: holder.value[key] ?? null, pointer: child({ schema: null, pointer: holder.pointer }, key) },
    root,
  );
}

function follow(start: Located, root: JsonObject): Found | undefined {
  let { schema: value, pointer } = start;
  for (let hops = 0; hops < 10 && isJsonObject(value); hops++) {
    const reference: JsonValue | undefined = value['$ref'];
    if (typeof reference !== 'string') return { value, pointer };
    pointer = reference.replace(/^#/, '');
    value = resolvePointer(root, pointer) ?? null;
  }
  return undefined;
}
