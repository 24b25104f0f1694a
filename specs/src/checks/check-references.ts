import { isJsonObject, type JsonObject } from '../json.ts';
import { followReference } from '../references.ts';
import { walkDocument } from './document-walk.ts';
import type { CheckedDocument, CheckResult, SpecProblem } from './problem.ts';

/** Every `$ref` stays in the document and leads somewhere; every link names an operation that exists. */
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
