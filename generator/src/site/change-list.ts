import { cut } from '../diagnostics.ts';
import type { ModelDiff } from '../diff/diff-report.ts';
import { type SchemaChange, verdictOrder } from '../diff/schema-change.ts';

/** What changed in a model since the lockfile, the most severe change first. */
export type ModelChanges = ReturnType<typeof describeChanges>;

const mostLines = 200;
const longestText = 300;
/** As in the text of `diff`. */
const longestValue = 60;

export function changesByModel(models: readonly ModelDiff[]): ReadonlyMap<string, ModelChanges> {
  return new Map(models.map((model) => [model.id, describeChanges(model)]));
}

/** `formerId` is empty unless the model was renamed. */
function describeChanges({ id, kind, formerId = '', verdict, changes }: ModelDiff) {
  const sorted = changes.toSorted(
    (left, right) => verdictOrder.indexOf(left.verdict) - verdictOrder.indexOf(right.verdict),
  );
  const lines = sorted.slice(0, mostLines).map(describeChange);
  return { id, kind, formerId, verdict, lines, omitted: sorted.length - lines.length };
}

/** Values as JSON; both empty where neither side has one to show. */
function describeChange({ verdict, direction, message, pointer, before, after }: SchemaChange) {
  const values = [before, after].map((value) => (value === undefined ? 'nothing' : JSON.stringify(value)));
  const isShown = (before !== undefined || after !== undefined) && values.every((text) => text.length <= longestValue);
  const [old = '', now = ''] = isShown ? values : [];
  const texts = { message: cut(message, longestText), pointer: cut(pointer, longestText) };
  return { verdict, direction, ...texts, before: old, after: now };
}
