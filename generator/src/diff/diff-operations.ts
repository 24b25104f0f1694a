import {
  type FoundObject,
  findMember,
  findMembers,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  methods,
  nameParameter,
  readEssence,
} from '../../../specs/src/index.ts';
import type { IsOver } from '../deadline.ts';
import { type Change, type Direction, isSameJson, makeChange } from './change.ts';
import { type Comparison, compareSchemas, createComparison } from './compare-schemas.ts';
import { childPointer, locateSchema, type ShippedDocument } from './documents.ts';
import { describeValueChange, quote } from './words.ts';

type Documents = { readonly old: ShippedDocument; readonly now: ShippedDocument; readonly isOver: IsOver };
type Call = Omit<Documents, 'isOver'> & { readonly comparison: Comparison };
/** An operation of an OpenAPI document, and the path item that contains it. */
type Operation = FoundObject & { readonly path?: FoundObject };
/** A compared part of an operation: a parameter, a security requirement, a response, a header, or a body. */
type OperationPart = FoundObject & {
  readonly label: string;
  /** True for the body of a media type, whose members are named in messages. */
  readonly isBody?: boolean;
  /** True if adding the part breaks callers: it is required, or clients may not expect it in a response. */
  readonly breaksWhenAdded?: boolean;
  /** True for an error response. Removing it breaks nothing, because callers must expect any failure. */
  readonly isFailure?: boolean;
  /** The `operationId`, or how a parameter is serialized. Calls break if it changes. */
  readonly comparedValue?: JsonValue;
  readonly inner?: OperationParts;
};
/** Parts by kind and name. */
type OperationParts = ReadonlyMap<string, OperationPart>;

/** Returns the changes between the operations in two models' `schema.json`; none if one of them has no operation. */
export function diffModelOperations(old: ShippedDocument, now: ShippedDocument, isOver: IsOver): Change[] {
  const [before, after] = [old, now].map(({ root }) => findMember(root, { value: root, pointer: '' }, 'operation'));
  return before === undefined || after === undefined ? [] : diffOperation(before, after, { old, now, isOver });
}

/** Returns the changes between two OpenAPI documents for a caller, operation by operation. */
export function diffOperations(old: ShippedDocument, now: ShippedDocument, isOver: IsOver = () => false): Change[] {
  if (isSameJson(old.exact, now.exact)) return [];
  const [before, after] = [indexOperations(old), indexOperations(now)];
  const changes = [...before].flatMap(([name, { pointer }]) =>
    after.has(name) ? [] : [makeChange('operation-removed', 'input', { pointer })],
  );
  for (const [name, is] of after) {
    const was = before.get(name);
    if (was === undefined) changes.push(makeChange('operation-added', 'input', { pointer: is.pointer }));
    else changes.push(...diffOperation(was, is, { old, now, isOver }));
  }
  // Many operations refer to the same component.
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
}

/** Returns operations by method and path. */
function indexOperations({ root }: ShippedDocument): Map<string, Operation> {
  const paths = findMembers(root, { value: root, pointer: '' }, 'paths');
  const operations = [...paths].flatMap(([name, path]) =>
    methods.flatMap((method): [string, Operation][] => {
      const operation = findMember(root, path, method);
      return operation === undefined ? [] : [[`${method} ${name}`, { ...operation, path }]];
    }),
  );
  return new Map(operations);
}

function diffOperation(before: Operation, after: Operation, { old, now, isOver }: Documents): Change[] {
  const call = { old, now, comparison: createComparison(old.root, false, { isOver }) };
  return [
    ...diffParts(listRequestParts(before, old), listRequestParts(after, now), 'input', call),
    ...diffParts(listResponses(before, old), listResponses(after, now), 'output', call),
  ];
}

function listRequestParts(operation: Operation, { root }: ShippedDocument): OperationParts {
  const { operationId, security = root['security'] ?? [] } = operation.value;
  const parts = new Map<string, OperationPart>();
  if (operationId !== undefined)
    parts.set('operationId', { ...operation, label: 'operationId', comparedValue: operationId });
  const ways = Array.isArray(security) ? security.filter(isJsonObject) : [];
  for (const listed of ways.length === 0 ? [{}] : ways) {
    const schemes = Object.entries(listed).map(([name, scopes]) => {
      // Names of headers and of HTTP schemes are case-insensitive.
      const scheme = /^(?:http|apiKey header) /.test(name) ? name.toLowerCase() : name;
      return [scheme, ...[scopes].flat().map(String).sort()].join(' ');
    });
    const way = schemes.sort().join(' with ') || 'none';
    parts.set(`credential ${way}`, { ...operation, label: `credential ${quote(way)}` });
  }
  // Path item first: a parameter of the operation replaces the path item's parameter with the same name.
  for (const holder of [operation.path, operation])
    for (const one of findMembers(root, holder, 'parameters').values()) {
      const { required, style, explode, allowReserved, mediaType } = one.value;
      const comparedValue = JSON.parse(JSON.stringify({ style, explode, allowReserved, mediaType }));
      const name = nameParameter(one);
      const label = `parameter ${quote(name)}`;
      parts.set(`parameter ${name}`, { ...one, label, breaksWhenAdded: required === true, comparedValue });
    }
  const body = findMember(root, operation, 'requestBody');
  if (body === undefined) return parts;
  const breaksWhenAdded = body.value['required'] === true;
  const inner = new Map(listBodies(root, body, false));
  return parts.set('request body', { ...body, label: 'request body', breaksWhenAdded, inner });
}

function listResponses(operation: Operation, { root }: ShippedDocument): OperationParts {
  const responses = [...findMembers(root, operation, 'responses')].map(
    ([status, response]): [string, OperationPart] => {
      const headers = [...findMembers(root, response, 'headers')].map(([name, header]): [string, OperationPart] => {
        return [`header ${name}`, { ...header, label: `response header ${quote(name)}` }];
      });
      const inner = new Map([...headers, ...listBodies(root, response, true)]);
      return [status, { ...response, label: `response ${quote(status)}`, isFailure: !status.startsWith('2'), inner }];
    },
  );
  return new Map(responses);
}

/** Returns the bodies by media type without parameters, because a character set doesn't affect clients. */
function listBodies(root: JsonObject, holder: FoundObject, breaksWhenAdded: boolean): [string, OperationPart][] {
  return [...findMembers(root, holder, 'content')].map(([mediaType, body]) => {
    const essence = readEssence(mediaType);
    return [`media type ${essence}`, { ...body, label: `media type ${quote(essence)}`, isBody: true, breaksWhenAdded }];
  });
}

/**
 * Compares parts of an operation. Only schemas are compared in detail. For any other difference, the change names the
 * part and says whether it breaks calls.
 */
function diffParts(old: OperationParts, now: OperationParts, direction: Direction, call: Call): Change[] {
  const changes: Change[] = [];
  const add = (isBroken: boolean, { pointer }: OperationPart, message: string): unknown =>
    changes.push(makeChange(isBroken ? 'operation-changed' : 'operation-extended', direction, { pointer, message }));
  for (const [key, part] of old) if (!now.has(key)) add(part.isFailure !== true, part, `${part.label} removed`);
  for (const [key, is] of now) {
    const was = old.get(key);
    const { label, breaksWhenAdded = false } = is;
    if (was === undefined) {
      add(breaksWhenAdded, is, `${breaksWhenAdded && direction === 'input' ? 'required ' : ''}${label} added`);
      continue;
    }
    if (!isSameJson(was.comparedValue, is.comparedValue))
      add(true, is, describeValueChange(label, was.comparedValue, is.comparedValue));
    if (was.breaksWhenAdded !== is.breaksWhenAdded)
      add(breaksWhenAdded, is, `${label} became ${breaksWhenAdded ? 'required' : 'optional'}`);
    if ((was.value['schema'] ?? is.value['schema']) !== undefined) {
      const [before, after] = [childPointer(was, 'schema'), childPointer(is, 'schema')];
      const schemas = { old: [locateSchema(before, call.old)], now: [locateSchema(after, call.now)] };
      const found = compareSchemas(schemas, direction, call.comparison);
      const withPart = (one: Change): Change => ({ ...one, field: undefined, message: `${label}: ${one.message}` });
      changes.push(...(is.isBody ? found : found.map(withPart)));
    }
    if (was.inner && is.inner) changes.push(...diffParts(was.inner, is.inner, direction, call));
  }
  return changes;
}
