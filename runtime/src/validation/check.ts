import { type Failures, isCollecting, type Reason, traceSteps, type ValuePath } from './failure.ts';
import { createIds, type Ids } from './ids.ts';
import { type Json, type JsonSchema, listNames, type SchemasByName } from './schema.ts';

/** Names of members, or indices of items, that some part of a schema has evaluated; recorded only where `unevaluated…` applies. */
export type Evaluated = Set<string | number>;
export type FormatChecks = { readonly [name: string]: (text: string) => boolean };

/** What all parts of one call of a validator share. */
export type Call = {
  readonly formats: FormatChecks | undefined;
  readonly ids: Ids;
  /** The ids of an `enum`'s values, by the list. */
  readonly enums: Map<readonly Json[], ReadonlySet<string>>;
  /** What is known of values by the check of a definition; undefined while it is being decided. */
  readonly verdicts: Map<Check, Map<unknown, Verdict | undefined>>;
  /** The same with what was evaluated. */
  readonly trackedVerdicts: Map<Check, Map<unknown, Verdict | undefined>>;
  /** Definitions followed to reach this part. */
  depth: number;
  /** Left for this call; patterns have steps of their own, so that a long text takes none from the rest of the value. */
  steps: { checks: number; patterns: number };
  /** Whether a value passed only because a pattern cannot be run: then nothing that denies it may refuse. */
  isOpen: boolean;
};

export type Pass = {
  readonly call: Call;
  readonly failures: Failures;
  readonly evaluated: Evaluated | undefined;
};

/** Whether a value passes; adds failures where the pass collects them. */
export type Check = (value: unknown, path: ValuePath, pass: Pass) => boolean;
/** A check of the values of one type; any other value passes. */
export function when<Value>(
  isOfType: (value: unknown) => value is Value,
  check: (value: Value, path: ValuePath, pass: Pass) => boolean,
): Check {
  return (value, path, pass) => !isOfType(value) || check(value, path, pass);
}

/** One check of several; where failures are collected each of them adds its own. Undefined for none. */
export function all(checks: readonly Check[]): Check | undefined {
  const [first, second] = checks;
  if (first === undefined || second === undefined) return first;
  return (value, path, pass) => {
    let fits = true;
    for (const check of checks) {
      if (check(value, path, pass)) continue;
      if (!isCollecting(pass.failures)) return false;
      fits = false;
    }
    return fits;
  };
}

/** What the parts of a document are compiled with. */
export type Compiling = {
  /** Turns a schema within the same document into its check. */
  readonly compile: (schema: JsonSchema) => Check;
  readonly follow: (reference: string) => Check;
  readonly readPattern: PatternReader;
  readonly definitions: SchemasByName;
};
/** Whether a text matches a pattern; undefined for a pattern that is left to the server. */
export type PatternReader = (pattern: string) => PatternMatcher | undefined;
export type PatternMatcher = (text: string, spend?: (steps: number) => void) => boolean;

/** A call that takes more steps than it may. */
export class OutOfSteps extends Error {
  override readonly name = 'OutOfSteps';
}

export function spend({ steps }: Call, count: number, on: 'checks' | 'patterns' = 'checks'): void {
  steps[on] -= count;
  if (steps[on] < 0) throw new OutOfSteps();
}

/** A location holds every name on the way, so that many failures could need more memory than the value. */
const stepsOfFailure = 10;
const charactersPerStep = 4;

/** Always false, so that a check can end with it. */
export function refuse({ call, failures }: Pass, path: ValuePath, reason: Reason): false {
  if (!isCollecting(failures)) return false;
  const { type, msg, ctx } = reason;
  const loc = traceSteps(path);
  const characters = loc.reduce<number>((sum, step) => sum + (typeof step === 'string' ? step.length : 1), 0);
  failures.push({ loc, msg, type, ...(ctx === undefined ? {} : { ctx }) });
  spend(call, stepsOfFailure + characters / charactersPerStep);
  return false;
}

/** Whether a text matches; true, and open, where that would take too many steps. */
export function matches(isMatch: PatternMatcher, text: string, call: Call): boolean {
  try {
    spend(call, 1);
    if (call.steps.patterns >= 0) return isMatch(text, (count) => spend(call, count, 'patterns'));
  } catch (error) {
    if (!(error instanceof OutOfSteps) || call.steps.checks < 0) throw error;
  }
  call.isOpen = true;
  return true;
}

export function createCall(formats: FormatChecks | undefined, maxSteps: number): Call {
  return {
    formats,
    steps: { checks: maxSteps, patterns: maxSteps },
    ids: createIds(),
    enums: new Map(),
    verdicts: new Map(),
    trackedVerdicts: new Map(),
    depth: 0,
    isOpen: false,
  };
}

export function addEvaluated({ evaluated: known, call }: Pass, more: Evaluated | undefined): void {
  if (known === undefined || more === undefined) return;
  spend(call, stepsToRemember * more.size);
  for (const step of more) known.add(step);
}

/** For the parts of a value, which record what they evaluate separately. */
export function inside(pass: Pass): Pass {
  return pass.evaluated === undefined ? pass : { ...pass, evaluated: undefined };
}

/** Of each name: to list an object of many members takes longer than to check one. */
const stepsToList = 4;

/** Names of the members that JSON would hold. */
export function listMembers(value: { readonly [name: string]: unknown }, call: Call): readonly string[] {
  const names = listNames(value);
  spend(call, names.length > 100 ? stepsToList * names.length : names.length);
  return names;
}

/** Of each name or index: to remember it takes longer than to check it. */
const stepsToRemember = 2;

/** Checks parts of the values of one type, each by what `select` says for its step. Without a check, a part passes and is not evaluated. */
export function checkParts<Value extends object, Step extends string | number>(
  isOfType: (value: unknown) => value is Value,
  listSteps: (value: Value, call: Call) => Iterable<Step>,
  select: (step: Step, pass: Pass) => Check | undefined,
): Check {
  return when(isOfType, (value, path, pass) => {
    const parts = value as { readonly [step: string | number]: unknown };
    const within = inside(pass);
    let fits = true;
    for (const step of listSteps(value, pass.call)) {
      const check = select(step, pass);
      if (check === undefined) continue;
      if (pass.evaluated !== undefined) spend(pass.call, stepsToRemember);
      pass.evaluated?.add(step);
      if (check(parts[step], { outer: path, step }, within)) continue;
      if (!isCollecting(pass.failures)) return false;
      fits = false;
    }
    return fits;
  });
}

export type Verdict = {
  /** `open` where the value passes as far as the patterns that can be run say. */
  readonly fits: 'yes' | 'open' | 'no';
  readonly evaluated: Evaluated | undefined;
};

/** The verdict of one part, which leaves no trace in the pass. */
export function decide(check: Check, value: unknown, path: ValuePath, pass: Pass): Verdict {
  const { call } = pass;
  const wasOpen = call.isOpen;
  call.isOpen = false;
  const evaluated = pass.evaluated === undefined ? undefined : new Set<string | number>();
  const passes = check(value, path, { call, failures: undefined, evaluated });
  const fits = passes ? (call.isOpen ? 'open' : 'yes') : 'no';
  call.isOpen = wasOpen;
  return { fits, evaluated };
}

/** Adds what a part that passes has evaluated and left open; whether it passes. */
export function adopt({ fits, evaluated }: Verdict, pass: Pass): boolean {
  if (fits === 'no') return false;
  if (fits === 'open') pass.call.isOpen = true;
  addEvaluated(pass, evaluated);
  return true;
}
