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
import { type Comparison, compareSchemas, createComparison } from './compare-schemas.ts';
import { childPointer, locate, openDocument, type Place, type ShippedDocument } from './documents.ts';
import {
  type ChangeRuleId,
  classify,
  type Direction,
  diffByName,
  isSameJson,
  type SchemaChange,
  withoutRepetition,
} from './schema-change.ts';

/** An object of a document, with its reference followed. */
type Found = FoundObject & { readonly document: ShippedDocument };
type FoundOperation = Found & { readonly parameters: ReadonlyMap<string, Found> };

/** What changed between the calls of two models' `schema.json`; nothing where one of them does not say. */
export function diffModelOperations(before: ShippedDocument, after: ShippedDocument, isOver: IsOver): SchemaChange[] {
  const [old, now] = [before, after].map((document) =>
    readMember({ value: document.root, pointer: '', document }, 'operation'),
  );
  if (old === undefined || now === undefined) return [];
  return diffOperation(withParameters(old), withParameters(now), isOver);
}

/** What changed between two OpenAPI documents for a caller, operation by operation. */
export function diffOperations(before: JsonObject, after: JsonObject, isOver: IsOver = () => false): SchemaChange[] {
  if (isSameJson(before, after)) return [];
  // Many operations refer to the same component.
  return withoutRepetition(
    diffByName(listOperations(openDocument(before)), listOperations(openDocument(after)), {
      removed: changeAs('operation-removed', 'input'),
      added: changeAs('operation-added', 'input'),
      both: (old, now) => diffOperation(old, now, isOver),
    }),
  );
}

function changeAs(rule: ChangeRuleId, direction: Direction): (subject: string, found: Found) => SchemaChange {
  return (subject, { pointer }) => classify(rule, direction, { pointer, subject });
}

function diffOperation(old: FoundOperation, now: FoundOperation, isOver: IsOver): SchemaChange[] {
  const comparison = createComparison(old.document.root, false, { isOver });
  const [oldBody, body] = [readMember(old, 'requestBody'), readMember(now, 'requestBody')];
  const [before, after] = [old.value['operationId'], now.value['operationId']];
  const renamed = classify('operation-renamed', 'input', { pointer: now.pointer, before, after });
  return [
    ...(before === after ? [] : [renamed]),
    ...diffSecurity(old, now),
    ...diffParameters(old, now, comparison),
    ...diffRequired(oldBody, body, 'body'),
    ...diffContents(oldBody, body, 'input', comparison),
    ...diffResponses(old, now, comparison),
  ];
}

function diffParameters(old: FoundOperation, now: FoundOperation, comparison: Comparison): SchemaChange[] {
  return diffByName(old.parameters, now.parameters, {
    removed: changeAs('parameter-removed', 'input'),
    added: (subject, parameter) =>
      changeAs(`parameter-added-${isRequired(parameter) ? 'required' : 'optional'}`, 'input')(subject, parameter),
    both: (before, after, field) => [
      ...diffRequired(before, after, 'parameter'),
      ...diffWriting(before, after),
      ...diffSchemas(before, after, { direction: 'input', field }, comparison),
    ],
  });
}

function diffWriting(old: Found, now: Found): SchemaChange[] {
  const keys = ['style', 'explode', 'allowReserved', 'mediaType'];
  const [before, after] = [old, now].map(({ value }) =>
    Object.fromEntries(Object.entries(value).filter(([key]) => keys.includes(key))),
  );
  const facts = { pointer: now.pointer, subject: nameParameter(now), before, after };
  return isSameJson(before, after) ? [] : [classify('parameter-rewritten', 'input', facts)];
}

function diffSecurity(old: Found, now: Found): SchemaChange[] {
  const [before, after] = [old, now].map(({ value, document }) => value['security'] ?? document.root['security'] ?? []);
  const [ways, waysNow] = [listWays(before), listWays(after)];
  const fits = (one: readonly string[], others: readonly string[][]): boolean =>
    others.some((way) => way.every((part) => one.includes(part)));
  const stillWork = ways.every((way) => fits(way, waysNow));
  if (stillWork && waysNow.every((way) => fits(way, ways))) return [];
  const rule = stillWork ? 'security-loosened' : 'security-changed';
  return [classify(rule, 'input', { pointer: now.pointer, before, after })];
}

/** Each way to be authorised as its schemes, each with its scopes; no way listed means that no credential is needed. */
function listWays(security: JsonValue | undefined): string[][] {
  const ways = Array.isArray(security) ? security.filter(isJsonObject) : [];
  if (ways.length === 0) return [[]];
  return ways.map((way) =>
    Object.entries(way).flatMap(([name, scopes]) => {
      // Names of headers and of schemes of HTTP have no case.
      const scheme = /^(?:http|apiKey header) /.test(name) ? name.toLowerCase() : name;
      return [scheme, ...(Array.isArray(scopes) ? scopes : []).map((scope) => `${scheme} ${JSON.stringify(scope)}`)];
    }),
  );
}

function isRequired(found: Found | undefined): boolean {
  return found?.value['required'] === true;
}

function diffRequired(old: Found | undefined, now: Found | undefined, kind: 'parameter' | 'body'): SchemaChange[] {
  const at = now ?? old;
  if (at === undefined || isRequired(old) === isRequired(now)) return [];
  const facts = { pointer: at.pointer, subject: kind === 'parameter' ? nameParameter(at) : undefined };
  return [classify(`${kind}-became-${isRequired(now) ? 'required' : 'optional'}`, 'input', facts)];
}

function diffResponses(old: FoundOperation, now: FoundOperation, comparison: Comparison): SchemaChange[] {
  const [before, after] = [listMembers(old, 'responses'), listMembers(now, 'responses')];
  for (const status of before.keys()) {
    // `2XX` and `200` are of the same responses.
    const isAlike = (other: string): boolean => other[0] === status[0] && `${status}${other}`.includes('XX');
    const [, alike] = [...after].find(([other]) => isAlike(other)) ?? [];
    if (alike !== undefined && !after.has(status)) after.set(status, alike);
  }
  return diffByName(before, after, {
    removed: (status, response) =>
      changeAs(status.startsWith('2') ? 'success-response-removed' : 'response-removed', 'output')(status, response),
    added: changeAs('response-added', 'output'),
    both: (before, after) => [
      ...diffHeaders(before, after, comparison),
      ...diffContents(before, after, 'output', comparison),
    ],
  });
}

function diffHeaders(old: Found, now: Found, comparison: Comparison): SchemaChange[] {
  return diffByName(listMembers(old, 'headers'), listMembers(now, 'headers'), {
    removed: changeAs('header-removed', 'output'),
    added: changeAs('header-added', 'output'),
    both: (before, after, name) =>
      diffSchemas(before, after, { direction: 'output', field: `header ${name}` }, comparison),
  });
}

function diffContents(
  old: Found | undefined,
  now: Found | undefined,
  direction: Direction,
  comparison: Comparison,
): SchemaChange[] {
  const list = (holder: Found | undefined) => {
    const bodies = listMembers(holder, 'content');
    return new Map([...bodies].map(([type, body]) => [type, { ...body, hasSchema: 'schema' in body.value }]));
  };
  return diffMediaTypes(list(old), list(now), {
    direction,
    both: (before, after) => diffSchemas(before, after, { direction }, comparison),
  });
}

function diffSchemas(
  old: Found,
  now: Found,
  side: { direction: Direction; field?: string },
  comparison: Comparison,
): SchemaChange[] {
  const locateSchema = (found: Found): Place => [locate(childPointer(found, 'schema'), found.document)];
  return compareSchemas([locateSchema(old), locateSchema(now)], side, comparison);
}

function listOperations(document: ShippedDocument): Map<string, FoundOperation> {
  const paths = listMembers({ value: document.root, pointer: '', document }, 'paths');
  return new Map(
    [...paths].flatMap(([path, item]) =>
      methods.flatMap((method): [string, FoundOperation][] => {
        const operation = readMember(item, method);
        if (operation === undefined) return [];
        return [[`${method.toUpperCase()} ${path}`, withParameters(operation, item)]];
      }),
    ),
  );
}

// A parameter of the operation replaces one of the path.
function withParameters(operation: Found, item?: Found): FoundOperation {
  const parameters = [item, operation].flatMap((holder) => [...listMembers(holder, 'parameters').values()]);
  return { ...operation, parameters: new Map(parameters.map((one) => [nameParameter(one), one])) };
}

/** The members of an object or array, those that are objects. */
function listMembers(holder: Found | undefined, key: string): Map<string, Found> {
  if (holder === undefined) return new Map();
  const { document } = holder;
  return new Map([...findMembers(document.root, holder, key)].map(([name, found]) => [name, { ...found, document }]));
}

function readMember(holder: Found, key: string): Found | undefined {
  const found = findMember(holder.document.root, holder, key);
  return found && { ...found, document: holder.document };
}

/** A body in one of several media types, by its essence: parameters such as the character set change nothing for clients. */
export function diffMediaTypes<T extends Body>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  { direction, both }: { direction: Direction; both: (old: T, now: T, essence: string) => readonly SchemaChange[] },
): SchemaChange[] {
  const [old, now] = [before, after].map((types) => new Map([...types].map(([type, one]) => [readEssence(type), one])));
  if (old === undefined || now === undefined) return [];
  const [first] = now.values();
  if (first !== undefined && old.size > 0 && [...now.keys()].every((type) => !old.has(type))) {
    const covers = (some: ReadonlyMap<string, T>, others: ReadonlyMap<string, T>): boolean =>
      some.has('*/*') || [...others].every(([type]) => some.has(type));
    const facts = { pointer: first.pointer, field: '', before: nameBodies(old), after: nameBodies(now) };
    const evidence = { isNarrower: !covers(now, old), isWider: !covers(old, now), isCompiled: false };
    return [classify('media-type-changed', direction, facts, evidence)];
  }
  return diffByName(old, now, {
    removed: (type, { pointer }) => classify('media-type-removed', direction, { pointer, field: '', before: type }),
    added: (type, { pointer }) => classify('media-type-added', direction, { pointer, field: '', after: type }),
    both,
  });
}

type Body = { readonly pointer: string; readonly hasSchema: boolean };

function nameBodies(bodies: ReadonlyMap<string, Body>): string[] {
  return [...bodies].map(([type, { hasSchema }]) =>
    type === 'application/json' && hasSchema ? `${type} with a schema` : type,
  );
}
