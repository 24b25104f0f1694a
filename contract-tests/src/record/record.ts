import type { ModelKind } from '../contract/discovery.ts';
import type { OutcomeKind } from '../contract/finding.ts';
import type { Reason } from '../contract/reasons.ts';
import type { RuleId } from '../contract/rule.ts';
import type { Target } from '../contract/target.ts';
import type { ExchangeRecord, ResultOutcome } from '../report/report.ts';
import type { Capability } from '../requires.ts';
import type { Queued } from '../run/cancel-queued.ts';
import type { Reachability, Shard } from '../run/check.ts';
import type { RunRecord } from '../run/run-budget.ts';

/** What a report needs beside what the check does. */
export type Opened = {
  readonly kind: 'opened';
  /** Names in place of the values of credentials and jobs. */
  readonly target: Target;
  readonly rules?: readonly string[];
  readonly shard?: Shard;
  readonly planOnly?: true;
  readonly specs: { readonly brand: string; readonly modelRouter: string; readonly workflowExecution: string };
};

/** What the target offers; comes before the first rule. */
export type Discovered = {
  readonly kind: 'discovered';
  readonly reachability: Reachability;
  readonly discovery: {
    readonly listed: number;
    readonly models: Readonly<Partial<Record<ModelKind, string>>>;
    readonly problems: readonly string[];
    readonly isComplete: boolean;
  };
  readonly capabilities: readonly Capability[];
  /** Of a live target: the calls of its rules that could start a run. */
  readonly plan?: readonly RunRecord[];
};

/** An exchange that a decision or a report names; long bodies are cut. */
export type Kept = {
  readonly kind: 'exchange';
  readonly exchange: ExchangeRecord;
  /** Of a read that was refused for the moment and sent again. */
  readonly repeatedAfterMs?: number;
  /** What it left waiting at a live target. */
  readonly queued?: Queued;
};

/** A later one of a rule replaces the earlier one. `at` counts the exchanges of the record. */
export type Decided = {
  readonly kind: 'decided';
  readonly ruleId: RuleId;
  readonly outcome: ResultOutcome;
  /** Of a rule that was not tried. */
  readonly why?: Reason;
  readonly evidence: readonly { readonly at: number; readonly step: string }[];
  readonly durationMs: number;
};

/** The end of a check, or of a beginning of it. */
export type Stopped = {
  readonly kind: 'stopped';
  readonly durationMs: number;
  /** Why the target was given up. */
  readonly lost?: string;
  /** Why the check was ended from outside, and at what; without `at`, its time was over. */
  readonly because?: string;
  readonly at?: string;
};

export type Entry =
  | Opened
  | Discovered
  /** Data of the target is processed next: for the rule of this id, or the answer at this path. */
  | { readonly kind: 'started'; readonly at: string }
  | Kept
  /** A call that could start a run: before it is sent, and again when its response came. */
  | { readonly kind: 'run'; readonly index: number; readonly record: RunRecord }
  | Decided
  | Stopped;

/** What a check did and found, in order: plain data without secrets, from which everything else is made. */
export type CheckRecord = readonly Entry[];

type OfKind<K extends Entry['kind']> = Extract<Entry, { readonly kind: K }>;

export function select<K extends Entry['kind']>(record: CheckRecord, kind: K): readonly OfKind<K>[] {
  return record.filter((entry): entry is OfKind<K> => entry.kind === kind);
}

/** What a check has left waiting at a live target, as far as it is known. */
export function queuedIn(record: CheckRecord): readonly Queued[] {
  return select(record, 'exchange').flatMap(({ queued }) => queued ?? []);
}

/** Of two outcomes of one rule the one that says more: a finding over a verdict, a verdict over none. */
const strongestFirst: readonly OutcomeKind[] = [
  ...(['failed', 'errored', 'observed', 'passed'] as const),
  ...(['setup-failed', 'blocked', 'not-applicable', 'not-observable'] as const),
];

const findingsShown = 100;
export const exchangesShown = 20;

/** Nothing is added to such a decision any more: the parts of a check may be a thousand. */
export function isFull({ outcome }: Decided): boolean {
  return outcome.kind === 'failed' && outcome.findings.length >= findingsShown;
}

/** One decision of two parts of a check; the first one itself where the second says no more. */
export function combine(one: Decided | undefined, other: Decided): Decided {
  if (one === undefined) return other;
  const durationMs = one.durationMs + other.durationMs;
  if (one.outcome.kind !== 'failed' || other.outcome.kind !== 'failed') {
    const [first, second] = [one, other].map(({ outcome }) => strongestFirst.indexOf(outcome.kind));
    if (Number(second) >= Number(first)) return one;
    return { ...other, durationMs, evidence: other.outcome.kind === 'failed' ? other.evidence : one.evidence };
  }
  const hasRoom = one.evidence.length < exchangesShown;
  const [first, ...rest] = one.outcome.findings;
  const added = other.outcome.findings.map(({ seen, ...finding }) =>
    seen !== undefined && hasRoom
      ? { ...finding, seen: { ...seen, exchange: seen.exchange + one.evidence.length } }
      : finding,
  );
  return {
    ...one,
    durationMs,
    outcome: { ...one.outcome, findings: [first, ...[...rest, ...added].slice(0, findingsShown - 1)] },
    evidence: hasRoom ? [...one.evidence, ...other.evidence] : one.evidence,
  };
}
