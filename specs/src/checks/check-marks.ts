import type { JsonValue } from '../json.ts';
import { walkDocument } from './document-walk.ts';
import type { CheckedDocument, CheckResult, SpecProblem } from './problem.ts';

export type KnownIds = { requirements: ReadonlySet<string>; assumptions: ReadonlySet<string> };

/** Every id under `x-requirements` stands in the register, every one under `x-assumption` in the list of assumptions. */
export function checkMarks({ name, content }: CheckedDocument, known: KnownIds): CheckResult {
  const problems: SpecProblem[] = [];
  let seen = 0;
  const report = (place: string, message: string) => problems.push({ check: 'marks', document: name, place, message });
  const judge = (mark: JsonValue, ids: ReadonlySet<string>, place: string): void => {
    const list = Array.isArray(mark) ? mark : [mark];
    if (list.length === 0) report(place, 'names nothing');
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
        judge(requirements, known.requirements, `${pointer}/x-requirements`);
      }
      if (assumption !== undefined) judge(assumption, known.assumptions, `${pointer}/x-assumption`);
    },
  });
  return { problems, seen };
}
