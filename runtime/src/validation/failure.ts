/** One failing field as in the router's 422: location, message, kind of failure, and its bound if it has one. */
export type ValidationFailure = {
  /** Outermost part first; a number is an index. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly ctx?: { readonly [name: string]: unknown };
};

/** The steps from the whole value to a part of it, as a linked list: most are never read. */
export type ValuePath = { readonly outer: ValuePath; readonly step: string | number } | undefined;

/** Collects failures; undefined when only the verdict counts. */
export type Failures = ValidationFailure[] | undefined;

/**
 * Ends a call as invalid, whatever surrounds the place: below `not` a mere failure would become acceptance. Thrown where a value is
 * nested deeper than is followed, or where schema or value lead back to themselves without end.
 */
export class NestedTooDeeply extends Error {
  override readonly name = 'NestedTooDeeply';
}

export const tooDeep: ValidationFailure = { loc: [], type: 'nested_too_deeply', msg: 'must not be nested so deeply' };
/** Of a value that does not fit, where finding the place takes more steps than are allowed. */
export const tooLong: ValidationFailure = { loc: [], type: 'too_many_steps', msg: 'does not fit' };

/** Checking stops there. */
const failuresAtMost = 1000;

/** True if further failures are wanted: false where only the verdict counts, or enough have been found. */
export function isCollecting(failures: Failures): failures is ValidationFailure[] {
  return failures !== undefined && failures.length < failuresAtMost;
}

export function traceSteps(path: ValuePath): (string | number)[] {
  const loc: (string | number)[] = [];
  for (let at = path; at !== undefined; at = at.outer) loc.push(at.step);
  return loc.reverse();
}

/** What is wrong, wherever it is. */
export type Reason = Omit<ValidationFailure, 'loc'>;

/** The first failure of each field. */
export function firstOfEach(failures: readonly ValidationFailure[]): ValidationFailure[] {
  const byField = new Map<string, ValidationFailure>();
  for (const failure of failures) {
    const key = JSON.stringify(failure.loc);
    if (!byField.has(key)) byField.set(key, failure);
  }
  return [...byField.values()];
}
