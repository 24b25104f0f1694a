import { cut } from '../diagnostics.ts';
import type { ModelDiff } from '../diff/diff-report.ts';
import { type SchemaChange, type Verdict, verdictOrder } from '../diff/schema-change.ts';

/** What changed in a model since the lockfile, the most severe change first. */
export type ModelChanges = {
  readonly id: string;
  readonly kind: ModelDiff['kind'];
  /** Empty unless the model was renamed. */
  readonly formerId: string;
  readonly verdict: Verdict;
  readonly lines: readonly ChangeLine[];
  readonly omitted: number;
};
export type ChangeLine = {
  readonly verdict: Verdict;
  readonly direction: SchemaChange['direction'];
  readonly message: string;
  readonly pointer: string;
  /** JSON; both empty where neither side has a value to show. */
  readonly before: string;
  readonly after: string;
};

const mostLines = 200;
const longestText = 300;
/** As in the text of `diff`. */
const longestValue = 60;

export function changesByModel(models: readonly ModelDiff[]): ReadonlyMap<string, ModelChanges> {
  return new Map(models.map((model) => [model.id, changesOf(model)]));
}

function changesOf({ id, kind, formerId = '', verdict, changes }: ModelDiff): ModelChanges {
  const sorted = changes.toSorted(
    (left, right) => verdictOrder.indexOf(left.verdict) - verdictOrder.indexOf(right.verdict),
  );
  const lines = sorted.slice(0, mostLines).map(lineOf);
  return { id, kind, formerId, verdict, lines, omitted: sorted.length - lines.length };
}

function lineOf({ verdict, direction, message, pointer, before, after }: SchemaChange): ChangeLine {
  const values = [before, after].map((value) => (value === undefined ? 'nothing' : JSON.stringify(value)));
  const isShown = (before !== undefined || after !== undefined) && values.every((text) => text.length <= longestValue);
  const [old = '', now = ''] = isShown ? values : [];
  const texts = { message: cut(message, longestText), pointer: cut(pointer, longestText) };
  return { verdict, direction, ...texts, before: old, after: now };
}
