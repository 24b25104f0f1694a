import { followReference } from '../documents/references.ts';
import { asObject, formatPointer, type JsonObject, type JsonValue } from '../json.ts';
import { brandedHeaders, brandedKeys, defaultBrand } from '../settings.ts';
import { type CheckedDocument, walkDocument } from './checked-document.ts';

/** Checks that every `$ref` resolves inside the document, and that the operation of every link exists. */
export function checkReferences({ content, count, report }: CheckedDocument): void {
  const operations = operationIds(content);
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

function operationIds({ paths }: JsonObject): Set<unknown> {
  const operations = Object.values(asObject(paths)).flatMap((item) => Object.values(asObject(item)));
  return new Set(operations.map((operation) => asObject(operation)['operationId']));
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
