import { followReference } from '../documents/references.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { type CheckedDocument, type CheckResult, type SpecProblem, walkDocument } from './checked-document.ts';

/** Every `$ref` resolves inside the document; every link names an operation that exists. */
export function checkReferences({ name, content }: CheckedDocument): CheckResult {
  const problems: SpecProblem[] = [];
  const operations = operationIds(content);
  let seen = 0;
  const report = (place: string, message: string) =>
    problems.push({ check: 'references', document: name, place, message });
  walkDocument(content, {
    object: (node, pointer) => {
      if (typeof node['$ref'] === 'string') {
        seen += 1;
        const followed = followReference(content, node);
        if (followed.kind === 'problem') report(pointer, followed.message);
      }
      const linked = /\/links\/[^/]+$/.test(pointer) ? node['operationId'] : undefined;
      if (typeof linked === 'string' && !operations.has(linked)) report(pointer, `no operation is called ${linked}`);
    },
  });
  return { problems, seen };
}

function operationIds(content: JsonObject): Set<unknown> {
  const items = isJsonObject(content['paths']) ? Object.values(content['paths']) : [];
  const operations = items.flatMap((item) => (isJsonObject(item) ? Object.values(item) : []));
  return new Set(operations.map((operation) => (isJsonObject(operation) ? operation['operationId'] : undefined)));
}

export type KnownIds = { requirements: ReadonlySet<string>; assumptions: ReadonlySet<string> };

/** Every id under `x-requirements` is in the register, every id under `x-assumption` in the list of assumptions. */
export function checkMarks({ name, content }: CheckedDocument, known: KnownIds): CheckResult {
  const problems: SpecProblem[] = [];
  let seen = 0;
  const report = (place: string, message: string) => problems.push({ check: 'marks', document: name, place, message });
  const checkMark = (mark: JsonValue, ids: ReadonlySet<string>, place: string): void => {
    const list = Array.isArray(mark) ? mark : [mark];
    if (list.length === 0) report(place, 'is empty');
    if (new Set(list).size < list.length) report(place, 'names an id twice');
    for (const id of list) {
      seen += 1;
      if (typeof id !== 'string' || !ids.has(id)) report(place, `${JSON.stringify(id)} is not known`);
    }
  };
  walkDocument(content, {
    object: (node, pointer) => {
      const { 'x-requirements': requirements, 'x-assumption': assumption } = node;
      if (requirements !== undefined) {
        if (!Array.isArray(requirements)) report(`${pointer}/x-requirements`, 'must be a list');
        checkMark(requirements, known.requirements, `${pointer}/x-requirements`);
      }
      if (assumption !== undefined) checkMark(assumption, known.assumptions, `${pointer}/x-assumption`);
    },
  });
  return { problems, seen };
}
