import type { RuleId } from '../contract/rule.ts';
import type { ConformanceReport, ExchangeRecord, RuleDecision } from '../report/report.ts';
import type { Capability } from '../requires.ts';
import type { Reachability } from '../run/check.ts';
import type { Queued } from '../run/settle.ts';
import type { RunRecord } from '../wire/call.ts';

/** Start of a check. A check that starts again has a new record. */
export type Opened = { readonly kind: 'opened'; readonly startedAtMs: number };

export type Discovered = {
  readonly kind: 'discovered';
  readonly reachability: Reachability;
  readonly capabilities: readonly Capability[];
  readonly plan?: readonly RunRecord[];
  readonly discovery: ConformanceReport['discovery'] & {
    readonly isComplete: boolean;
    readonly lost: readonly string[];
  };
};

/** Exchange that the outcome of a rule or a report refers to. Long bodies are cut. */
export type RecordedExchange = {
  readonly kind: 'exchange';
  readonly exchange: ExchangeRecord;
  readonly repeatedAfterMs?: number;
  readonly queued?: Queued;
};

/** Decision about a rule; a later one replaces an earlier one. `at`: index of an exchange in the record. */
export type Decided = RuleDecision & {
  readonly kind: 'decided';
  readonly ruleId: RuleId;
  readonly evidence: readonly KeptExchange[];
};

export type KeptExchange = { readonly at: number; readonly step: string };

/** End of a check, or of an attempt that was terminated. */
export type Stopped = {
  readonly kind: 'stopped';
  readonly durationMs: number;
  readonly lost?: string;
  /** Why the check was terminated, and at which rule or path. Without `at`, the deadline had passed. */
  readonly because?: string;
  readonly at?: string;
};

export type Entry =
  | Opened
  | Discovered
  /**
   * Written before data of the target is processed, so that a hang can be attributed. `at`: id of the rule, or path
   * whose response is processed.
   */
  | { readonly kind: 'started'; readonly at: string }
  | RecordedExchange
  /** A call that could start a run. Written before it is sent, and again after its response. */
  | { readonly kind: 'run'; readonly index: number; readonly record: RunRecord }
  | Decided
  | Stopped;

/** Calls and findings of a check in order: plain data without secrets. All reports are built from it. */
export type CheckRecord = readonly Entry[];

type OfKind<K extends Entry['kind']> = Extract<Entry, { readonly kind: K }>;

export function select<K extends Entry['kind']>(record: CheckRecord, kind: K): readonly OfKind<K>[] {
  return record.filter((entry): entry is OfKind<K> => entry.kind === kind);
}

export function listQueued(record: CheckRecord): readonly Queued[] {
  return select(record, 'exchange').flatMap(({ queued }) => queued ?? []);
}
