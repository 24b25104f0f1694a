import { createHash } from 'node:crypto';
import type { EffectiveSpecs } from '../../../specs/src/index.ts';
import type { Discovery } from '../definitions/discovery.ts';
import { type OutcomeKind, outcomeKinds } from '../definitions/finding.ts';
import type { Exchange, RawHeaders } from '../definitions/probe.ts';
import type { Rule, RuleOutcome } from '../definitions/rule.ts';
import type { Target } from '../definitions/target.ts';
import type { Reachability } from '../engine/reachability.ts';
import type { TransientRead } from '../engine/transient-reads.ts';
import { isMissing, shortfallsOf } from './completeness.ts';
import { cutExchange, cutTexts } from './cut-texts.ts';
import { createRedactor, redactHeader, redactTree } from './redact.ts';
import { type BodyRecord, type ConformanceReport, type ExchangeRecord, type RuleResult, reasonOf } from './report.ts';

export type ReportParts = {
  readonly input: {
    readonly target: Target;
    readonly specs: EffectiveSpecs;
    readonly rules?: readonly string[];
    readonly shard?: object;
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
  const results = outcomes.map(createRecorder(input));
  const rules = outcomes.map(({ rule }) => rule);
  const head = {
    format: 'switchyard-conformance-2',
    target: {
      kind: target.kind,
      ...(target.router === undefined ? {} : { routerUrl: target.router.url }),
      ...(target.workflow === undefined ? {} : { workflowUrl: target.workflow.url }),
    },
    reachability,
    specs: {
      brand: specs.settings.brand,
      modelRouter: digestOf(specs.modelRouter),
      workflowExecution: digestOf(specs.workflowExecution),
    },
    discovery: {
      listed: discovery.listed.length,
      models: Object.fromEntries(Object.entries(discovery.models).map(([kind, model]) => [kind, model.id])),
      problems: discovery.problems,
    },
    durationMs: Math.round(parts.durationMs),
    transient,
  } as const;
  return {
    ...cutTexts(redactTree(head, createRedactor(target))),
    ...concluded(results, { rules, target, discovery, isWhole: isWhole(input, reachability) }),
  };
}

/** Chosen rules and parts of a run are no whole run, and neither is one that did not reach its target. */
export function isWhole(
  { rules, shard }: ReportParts['input'],
  { kind }: { readonly kind: Reachability['kind'] },
): boolean {
  return rules === undefined && shard === undefined && kind === 'reachable';
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

type ResultInput = Pick<ReportParts['input'], 'target' | 'withoutEvidence'>;

/** Makes the outcome of a rule plain JSON without secrets. Redacted before it is cut: a cut secret would not be recognised. */
export function createRecorder({ target, withoutEvidence }: ResultInput): (outcome: RuleOutcome) => RuleResult {
  const redact = createRedactor(target);
  // Rules share exchanges.
  const records = new WeakMap<Exchange, ExchangeRecord>();
  const recordOf = (exchange: Exchange): ExchangeRecord => {
    const record = records.get(exchange) ?? cutExchange(redactTree(exchangeRecord(exchange), redact));
    records.set(exchange, record);
    return record;
  };
  return ({ rule, outcome, durationMs }) => {
    const { evidence, ...record } = outcome;
    const result = {
      ruleId: rule.id,
      family: rule.family,
      requirements: rule.requirements,
      cost: rule.cost,
      outcome: record,
      durationMs: Math.round(durationMs),
    };
    return { ...cutTexts(redactTree(result, redact)), evidence: withoutEvidence ? [] : evidence.map(recordOf) };
  };
}

function exchangeRecord({ step, attempt, request, result, timing, rebasedFrom }: Exchange): ExchangeRecord {
  return {
    step,
    attempt,
    request: {
      method: request.method,
      url: request.url,
      headers: headerRecords(request.headers),
      body: bodyRecord(request.body ?? new Uint8Array()),
    },
    response:
      result.kind === 'response'
        ? {
            kind: 'response',
            status: result.status,
            headers: headerRecords(result.headers),
            body: bodyRecord(result.body),
          }
        : { kind: 'no-response', because: result.because, detail: result.detail },
    durationMs: Math.round(timing.durationMs),
    ...(rebasedFrom === undefined ? {} : { rebasedFrom }),
  };
}

function headerRecords(headers: RawHeaders): readonly (readonly [string, string])[] {
  return headers.map(([name, value]) => redactHeader(name, value));
}

/** Of a body, before it is redacted; a multiple of what is shown, because redacted text is shorter. */
const bodyReadAtMost = 64 * 1024;

function bodyRecord(body: Uint8Array): BodyRecord {
  if (body.length === 0) return { kind: 'none' };
  const text = decodeText(body);
  if (text === undefined) return { kind: 'binary', sizeBytes: body.length };
  const isCut = text.length > bodyReadAtMost;
  return { kind: 'text', text: text.slice(0, bodyReadAtMost), sizeBytes: body.length, isCut };
}

function decodeText(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}
