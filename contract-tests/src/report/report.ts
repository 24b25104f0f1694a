import type { ModelKind } from '../definitions/discovery.ts';
import type { OutcomeKind, OutcomeRecord, RuleFinding } from '../definitions/finding.ts';
import type { RuleCost, RuleId } from '../definitions/rule.ts';
import type { TargetKind } from '../definitions/target.ts';
import type { Reachability } from '../engine/reachability.ts';
import type { RunRecord } from '../engine/run-budget.ts';
import type { TransientRead } from '../engine/transient-reads.ts';
import type { Coverage } from './coverage.ts';

export type BodyRecord =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string; readonly sizeBytes: number; readonly isCut: boolean }
  | { readonly kind: 'binary'; readonly sizeBytes: number };

/** One request and its response, without secrets. */
export type ExchangeRecord = {
  readonly step: string;
  readonly attempt: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly HeaderRecord[];
    readonly body: BodyRecord;
  };
  readonly response:
    | {
        readonly kind: 'response';
        readonly status: number;
        readonly headers: readonly HeaderRecord[];
        readonly body: BodyRecord;
      }
    | { readonly kind: 'no-response'; readonly because: string; readonly detail: string };
  readonly durationMs: number;
  readonly rebasedFrom?: string;
};
type HeaderRecord = readonly [name: string, value: string];

export type RuleResult = {
  readonly ruleId: RuleId;
  readonly family: string;
  readonly requirements: readonly string[];
  readonly cost: RuleCost;
  readonly outcome: OutcomeRecord;
  readonly evidence: readonly ExchangeRecord[];
  readonly durationMs: number;
};

/** A rule required of this kind of target that neither passed nor failed nor was observed. */
export type MissingRequired = { readonly ruleId: RuleId; readonly outcome: OutcomeKind; readonly because: string };

export type ConformanceReport = {
  readonly format: 'switchyard-conformance-2';
  readonly target: { readonly kind: TargetKind; readonly routerUrl?: string; readonly workflowUrl?: string };
  readonly reachability: Reachability;
  readonly specs: { readonly brand: string; readonly modelRouter: string; readonly workflowExecution: string };
  readonly discovery: {
    readonly listed: number;
    readonly models: Readonly<Partial<Record<ModelKind, string>>>;
    readonly problems: readonly string[];
  };
  readonly durationMs: number;
  readonly counts: Readonly<Record<OutcomeKind, number>>;
  readonly missingRequired: readonly MissingRequired[];
  /** Why the run shows too little of its target, beyond single rules. */
  readonly shortfalls: readonly string[];
  /** Reads that were refused with 429 or 503 and sent again. */
  readonly transient: readonly TransientRead[];
  /** Of a live target. */
  readonly budget?: {
    /** How many runs the owner allows in all. */
    readonly runs: number;
    /** How many may have started. */
    readonly used: number;
    /** Each call that could start one, in the order in which they were sent. */
    readonly calls: readonly RunRecord[];
    /** The least budget with which every rule is sent that applies to the target. */
    readonly needed?: number;
    readonly plan?: readonly RunRecord[];
  };
  readonly coverage: Coverage;
  readonly results: readonly RuleResult[];
};

/**
 * 3: the target was not reached or was lost; 1: a rule failed; 3: a rule errored; 4: a required rule was not decided, or
 * too few rules were, or fewer than `minChecked` percent; 0: conforms.
 */
export function exitCodeOf(report: ConformanceReport, minChecked = 0): 0 | 1 | 3 | 4 {
  if (report.reachability.kind === 'unreachable') return 3;
  if (report.counts.failed > 0) return 1;
  if (report.counts.errored > 0) return 3;
  if (report.missingRequired.length > 0 || report.shortfalls.length > 0) return 4;
  const { rules, checked } = report.coverage;
  if (checked * 100 < rules * minChecked) return 4;
  return report.counts.passed + report.counts.observed === 0 ? 4 : 0;
}

/** The reason of an outcome as text. */
export function reasonOf(outcome: OutcomeRecord): string {
  switch (outcome.kind) {
    case 'passed':
      return '';
    case 'failed':
      return outcome.findings.map(findingLine).join('; ');
    case 'observed':
      return outcome.observation;
    case 'not-observable':
    case 'not-applicable':
      return outcome.because;
    case 'blocked':
      return `needs ${outcome.by}`;
    case 'setup-failed':
      return outcome.reason;
    case 'errored':
      return outcome.message;
  }
}

export function findingLine({ code, expected, actual, at }: RuleFinding): string {
  const place = [at.step, at.header, at.pointer === '' ? undefined : at.pointer]
    .filter((part) => part !== undefined)
    .join(' ');
  return `${code} at ${place}: expected ${expected}, got ${actual}`;
}

/** The text of `result.json`; its JSON Schema is `contract-tests/result.schema.json`. */
export function renderJson(report: ConformanceReport): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
