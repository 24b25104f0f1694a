import { followReference } from '../documents/references.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { type CheckedDocument, walkDocument } from './checked-document.ts';

/** Every `$ref` resolves inside the document; every link names an operation that exists. */
export function checkReferences({ content, count, report }: CheckedDocument): void {
  const operations = operationIds(content);
  walkDocument(content, {
    object: (node, pointer) => {
      if (typeof node['$ref'] === 'string') {
        count();
        const followed = followReference(content, node);
        if (followed.kind === 'problem') report(pointer, followed.message);
      }
      const linked = /\/links\/[^/]+$/.test(pointer) ? node['operationId'] : undefined;
      if (typeof linked === 'string' && !operations.has(linked)) report(pointer, `no operation is called ${linked}`);
    },
  });
}

function operationIds(content: JsonObject): Set<unknown> {
  const items = isJsonObject(content['paths']) ? Object.values(content['paths']) : [];
  const operations = items.flatMap((item) => (isJsonObject(item) ? Object.values(item) : []));
  return new Set(operations.map((operation) => (isJsonObject(operation) ? operation['operationId'] : undefined)));
}

/** Every id under `x-requirements` is in the register, every id under `x-assumption` in the list of assumptions. */
export function checkMarks({ content, known, count, report }: CheckedDocument): void {
  const checkMark = (mark: JsonValue, ids: ReadonlySet<string>, place: string): void => {
    const list = Array.isArray(mark) ? mark : [mark];
    if (list.length === 0) report(place, 'is empty');
    if (new Set(list).size < list.length) report(place, 'names an id twice');
    for (const id of list) {
      count();
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
}
