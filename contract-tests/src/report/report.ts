import type { Concern } from '../contract/concerns.ts';
import type { ModelKind } from '../contract/discovery.ts';
import type { Finding, NonEmpty, OutcomeKind, OutcomeRecord, Reason } from '../contract/finding.ts';
import type { RuleId } from '../contract/rule.ts';
import type { Cost } from '../contract/scenario.ts';
import type { TargetKind } from '../contract/target.ts';
import type { Reachability } from '../run/check.ts';
import type { RunRecord } from '../wire/budget.ts';
import type { Coverage } from './coverage.ts';

export type BodyRecord =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string; readonly sizeBytes: number; readonly isCut: boolean }
  | { readonly kind: 'binary'; readonly sizeBytes: number };

export type ExchangeRecord = {
  readonly step: string;
  readonly attempt: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly HeaderRecord[];
    readonly body: BodyRecord;
    /** The headers that held credentials, with environment variables in their place. */
    readonly credentials?: readonly ShellHeader[];
  };
  readonly response:
    | {
        readonly kind: 'response';
        readonly status: number;
        readonly headers: readonly HeaderRecord[];
        readonly body: BodyRecord;
      }
    | { readonly kind: 'no-response'; readonly because: string; readonly detail: string };
  /** Milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly durationMs: number;
  /** Milliseconds until the first bytes of the response, if a socket was used. */
  readonly waitMs?: number;
  readonly rebasedFrom?: string;
};

/** A header that held a credential, as one argument of a shell: with an environment variable in its place. */
export type ShellHeader = { readonly header: string; readonly argument: string };

type HeaderRecord = readonly [name: string, value: string];

export type SeenRequest = {
  readonly exchange: number;
  readonly method: string;
  readonly url: string;
  readonly status?: number;
  readonly requestId?: string;
  /** One command for a POSIX shell; credentials are environment variables. */
  readonly curl: string;
  /** Notes on running the line: if it may be billed, and what curl hides. */
  readonly notes: readonly string[];
};

export type FindingRecord = Finding & {
  readonly ruleId: RuleId;
  /** The harm to callers. */
  readonly concern: Concern;
  /** The sign by which it shows, in words that findings of the same defect share. */
  readonly cause: string;
  readonly usually: string;
  readonly seen?: SeenRequest;
};

export type ResultOutcome = OutcomeRecord<FindingRecord>;

export type RuleResult = {
  readonly ruleId: RuleId;
  readonly family: string;
  readonly concern: Concern;
  readonly sentence: string;
  /** It notes what the documents leave open: its sentence is not a promise. */
  readonly observes?: true;
  readonly requirements: readonly string[];
  /** Readings that all findings rest on. Without any they rest on the text, except those that rest on `partReading`. */
  readonly reading?: readonly string[];
  readonly partReading?: readonly string[];
  /** Set if a rule failed on a live target: the settings whose statements the finding rests on. */
  readonly statements?: readonly string[];
  readonly cost: Cost;
  readonly outcome: ResultOutcome;
  /** Set if the rule was not tried; `coverage` has the reason in words. */
  readonly why?: Reason;
  /** The called operations, such as `GET /v2/models`; of a failed rule, those that its findings are about. */
  readonly operations?: readonly string[];
  /** Number of calls that the rule sent or shares with other rules; absent for a rule that reads every exchange. */
  readonly calls?: number;
  readonly evidence: readonly ExchangeRecord[];
  readonly durationMs: number;
  readonly waiver?: AppliedWaiver;
  /** The rule with a waiver that blocks this one, directly or through other blocked rules: it counts as waived too. */
  readonly waivedBy?: RuleId;
};

/** Findings of one defect. The first of its rules is the one whose promise the defect breaks. */
export type CauseGroup = {
  /** The sentence of the rule. */
  readonly headline: string;
  readonly concern: Concern;
  readonly cause: string;
  readonly usually: string;
  readonly findings: number;
  readonly rules: NonEmpty<RuleId>;
};

/**
 * Who accepts that a rule fails, why, and until when (`2030-01-31`, that day included). With `outcome` it accepts only that the rule
 * cannot be prepared; a finding of the rule is not covered.
 */
export type AppliedWaiver = {
  readonly reason: string;
  readonly owner: string;
  readonly expires: string;
  readonly outcome?: 'setup-failed';
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
  /** Rules that one of the two did not check, which makes their findings neither new nor fixed. */
  readonly notCompared: number;
};

/** A read that was refused for the moment and sent again: the request, the status, and how often in the check. */
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
  /** Milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly counts: Readonly<Record<OutcomeKind, number>>;
  /** Rules required of this kind of target that neither passed nor failed nor were observed. */
  readonly missingRequired: readonly {
    readonly ruleId: RuleId;
    readonly outcome: OutcomeKind;
    readonly because: string;
  }[];
  /** Reasons why the check shows too little of its target, in addition to single rules. */
  readonly shortfalls: readonly string[];
  readonly transient: readonly TransientRead[];
  /** Only for a live target. */
  readonly budget?: {
    readonly runs: number;
    readonly used: number;
    /** Cost of the used runs, for models with a stated price; absent if no run was used. */
    readonly cost?: { readonly atMostCents: number; readonly unpricedRuns: number };
    /** Each call that could start a run, in order of sending. */
    readonly calls: readonly RunRecord[];
    /** The least budget with which every rule is sent that applies to the target. */
    readonly needed?: number;
    readonly plan?: readonly RunRecord[];
  };
  readonly coverage: Coverage;
  readonly results: readonly RuleResult[];
  readonly groups: readonly CauseGroup[];
  /** The requirements that the results cite, as their API document states them. */
  readonly requirements: Readonly<Record<string, { readonly section: string; readonly statement: string }>>;
  readonly waiverProblems?: readonly WaiverProblem[];
  readonly comparison?: Comparison;
};

/**
 * 3: the target was not reached or was lost; 1: a rule failed that no waiver covers, or a waiver is wrong; 3: a rule errored;
 * 4: a required rule was not decided, or too few rules were, or fewer than `minChecked` percent; 0: conforms.
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

export function listFailures({ results }: Pick<ConformanceReport, 'results'>): readonly RuleResult[] {
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

/** The content of `result.json`. The exchanges of a rule are in `exchanges/RULE.json` next to it. */
export type ResultFile = Omit<ConformanceReport, 'results'> & {
  readonly results: readonly (Omit<RuleResult, 'evidence' | 'operations' | 'why'> & { readonly exchanges: number })[];
};

/** The text of `result.json`; its JSON Schema is `contract-tests/result.schema.json`. */
export function renderJson(report: ConformanceReport): string {
  const results = report.results.map(({ evidence, why: _, operations: __, ...result }) => ({
    ...result,
    exchanges: evidence.length,
  }));
  const file: ResultFile = { ...report, results };
  return `${JSON.stringify(file, null, 2)}\n`;
}
