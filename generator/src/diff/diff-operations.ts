import {
  type FoundObject,
  findMember,
  findMembers,
  isJsonObject,
  type JsonValue,
  methods,
  nameParameter,
  readEssence,
} from '../../../specs/src/index.ts';
import type { IsOver } from '../deadline.ts';
import { type Comparison, compareSchemas, createComparison } from './compare-schemas.ts';
import { childPointer, locate, type ShippedDocument } from './documents.ts';
import {
  type ChangeRuleId,
  classify,
  type Direction,
  diffByName,
  isSameJson,
  type SchemaChange,
  withoutRepetition,
} from './schema-change.ts';

type Documents = { readonly old: ShippedDocument; readonly now: ShippedDocument };
type Call = Documents & { readonly comparison: Comparison };
/** An operation of an OpenAPI document, and the path that holds it. */
type Operation = FoundObject & { readonly path?: FoundObject };

/** The changes between the calls of two models' `schema.json`; none if one of them has no operation. */
export function diffModelOperations(documents: Documents, isOver: IsOver): SchemaChange[] {
  const find = ({ root }: ShippedDocument) => findMember(root, { value: root, pointer: '' }, 'operation');
  const [old, now] = [find(documents.old), find(documents.now)];
  return old === undefined || now === undefined ? [] : diffOperation(old, now, documents, isOver);
}

/** The changes between two OpenAPI documents for a caller, operation by operation. */
export function diffOperations(
  old: ShippedDocument,
  now: ShippedDocument,
  isOver: IsOver = () => false,
): SchemaChange[] {
  if (isSameJson(old.exact, now.exact)) return [];
  const changes = diffByName(listOperations(old), listOperations(now), {
    removed: changeAs('operation-removed', 'input'),
    added: changeAs('operation-added', 'input'),
    both: (before, after) => diffOperation(before, after, { old, now }, isOver),
  });
  // Many operations refer to the same component.
  return withoutRepetition(changes);
}

/** By method and path. */
function listOperations({ root }: ShippedDocument): Map<string, Operation> {
  const paths = findMembers(root, { value: root, pointer: '' }, 'paths');
  const operations = [...paths].flatMap(([name, path]) =>
    methods.flatMap((method): [string, Operation][] => {
      const operation = findMember(root, path, method);
      return operation === undefined ? [] : [[`${method.toUpperCase()} ${name}`, { ...operation, path }]];
    }),
  );
  return new Map(operations);
}

function changeAs(rule: ChangeRuleId, direction: Direction): (subject: string, at: FoundObject) => SchemaChange {
  return (subject, { pointer }) => classify(rule, direction, { pointer, subject });
}

function diffOperation(before: Operation, after: Operation, { old, now }: Documents, isOver: IsOver): SchemaChange[] {
  const call = { old, now, comparison: createComparison(old.root, false, { isOver }) };
  const [wasNamed, isNamed] = [before.value['operationId'], after.value['operationId']];
  const named = { pointer: after.pointer, before: wasNamed, after: isNamed };
  const [oldBody, body] = [findMember(old.root, before, 'requestBody'), findMember(now.root, after, 'requestBody')];
  return [
    ...(wasNamed === isNamed ? [] : [classify('operation-renamed', 'input', named)]),
    ...diffSecurity(before, after, call),
    ...diffByName(listParameters(before, old), listParameters(after, now), {
      removed: changeAs('parameter-removed', 'input'),
      added: (name, one) =>
        changeAs(`parameter-added-${isRequired(one) ? 'required' : 'optional'}`, 'input')(name, one),
      both: (before, after, field) => diffParameter(before, after, field, call),
    }),
    ...diffRequired(oldBody, body, 'body'),
    ...diffContents(oldBody, body, 'input', call),
    ...diffByName(...listResponses(before, after, call), {
      removed: (status, one) =>
        changeAs(status.startsWith('2') ? 'success-response-removed' : 'response-removed', 'output')(status, one),
      added: changeAs('response-added', 'output'),
      both: (before, after) => diffResponse(before, after, call),
    }),
  ];
}

// A parameter of the operation replaces one of the path.
function listParameters(operation: Operation, { root }: ShippedDocument): Map<string, FoundObject> {
  const holders = [operation.path, operation];
  const parameters = holders.flatMap((holder) => [...findMembers(root, holder, 'parameters').values()]);
  return new Map(parameters.map((one) => [nameParameter(one), one]));
}

function diffParameter(before: FoundObject, after: FoundObject, field: string, call: Call): SchemaChange[] {
  const keys = ['style', 'explode', 'allowReserved', 'mediaType'];
  const readEncoding = ({ value }: FoundObject): { [key: string]: JsonValue } =>
    Object.fromEntries(Object.entries(value).filter(([key]) => keys.includes(key)));
  const encoding = { before: readEncoding(before), after: readEncoding(after) };
  const facts = { pointer: after.pointer, subject: field, ...encoding };
  return [
    ...diffRequired(before, after, 'parameter'),
    ...(isSameJson(encoding.before, encoding.after) ? [] : [classify('parameter-rewritten', 'input', facts)]),
    ...diffSchemas(before, after, { direction: 'input', field }, call),
  ];
}

function isRequired(found: FoundObject | undefined): boolean {
  return found?.value['required'] === true;
}

function diffRequired(
  before: FoundObject | undefined,
  after: FoundObject | undefined,
  kind: 'parameter' | 'body',
): SchemaChange[] {
  const at = after ?? before;
  if (at === undefined || isRequired(before) === isRequired(after)) return [];
  const facts = { pointer: at.pointer, subject: kind === 'parameter' ? nameParameter(at) : undefined };
  return [classify(`${kind}-became-${isRequired(after) ? 'required' : 'optional'}`, 'input', facts)];
}

function diffSecurity({ value: old }: Operation, { value: now, pointer }: Operation, call: Call): SchemaChange[] {
  const before = old['security'] ?? call.old.root['security'] ?? [];
  const after = now['security'] ?? call.now.root['security'] ?? [];
  const [ways, waysNow] = [listWays(before), listWays(after)];
  const fits = (one: readonly string[], others: readonly string[][]): boolean =>
    others.some((way) => way.every((part) => one.includes(part)));
  const stillWork = ways.every((way) => fits(way, waysNow));
  if (stillWork && waysNow.every((way) => fits(way, ways))) return [];
  return [classify(stillWork ? 'security-loosened' : 'security-changed', 'input', { pointer, before, after })];
}

/** Each way to be authorised as its schemes, each with its scopes. An empty list means that no credential is needed. */
function listWays(security: JsonValue): string[][] {
  const ways = Array.isArray(security) ? security.filter(isJsonObject) : [];
  if (ways.length === 0) return [[]];
  return ways.map((way) =>
    Object.entries(way).flatMap(([name, scopes]) => {
      // Names of headers and of HTTP schemes ignore case.
      const scheme = /^(?:http|apiKey header) /.test(name) ? name.toLowerCase() : name;
      return [scheme, ...(Array.isArray(scopes) ? scopes : []).map((scope) => `${scheme} ${JSON.stringify(scope)}`)];
    }),
  );
}

type Responses = Map<string, FoundObject>;

/** By status. `2XX` and `200` are of the same responses. */
function listResponses(before: Operation, after: Operation, call: Call): [Responses, Responses] {
  const old = findMembers(call.old.root, before, 'responses');
  const now = findMembers(call.now.root, after, 'responses');
  for (const status of old.keys()) {
    const isAlike = (other: string): boolean => other[0] === status[0] && `${status}${other}`.includes('XX');
    const [, alike] = [...now].find(([other]) => isAlike(other)) ?? [];
    if (alike !== undefined && !now.has(status)) now.set(status, alike);
  }
  return [old, now];
}

function diffResponse(before: FoundObject, after: FoundObject, call: Call): SchemaChange[] {
  const [old, now] = [findMembers(call.old.root, before, 'headers'), findMembers(call.now.root, after, 'headers')];
  const headers = diffByName(old, now, {
    removed: changeAs('header-removed', 'output'),
    added: changeAs('header-added', 'output'),
    both: (was, is, name) => diffSchemas(was, is, { direction: 'output', field: `header ${name}` }, call),
  });
  return [...headers, ...diffContents(before, after, 'output', call)];
}

function diffContents(
  before: FoundObject | undefined,
  after: FoundObject | undefined,
  direction: Direction,
  call: Call,
): SchemaChange[] {
  const list = ({ root }: ShippedDocument, holder: FoundObject | undefined) => {
    const bodies = [...findMembers(root, holder, 'content')];
    return new Map(bodies.map(([type, body]) => [type, { ...body, hasSchema: 'schema' in body.value }]));
  };
  return diffMediaTypes(list(call.old, before), list(call.now, after), {
    direction,
    both: (was, is) => diffSchemas(was, is, { direction }, call),
  });
}

type Side = { readonly direction: Direction; readonly field?: string };

function diffSchemas(before: FoundObject, after: FoundObject, side: Side, call: Call): SchemaChange[] {
  const [was, is] = [locate(childPointer(before, 'schema'), call.old), locate(childPointer(after, 'schema'), call.now)];
  return compareSchemas([[was], [is]], side, call.comparison);
}

type Body = { readonly pointer: string; readonly hasSchema: boolean };

/** Compares a body by its media types without parameters: a character set changes nothing for clients. */
export function diffMediaTypes<T extends Body>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  { direction, both }: { direction: Direction; both: (old: T, now: T, essence: string) => readonly SchemaChange[] },
): SchemaChange[] {
  const index = (types: ReadonlyMap<string, T>): Map<string, T> =>
    new Map([...types].map(([type, one]) => [readEssence(type), one]));
  const [old, now] = [index(before), index(after)];
  const [first] = now.values();
  if (first !== undefined && old.size > 0 && [...now.keys()].every((type) => !old.has(type))) {
    const name = (bodies: ReadonlyMap<string, T>): string[] =>
      [...bodies].map(([type, { hasSchema }]) =>
        type === 'application/json' && hasSchema ? `${type} with a schema` : type,
      );
    const facts = { pointer: first.pointer, field: '', before: name(old), after: name(now) };
    const evidence = { isNarrower: !now.has('*/*'), isWider: !old.has('*/*'), isCompiled: false };
    return [classify('media-type-changed', direction, facts, evidence)];
  }
  return diffByName(old, now, {
    removed: (type, { pointer }) => classify('media-type-removed', direction, { pointer, field: '', before: type }),
    added: (type, { pointer }) => classify('media-type-added', direction, { pointer, field: '', after: type }),
    both,
  });
}
