import { readOperations } from '../documents/operations.ts';
import { isSchema, parseDocument, type Schema } from '../documents/read-document.ts';
import { followReference } from '../documents/references.ts';
import { documentNames, type EffectiveSpecs } from '../effective-specs.ts';
import { SpecError } from '../errors.ts';
import { asObject, formatPointer, isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { readChoices, readRequirements } from '../requirements/requirements.ts';
import { compileSchema } from '../schema/schema-check.ts';
import { partKeywords } from '../schema/schema-parts.ts';
import { type Brand, brandedHeaders, brandedKeys, dataKeys, defaultBrand } from '../settings.ts';

/** A problem in a document: the check that found it, and its location (`place`) as a JSON pointer. */
type SpecProblem = { check: string; document: string; place: string; message: string };
/** The result of `specs check`. `counts`: the number of locations that each check has examined. */
export type SpecsCheckReport = { problems: readonly SpecProblem[]; counts: Record<string, number> };

/** Checks both effective documents against the register of requirements. Throws SpecError if they can't be read. */
export async function checkSpecs(specs: EffectiveSpecs): Promise<SpecsCheckReport> {
  const requirements = new Set(readRequirements().map(({ id }) => id));
  const assumptions = new Set(readChoices().map(({ id }) => id));
  const problems: SpecProblem[] = [];
  const counts: Record<string, number> = { requirements: requirements.size, assumptions: assumptions.size };
  for (const key of ['modelRouter', 'workflowExecution'] as const) {
    const document = documentNames[key];
    const content = specs[key];
    for (const [check, run] of Object.entries(checks)) {
      counts[check] ??= 0;
      await run({
        name: document,
        content,
        brand: specs.settings.brand,
        known: { requirements, assumptions },
        count: () => {
          counts[check] = (counts[check] ?? 0) + 1;
        },
        report: (place, message) => problems.push({ check, document, place, message }),
      });
    }
  }
  return { problems, counts };
}

/** A document to check. */
type CheckedDocument = {
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

const checks: Record<string, (document: CheckedDocument) => void | Promise<void>> = {
  operations: checkOperations,
  validity: checkValidity,
  references: checkReferences,
  examples: checkExamples,
  marks: checkMarks,
  brand: checkBrand,
};

/** Checks that the other modules can read the document's operations. */
function checkOperations({ name, content, count, report }: CheckedDocument): void {
  try {
    for (const _ of readOperations('model-router', parseDocument(content, name))) count();
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    report(error.place ?? '', error.message);
  }
}

/** Checks the document against the OpenAPI schema. */
async function checkValidity({ content, count, report }: CheckedDocument): Promise<void> {
  const { default: SwaggerParser } = await import('@apidevtools/swagger-parser');
  count();
  try {
    // The library replaces references in place, so it gets a copy. Its types only accept its own parsed documents.
    await SwaggerParser.validate(structuredClone(content) as never, { resolve: { external: false } });
  } catch (error) {
    report('', error instanceof Error ? error.message : String(error));
  }
}

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
function checkReferences({ content, count, report }: CheckedDocument): void {
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
function checkMarks({ content, known, count, report }: CheckedDocument): void {
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
function checkBrand({ content, brand, count, report }: CheckedDocument): void {
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
function checkExamples({ content, count, report }: CheckedDocument): void {
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
