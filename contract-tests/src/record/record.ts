import type { Discovery } from '../contract/discovery.ts';
import type { OutcomeKind } from '../contract/finding.ts';
import type { ConformanceReport, ExchangeRecord, RuleResult } from '../report/report.ts';
import type { ConformanceInput, Found } from '../run/check.ts';
import type { Queued } from '../run/settle.ts';
import type { RunRecord } from '../wire/budget.ts';

/** With names in place of the values of credentials and jobs. */
export type Opened = Pick<ConformanceInput, 'target' | 'rules' | 'planOnly'> & {
  readonly kind: 'opened';
  /** Milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly specs: ConformanceReport['specs'];
};

export type Discovered = Pick<Found, 'reachability' | 'capabilities' | 'plan'> & {
  readonly kind: 'discovered';
  readonly discovery: ConformanceReport['discovery'] & Pick<Discovery, 'isComplete' | 'lost'>;
};

/** An exchange that a decision or a report names; long bodies are cut. */
export type RecordedExchange = {
  readonly kind: 'exchange';
  readonly exchange: ExchangeRecord;
  readonly repeatedAfterMs?: number;
  readonly queued?: Queued;
};

/** A later one of a rule replaces the earlier one. `at` counts the exchanges of the record. */
export type Decided = Pick<
  RuleResult,
  'ruleId' | 'outcome' | 'why' | 'operations' | 'calls' | 'statements' | 'durationMs'
> & {
  readonly kind: 'decided';
  readonly evidence: readonly { readonly at: number; readonly step: string }[];
};

/** The end of a check, or of a beginning of it. */
export type Stopped = {
  readonly kind: 'stopped';
  readonly durationMs: number;
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
  | RecordedExchange
  /** A call that could start a run: before it is sent, and again when its response came. */
  | { readonly kind: 'run'; readonly index: number; readonly record: RunRecord }
  | Decided
  | Stopped;

/** Calls and findings of a check, in order: plain data without secrets, from which all reports are made. */
export type CheckRecord = readonly Entry[];

type OfKind<K extends Entry['kind']> = Extract<Entry, { readonly kind: K }>;

export function select<K extends Entry['kind']>(record: CheckRecord, kind: K): readonly OfKind<K>[] {
  return record.filter((entry): entry is OfKind<K> => entry.kind === kind);
}

export function listQueued(record: CheckRecord): readonly Queued[] {
  return select(record, 'exchange').flatMap(({ queued }) => queued ?? []);
}

/** Returns the more specific of two outcomes of a rule: a finding over a decision, a decision over none. */
const strongestFirst: readonly OutcomeKind[] = [
  'failed',
  'errored',
  'observed',
  'passed',
  'setup-failed',
  'blocked',
  'not-applicable',
  'not-observable',
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
