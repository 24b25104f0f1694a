import { createHash } from 'node:crypto';
import type { EffectiveSpecs } from '../../../specs/src/index.ts';
import type { Discovery } from '../contract/discovery.ts';
import { type OutcomeKind, outcomeKinds } from '../contract/finding.ts';
import type { Exchange, RawHeaders } from '../contract/probe.ts';
import type { Rule, RuleOutcome } from '../contract/rule.ts';
import type { Target } from '../contract/target.ts';
import type { Reachability } from '../run/reachability.ts';
import type { RunRecord } from '../run/run-budget.ts';
import type { TransientRead } from '../run/transient-reads.ts';
import { isMissing, shortfallsOf } from './completeness.ts';
import { coverageOf } from './coverage.ts';
import { shellHeaders } from './curl-line.ts';
import { cutExchange, cutTexts } from './cut-texts.ts';
import { groupFindings, recordFindings } from './findings.ts';
import { requirementOf } from './meanings.ts';
import { createHeaderRedactor, createRedactor, type Redactor, redactTree } from './redact.ts';
import { type BodyRecord, type ConformanceReport, type ExchangeRecord, type RuleResult, reasonOf } from './report.ts';

export type ReportParts = {
  readonly input: {
    readonly target: Target;
    readonly specs: EffectiveSpecs;
    readonly rules?: readonly string[];
    readonly shard?: object;
    readonly withoutEvidence?: true;
    readonly planOnly?: true;
  };
  readonly discovery: Discovery;
  readonly reachability: Reachability;
  readonly outcomes: readonly RuleOutcome[];
  readonly transient: readonly TransientRead[];
  readonly runs: readonly RunRecord[];
  /** What the rules that a live target could be asked for would send. */
  readonly plan?: readonly RunRecord[];
  readonly durationMs: number;
};

/** Everything a run found as plain JSON without secrets: the only form that leaves the engine. */
export function assembleReport(parts: ReportParts): ConformanceReport {
  const { input, discovery, reachability, outcomes, transient } = parts;
  const { target, specs } = input;
  const results = outcomes.map(createRecorder(input));
  const rules = outcomes.map(({ rule }) => rule);
  const head = {
    format: 'switchyard-conformance-3',
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
    ...(target.kind === 'live' ? { budget: budgetOf(target, parts) } : {}),
  } as const;
  return {
    ...cutTexts(redactTree(head, createRedactor(target))),
    ...concluded(results, { rules, target, discovery, isWhole: isWhole(input, reachability) }),
  };
}

function budgetOf({ budget }: Target, { input, runs, plan }: ReportParts): NonNullable<ConformanceReport['budget']> {
  const started = (calls: readonly RunRecord[]): number => calls.filter(({ state }) => state !== 'returned').length;
  return {
    runs: budget?.runs ?? 0,
    used: started(runs),
    ...(started(runs) === 0 ? {} : { cost: costOf(runs, budget) }),
    calls: runs,
    // One more run is reserved for a call that has to be rejected.
    ...(plan === undefined ? {} : { needed: started(plan) + 1, ...(input.planOnly ? { plan } : {}) }),
  };
}

function costOf(runs: readonly RunRecord[], budget: Target['budget']) {
  const used = runs.filter(({ state }) => state !== 'returned');
  const prices = used.flatMap(({ model }) => budget?.models.find(({ id }) => id === model)?.maxCostCents ?? []);
  return { atMostCents: prices.reduce((sum, price) => sum + price, 0), unpricedRuns: used.length - prices.length };
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
): Pick<
  ConformanceReport,
  'counts' | 'coverage' | 'missingRequired' | 'shortfalls' | 'results' | 'groups' | 'requirements'
> {
  const decided = run.rules.flatMap((rule, index) => {
    const result = results[index];
    return result === undefined ? [] : [{ rule, outcome: result.outcome, why: result.why }];
  });
  return {
    counts: countOutcomes(results),
    coverage: coverageOf(decided, run.target),
    missingRequired: decided.flatMap(({ rule, outcome }) =>
      isMissing({ rule, outcome }, run.target)
        ? [{ ruleId: rule.id, outcome: outcome.kind, because: reasonOf(outcome) }]
        : [],
    ),
    shortfalls: run.isWhole ? shortfallsOf({ ...run, outcomes: decided }) : [],
    results,
    groups: groupFindings(results),
    requirements: citedRequirements(results),
  };
}

function citedRequirements(results: readonly RuleResult[]): ConformanceReport['requirements'] {
  const cited = new Set(results.flatMap(({ requirements }) => requirements));
  return Object.fromEntries(
    [...cited].toSorted().flatMap((id) => {
      const known = requirementOf(id);
      return known === undefined ? [] : [[id, { section: known.section, statement: known.statement }]];
    }),
  );
}

function countOutcomes(results: readonly RuleResult[]): Record<OutcomeKind, number> {
  const count = (kind: OutcomeKind): number => results.filter(({ outcome }) => outcome.kind === kind).length;
  // `fromEntries` forgets the keys' type; `outcomeKinds` lists every kind.
  return Object.fromEntries(outcomeKinds.map((kind) => [kind, count(kind)])) as Record<OutcomeKind, number>;
}

function digestOf(document: object): string {
  return `sha256:${createHash('sha256').update(JSON.stringify(document)).digest('hex')}`;
}

type ResultInput = Pick<ReportParts['input'], 'target' | 'specs' | 'withoutEvidence'>;

/** Makes the outcome of a rule plain JSON without secrets. Redacted before it is cut: a cut secret would not be recognised. */
export function createRecorder(input: ResultInput): (outcome: RuleOutcome) => RuleResult {
  const { target, withoutEvidence } = input;
  const redact = createRedactor(target);
  const secrets = { target, redact, redactHeader: createHeaderRedactor(target) };
  // Rules share exchanges.
  const records = new WeakMap<Exchange, ExchangeRecord>();
  const recordOf = (exchange: Exchange): ExchangeRecord => {
    const record = records.get(exchange) ?? cutExchange(redactTree(exchangeRecord(exchange, secrets), redact));
    records.set(exchange, record);
    return record;
  };
  return ({ rule, outcome, durationMs }) => {
    const { evidence, why, ...record } = outcome;
    const result = {
      ruleId: rule.id,
      family: rule.family,
      sentence: rule.sentence,
      requirements: rule.requirements,
      cost: rule.cost,
      durationMs: Math.round(durationMs),
      ...(why === undefined ? {} : { why: redactTree(why, redact) }),
    };
    const decided = cutTexts(redactTree(record, redact));
    return {
      ...result,
      outcome:
        decided.kind === 'failed'
          ? { ...decided, findings: recordFindings(decided.findings, evidence.map(recordOf), input) }
          : decided,
      evidence: withoutEvidence ? [] : evidence.map(recordOf),
    };
  };
}

type Secrets = {
  readonly target: Target;
  readonly redact: Redactor;
  readonly redactHeader: ReturnType<typeof createHeaderRedactor>;
};

function exchangeRecord(exchange: Exchange, secrets: Secrets): ExchangeRecord {
  const { step, attempt, api, request, result, timing, rebasedFrom } = exchange;
  const credentials = shellHeaders(request.headers, api, secrets);
  const headerRecords = (headers: RawHeaders) => headers.map(([name, value]) => secrets.redactHeader(name, value));
  return {
    step,
    attempt,
    request: {
      method: request.method,
      url: request.url,
      headers: headerRecords(request.headers),
      body: bodyRecord(request.body ?? new Uint8Array()),
      ...(credentials.length === 0 ? {} : { credentials }),
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
    startedAtMs: Math.round(timing.startedAtMs),
    durationMs: Math.round(timing.durationMs),
    ...(result.kind === 'response' && result.waitMs !== undefined ? { waitMs: result.waitMs } : {}),
    ...(rebasedFrom === undefined ? {} : { rebasedFrom }),
  };
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
