import type { Concern } from '../contract/concerns.ts';
import type { ModelKind } from '../contract/discovery.ts';
import type { Finding, OutcomeKind, OutcomeRecord, Reason } from '../contract/finding.ts';
import type { RuleId } from '../contract/rule.ts';
import type { Cost } from '../contract/scenario.ts';
import type { TargetKind } from '../contract/target.ts';
import type { Reachability } from '../run/check.ts';
import type { RunRecord } from '../wire/call.ts';
import type { Coverage } from './coverage.ts';

export type BodyRecord =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string; readonly sizeBytes: number; readonly isCut: boolean }
  | { readonly kind: 'binary'; readonly sizeBytes: number };

export type MessageRecord = {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: BodyRecord;
};

export type ExchangeRecord = {
  readonly step: string;
  readonly attempt: number;
  readonly request: MessageRecord & {
    readonly method: string;
    readonly url: string;
    readonly credentials?: readonly ShellHeader[];
  };
  readonly response:
    | (MessageRecord & { readonly kind: 'response'; readonly status: number })
    | { readonly kind: 'no-response'; readonly because: string; readonly detail: string };
  readonly startedAtMs: number;
  readonly durationMs: number;
  /** Milliseconds until the first bytes of the response, if the transport is a socket. */
  readonly waitMs?: number;
  readonly rebasedFrom?: string;
};

/** A header with a credential as one shell argument, with an environment variable instead of the value. */
export type ShellHeader = { readonly header: string; readonly argument: string };

export type SeenRequest = {
  readonly exchange: number;
  readonly method: string;
  readonly url: string;
  readonly status?: number;
  readonly requestId?: string;
  /** One POSIX shell command; credentials are environment variables. */
  readonly curl: string;
  /** Notes on running the command: whether it may be billed, and defects that curl hides. */
  readonly notes: readonly string[];
};

export type FindingRecord = Finding & {
  readonly ruleId: RuleId;
  readonly concern: Concern;
  /** The symptom, worded so that all findings of the same defect have the same text. */
  readonly cause: string;
  readonly usually: string;
  readonly seen?: SeenRequest;
};

export type ResultOutcome = OutcomeRecord<FindingRecord>;

/** The decision of a check about one rule. */
export type RuleDecision = {
  readonly outcome: ResultOutcome;
  /** Machine-readable reason why the rule did not run; `coverage` has it as text. */
  readonly why?: Reason;
  /** Number of calls that the rule sent or shares with other rules; absent for a passive rule. */
  readonly calls?: number;
  readonly durationMs: number;
};

export type RuleResult = RuleDecision & {
  readonly ruleId: RuleId;
  readonly family: string;
  readonly concern: Concern;
  readonly sentence: string;
  readonly observes?: true;
  readonly requirements: readonly string[];
  /** Readings that all findings rely on. If absent, findings rely on the API text, except those with a `partReading`. */
  readonly reading?: readonly string[];
  readonly partReading?: readonly string[];
  readonly cost: Cost;
  /** Set if the rule failed on a live target: settings that the findings rely on. */
  readonly statements?: readonly string[];
  readonly evidence: readonly ExchangeRecord[];
  readonly waiver?: AppliedWaiver;
  /** The waived rule that blocks this one, directly or through other rules. This rule then also counts as waived. */
  readonly waivedBy?: RuleId;
};

/** Findings with the same cause. The first rule describes the defect best. */
export type CauseGroup = {
  readonly headline: string;
  readonly concern: Concern;
  readonly cause: string;
  readonly usually: string;
  readonly findings: number;
  readonly rules: readonly RuleId[];
};

/** Valid until the end of the day `expires`. With `outcome`, it only covers a failed setup, not findings. */
export type AppliedWaiver = {
  readonly reason: string;
  readonly owner: string;
  readonly expires: string;
  readonly outcome?: 'setup-failed';
  /** The most severe concern that the waiver accepts; absent if it accepts every concern. */
  readonly concern?: Concern;
};

export type WaiverProblem = {
  readonly rule: string;
  readonly kind: 'expired' | 'unknown-rule' | 'passed';
  readonly message: string;
};

export type ComparedFinding = { readonly ruleId: RuleId; readonly cause: string };

export type Comparison = {
  readonly new: readonly ComparedFinding[];
  readonly fixed: readonly ComparedFinding[];
  readonly lasting: readonly ComparedFinding[];
  /** Number of rules that only one of the two checks decided; their findings count neither as new nor as fixed. */
  readonly notCompared: number;
};

/** A temporarily rejected read that was sent again: the request, the status, and the number of times. */
export type TransientRead = { readonly request: string; readonly status: number; readonly times: number };

export type ConformanceReport = {
  readonly format: 'switchyard-conformance-3';
  readonly target: { readonly kind: TargetKind; readonly routerUrl?: string; readonly workflowUrl?: string };
  readonly reachability: Reachability;
  readonly specs: { readonly brand: string; readonly modelRouter: string; readonly workflowExecution: string };
  readonly discovery: {
    readonly listed: number;
    readonly models: Readonly<Partial<Record<ModelKind, string>>>;
    readonly problems: readonly string[];
  };
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly counts: Readonly<Record<OutcomeKind, number>>;
  readonly missingRequired: readonly {
    readonly ruleId: RuleId;
    readonly outcome: OutcomeKind;
    readonly because: string;
  }[];
  readonly shortfalls: readonly string[];
  readonly transient: readonly TransientRead[];
  readonly budget?: {
    readonly runs: number;
    readonly used: number;
    /** Maximum cost of the used runs with a stated price; absent if no run was used. */
    readonly cost?: { readonly atMostCents: number; readonly unpricedRuns: number };
    readonly calls: readonly RunRecord[];
    readonly needed?: number;
    readonly plan?: readonly RunRecord[];
  };
  readonly coverage: Coverage;
  readonly results: readonly RuleResult[];
  readonly groups: readonly CauseGroup[];
  readonly requirements: Readonly<Record<string, { readonly section: string; readonly statement: string }>>;
  readonly waiverProblems?: readonly WaiverProblem[];
  readonly comparison?: Comparison;
};

/**
 * Returns 3 if the target could not be reached; 1 if a rule failed without a waiver or a waiver is invalid; 3 if a rule
 * errored; 4 if a required rule was not decided, or if too few rules, or less than `minChecked` percent, were decided;
 * otherwise 0.
 */
export function exitCodeOf(report: ConformanceReport, minChecked = 0): 0 | 1 | 3 | 4 {
  if (report.reachability.kind === 'unreachable') return 3;
  if (listFailures(report).length + (report.waiverProblems?.length ?? 0) > 0) return 1;
  if (report.counts.errored > 0) return 3;
  if (report.missingRequired.length > 0 || report.shortfalls.length > 0) return 4;
  const { rules, checked } = report.coverage;
  if (checked * 100 < rules * minChecked) return 4;
  return report.counts.passed + report.counts.observed === 0 ? 4 : 0;
}

export function listFailures({ results }: { readonly results: readonly RuleResult[] }): readonly RuleResult[] {
  return results.filter(({ outcome, waiver }) => outcome.kind === 'failed' && waiver === undefined);
}

export function reasonOf(outcome: OutcomeRecord): string {
  if (outcome.kind === 'passed') return '';
  if (outcome.kind === 'failed') return outcome.findings.map(describeInLine).join('; ');
  if (outcome.kind === 'observed') return outcome.observation;
  if (outcome.kind === 'blocked') return `needs ${outcome.by}`;
  if (outcome.kind === 'setup-failed') return outcome.reason;
  return outcome.kind === 'errored' ? outcome.message : outcome.because;
}

export function describePlace({ at }: Finding): string {
  return [at.step, at.header, at.pointer === '' ? undefined : at.pointer]
    .filter((part) => part !== undefined)
    .join(' ');
}

export function describeInLine(finding: Finding): string {
  return `${finding.code} at ${describePlace(finding)}: expected ${finding.expected}, got ${finding.actual}`;
}

export function shorten(text: string, atMost: number): string {
  return text.length <= atMost ? text : `${text.slice(0, atMost - 1)}…`;
}

/** Content of `result.json`. The exchanges of a rule are in `exchanges/RULE.json` next to it. */
export type ResultFile = Omit<ConformanceReport, 'results'> & {
  readonly results: readonly (Omit<RuleResult, 'evidence' | 'why'> & { readonly exchanges: number })[];
};

/** Returns the text of `result.json`; its JSON Schema is `contract-tests/result.schema.json`. */
export function renderJson(report: ConformanceReport): string {
  const results = report.results.map(({ evidence, why: _, ...result }) => ({
    ...result,
    exchanges: evidence.length,
  }));
  const file: ResultFile = { ...report, results };
  return `${JSON.stringify(file, null, 2)}\n`;
}
