/** One failing field, with the members of the router's 422. */
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
 * Thrown if a value is nested too deeply, or if schema or value refer to themselves without end. Ends the call as invalid; below `not`, a
 * returned failure would accept the value.
 */
export class NestedTooDeeply extends Error {
  override readonly name = 'NestedTooDeeply';
}

export const tooDeep: ValidationFailure = { loc: [], type: 'nested_too_deeply', msg: 'must not be nested so deeply' };
/** For a value that does not fit, if finding the place takes too many steps. */
export const tooLong: ValidationFailure = { loc: [], type: 'too_many_steps', msg: 'does not fit' };

/** After that, checking stops. */
const failuresAtMost = 1000;

/** True if more failures should be collected; false if only validity matters or the limit is reached. */
export function isCollecting(failures: Failures): failures is ValidationFailure[] {
  return failures !== undefined && failures.length < failuresAtMost;
}

export function traceSteps(path: ValuePath): (string | number)[] {
  const loc: (string | number)[] = [];
  for (let at = path; at !== undefined; at = at.outer) loc.push(at.step);
  return loc.reverse();
}

/** A failure without its location. */
export type Reason = Omit<ValidationFailure, 'loc'>;

/** Returns the first failure of each field. */
export function firstOfEach(failures: readonly ValidationFailure[]): ValidationFailure[] {
  const byField = new Map<string, ValidationFailure>();
  for (const failure of failures) {
    const key = JSON.stringify(failure.loc);
    if (!byField.has(key)) byField.set(key, failure);
  }
  return [...byField.values()];
}
