import { createHash } from 'node:crypto';
import type { EffectiveSpecs } from '../../../specs/src/index.ts';
import type { Discovery } from '../definitions/discovery.ts';
import { type Outcome, type OutcomeKind, type OutcomeRecord, outcomeKinds } from '../definitions/finding.ts';
import type { Exchange, RawHeaders } from '../definitions/probe.ts';
import type { Rule, RuleOutcome } from '../definitions/rule.ts';
import type { Target } from '../definitions/target.ts';
import type { Reachability } from '../engine/reachability.ts';
import type { TransientRead } from '../engine/transient-reads.ts';
import { isMissing, shortfallsOf } from './completeness.ts';
import { createRedactor, type Redactor, redactHeader } from './redact.ts';
import { type BodyRecord, type ConformanceReport, type ExchangeRecord, type RuleResult, reasonOf } from './report.ts';

export type ReportParts = {
  readonly input: {
    readonly target: Target;
    readonly specs: EffectiveSpecs;
    readonly rules?: readonly string[];
    readonly withoutEvidence?: true;
  };
  readonly discovery: Discovery;
  readonly reachability: Reachability;
  readonly outcomes: readonly RuleOutcome[];
  readonly transient: readonly TransientRead[];
  readonly durationMs: number;
};

/** Everything a run found as plain JSON without secrets: the only form that leaves the engine. */
export function assembleReport(parts: ReportParts): ConformanceReport {
  const { input, discovery, reachability, outcomes, transient } = parts;
  const { target, specs } = input;
  const redact = createRedactor(target);
  const results = outcomes.map((one) => ruleResult(one, input, redact));
  const rules = outcomes.map(({ rule }) => rule);
  return {
    format: 'switchyard-conformance-2',
    target: {
      kind: target.kind,
      ...(target.router === undefined ? {} : { routerUrl: redact(target.router.url) }),
      ...(target.workflow === undefined ? {} : { workflowUrl: redact(target.workflow.url) }),
    },
    reachability:
      reachability.kind === 'reachable' ? reachability : { kind: 'unreachable', because: redact(reachability.because) },
    specs: {
      brand: specs.settings.brand,
      modelRouter: digestOf(specs.modelRouter),
      workflowExecution: digestOf(specs.workflowExecution),
    },
    discovery: {
      listed: discovery.listed.length,
      models: Object.fromEntries(Object.entries(discovery.models).map(([kind, model]) => [kind, redact(model.id)])),
      problems: discovery.problems.map(redact),
    },
    durationMs: Math.round(parts.durationMs),
    transient: transient.map((one) => ({ ...one, request: redact(one.request) })),
    ...concluded(results, { rules, target, discovery, isWhole: isWhole(input, reachability) }),
  };
}

/** Chosen rules are no whole run, and neither is one that did not reach its target. */
export function isWhole({ rules }: ReportParts['input'], { kind }: { readonly kind: Reachability['kind'] }): boolean {
  return rules === undefined && kind === 'reachable';
}

export type ConcludedRun = {
  /** In the order of the results. */
  readonly rules: readonly Rule[];
  /** With its capabilities. */
  readonly target: Target;
  readonly discovery: Discovery;
  readonly isWhole: boolean;
};

/** What a report says of its results together. */
export function concluded(
  results: readonly RuleResult[],
  run: ConcludedRun,
): Pick<ConformanceReport, 'counts' | 'missingRequired' | 'shortfalls' | 'results'> {
  const decided = run.rules.flatMap((rule, index) => {
    const outcome = results[index]?.outcome;
    return outcome === undefined ? [] : [{ rule, outcome }];
  });
  return {
    counts: countOutcomes(results),
    missingRequired: decided.flatMap(({ rule, outcome }) =>
      isMissing({ rule, outcome }, run.target)
        ? [{ ruleId: rule.id, outcome: outcome.kind, because: reasonOf(outcome) }]
        : [],
    ),
    shortfalls: run.isWhole ? shortfallsOf({ ...run, outcomes: decided }) : [],
    results,
  };
}

function countOutcomes(results: readonly RuleResult[]): Record<OutcomeKind, number> {
  const count = (kind: OutcomeKind): number => results.filter(({ outcome }) => outcome.kind === kind).length;
  // `fromEntries` forgets the keys' type; `outcomeKinds` lists every kind.
  return Object.fromEntries(outcomeKinds.map((kind) => [kind, count(kind)])) as Record<OutcomeKind, number>;
}

function digestOf(document: object): string {
  return `sha256:${createHash('sha256').update(JSON.stringify(document)).digest('hex')}`;
}

/** The outcome of one rule as plain JSON without secrets. */
export function ruleResult(
  { rule, outcome, durationMs }: RuleOutcome,
  { target, withoutEvidence }: Pick<ReportParts['input'], 'target' | 'withoutEvidence'>,
  redact: Redactor = createRedactor(target),
): RuleResult {
  const evidence = withoutEvidence ? [] : outcome.evidence;
  return {
    ruleId: rule.id,
    family: rule.family,
    requirements: rule.requirements,
    cost: rule.cost,
    outcome: outcomeRecord(outcome, redact),
    evidence: evidence.map((exchange) => exchangeRecord(exchange, redact)),
    durationMs: Math.round(durationMs),
  };
}

const bodyExcerptLength = 2_000;

const texts = new Set(['expected', 'actual', 'observation', 'because', 'reason', 'message']);

function outcomeRecord({ evidence: _, ...record }: Outcome, redact: Redactor): OutcomeRecord {
  return JSON.parse(JSON.stringify(record), (member, value) => (texts.has(member) ? redact(value) : value));
}

function exchangeRecord(
  { step, attempt, request, result, timing, rebasedFrom }: Exchange,
  redact: Redactor,
): ExchangeRecord {
  return {
    step,
    attempt,
    request: {
      method: request.method,
      url: redact(request.url),
      headers: headerRecords(request.headers, redact),
      body: bodyRecord(request.body ?? new Uint8Array(), redact),
    },
    response:
      result.kind === 'response'
        ? {
            kind: 'response',
            status: result.status,
            headers: headerRecords(result.headers, redact),
            body: bodyRecord(result.body, redact),
          }
        : { kind: 'no-response', because: result.because, detail: redact(result.detail) },
    durationMs: Math.round(timing.durationMs),
    ...(rebasedFrom === undefined ? {} : { rebasedFrom: redact(rebasedFrom) }),
  };
}

function headerRecords(headers: RawHeaders, redact: Redactor): readonly (readonly [string, string])[] {
  return headers.map(([name, value]) => redactHeader(name, value, redact));
}

function bodyRecord(body: Uint8Array, redact: Redactor): BodyRecord {
  if (body.length === 0) return { kind: 'none' };
  const decoded = decodeText(body);
  if (decoded === undefined) return { kind: 'binary', sizeBytes: body.length };
  // Redacted before it is cut: a cut secret would no longer be recognised.
  const text = redact(decoded);
  return {
    kind: 'text',
    text: text.slice(0, bodyExcerptLength),
    sizeBytes: body.length,
    isCut: text.length > bodyExcerptLength,
  };
}

function decodeText(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}
