import { isSchema, type Schema } from '../documents/read-document.ts';
import { followReference } from '../documents/references.ts';
import { SpecError } from '../errors.ts';
import { asObject, formatPointer, isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { compileSchema } from '../schema/schema-check.ts';
import { partKeywords } from '../schema/schema-parts.ts';
import { type Brand, brandedHeaders, brandedKeys, dataKeys, defaultBrand } from '../settings.ts';

/** A document to check. */
export type CheckedDocument = {
  name: string;
  content: JsonObject;
  brand: Brand;
  /** Ids that the document may refer to. */
  known: { requirements: ReadonlySet<string>; assumptions: ReadonlySet<string> };
  /** Counts an examined location. A check that examines nothing is an error. */
  count: () => void;
  /** Reports a problem; `place` is a JSON pointer. */
  report: (place: string, message: string) => void;
};

type Path = readonly (string | number)[];
type Kind = 'part' | 'schema' | 'schemas-by-name';
type DocumentNode = { node: JsonObject; pointer: string; isSchema: boolean };

/** Yields every object of an OpenAPI description in document order, except objects inside examples. */
export function* walkDocument(value: JsonValue, path: Path = [], kind: Kind = 'part'): Generator<DocumentNode> {
  if (Array.isArray(value))
    for (const [index, inner] of value.entries()) yield* walkDocument(inner, [...path, index], kind);
  if (!isJsonObject(value)) return;
  if (kind !== 'schemas-by-name') yield { node: value, pointer: formatPointer(path), isSchema: kind === 'schema' };
  for (const [key, inner] of Object.entries(value)) {
    const inside = kindOfMember(key, path, kind);
    if (inside !== undefined) yield* walkDocument(inner, [...path, key], inside);
  }
}

function kindOfMember(key: string, path: Path, kind: Kind): Kind | undefined {
  if (kind === 'schemas-by-name') return 'schema';
  if (kind === 'schema') {
    const [, shape] = partKeywords.find(([keyword]) => keyword === key) ?? [];
    if (key === '$defs' || shape === 'by-name') return 'schemas-by-name';
    return shape === undefined ? undefined : 'schema';
  }
  if (key === 'schema') return 'schema';
  if (key === 'schemas' && path.join() === 'components') return 'schemas-by-name';
  // In `responses`, `default` is a response and not data.
  return dataKeys.has(key) && path.at(-1) !== 'responses' ? undefined : 'part';
}

/** Checks that every `$ref` resolves inside the document, and that the operation of every link exists. */
export function checkReferences({ content, count, report }: CheckedDocument): void {
  const items = Object.values(asObject(content['paths'])).flatMap((item) => Object.values(asObject(item)));
  const operations = new Set<unknown>(items.map((operation) => asObject(operation)['operationId']));
  for (const { node, pointer } of walkDocument(content)) {
    if (typeof node['$ref'] === 'string') {
      count();
      const { problem } = followReference(content, node);
      if (problem !== undefined) report(pointer, problem);
    }
    const linked = /\/links\/[^/]+$/.test(pointer) ? node['operationId'] : undefined;
    if (typeof linked === 'string' && !operations.has(linked)) report(pointer, `no operation is called ${linked}`);
  }
}

/** Checks that every id under `x-requirements` and `x-assumption` is in the register. */
export function checkMarks({ content, known, count, report }: CheckedDocument): void {
  const checkMark = (mark: JsonValue, ids: ReadonlySet<string>, place: string): void => {
    const list = Array.isArray(mark) ? mark : [mark];
    if (list.length === 0) report(place, 'is empty');
    if (new Set(list).size < list.length) report(place, 'lists an id twice');
    for (const id of list) {
      count();
      if (typeof id !== 'string' || !ids.has(id)) report(place, `${JSON.stringify(id)} is not known`);
    }
  };
  for (const { node, pointer } of walkDocument(content)) {
    const { 'x-requirements': requirements, 'x-assumption': assumption } = node;
    if (requirements !== undefined) {
      if (!Array.isArray(requirements)) report(`${pointer}/x-requirements`, 'must be a list');
      checkMark(requirements, known.requirements, `${pointer}/x-requirements`);
    }
    if (assumption !== undefined) checkMark(assumption, known.assumptions, `${pointer}/x-assumption`);
  }
}

// MR-GEN-01.
const suffixes = [...brandedHeaders, ...brandedKeys].join('|');
const brandedName = new RegExp(`(?<![A-Za-z0-9])x-([a-z0-9-]+?)-(?:${suffixes})(?![A-Za-z0-9])`, 'gi');

/** Checks that all names of headers and extensions, in keys and texts, have the document's own brand. */
export function checkBrand({ content, brand, count, report }: CheckedDocument): void {
  const checkText = (text: string, path: readonly string[]): void => {
    for (const [found, word = ''] of text.matchAll(brandedName)) {
      count();
      if (word.toLowerCase() !== brand.toLowerCase())
        report(formatPointer(path), `${found} does not have the brand ${brand}`);
    }
    if (brand !== defaultBrand && /(?<![a-z0-9])x-service-/i.test(text)) {
      report(formatPointer(path), `the default brand was not replaced in ${JSON.stringify(text)}`);
    }
  };
  const visit = (value: JsonValue, path: readonly string[]): void => {
    if (typeof value === 'string') checkText(value, path);
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      checkText(key, [...path, key]);
      visit(inner, [...path, key]);
    }
  };
  visit(content, []);
}

/** Checks that every example and every default is valid against its schema, including formats. */
export function checkExamples({ content, count, report }: CheckedDocument): void {
  for (const { node, pointer, isSchema: isOwn } of walkDocument(content)) {
    const schema = isOwn ? node : node['schema'];
    if (!isSchema(schema)) continue;
    // In a schema, `examples` is a list of values. In a parameter or media type, it has examples or references by name.
    const several = Object.entries(node['examples'] ?? {}).map(([name, entry]: [string, JsonValue]) => {
      const value = isOwn ? entry : asObject(followReference(content, entry).value)['value'];
      return [`/examples${formatPointer([name])}`, value] as const;
    });
    const single = [['/example', node['example']] as const, ['/default', isOwn ? node['default'] : undefined] as const];
    for (const [place, example] of [...single, ...several]) {
      if (example === undefined) continue;
      count();
      for (const message of listViolations(schema, example, content)) report(`${pointer}${place}`, message);
    }
  }
}

function listViolations(schema: Schema, example: JsonValue, root: JsonObject): string[] {
  try {
    const violations = compileSchema(schema, { root, formats: 'assert' })(example);
    return violations.map(({ pointer, message }) => (pointer === '' ? message : `${pointer} ${message}`));
  } catch (error) {
    if (error instanceof SpecError) return [error.message];
    throw error;
  }
}

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** Checks that a mock server can use the document: the dialect is set at the root, and headers can be sent. */
export function checkMockSuitability({ content, count, report }: CheckedDocument): void {
  count();
  if (content['jsonSchemaDialect'] !== dialect) report('/jsonSchemaDialect', `must be ${dialect}`);
  for (const { node, pointer } of walkDocument(content)) {
    if (!/^\/components$|\/responses\/[^/]+$/.test(pointer)) continue;
    for (const [name, header] of Object.entries(asObject(node['headers']))) {
      // A referenced header is checked at its definition.
      if (!isJsonObject(header) || header['$ref'] !== undefined) continue;
      count();
      const problem = headerProblem(content, header);
      if (problem !== undefined) report(`${pointer}/headers${formatPointer([name])}`, problem);
    }
  }
}

function headerProblem(root: JsonObject, header: JsonObject): string | undefined {
  if (header['content'] !== undefined) return 'a mock sends null for a header that is described by content';
  if (header['schema'] === undefined) return 'a header needs a schema';
  if (header['example'] === undefined && header['examples'] === undefined)
    return 'a mock sends null for a header without an example';
  const { type } = asObject(followReference(root, header['schema']).value);
  return type === 'array' ? 'a mock breaks on a header of type array' : undefined;
}
