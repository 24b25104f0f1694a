import { createHash } from 'node:crypto';
import type { EffectiveSpecs } from '../../../specs/src/index.ts';
import type { Discovery } from '../definitions/discovery.ts';
import { type OutcomeKind, type OutcomeRecord, outcomeKinds } from '../definitions/finding.ts';
import type { Exchange, RawHeaders } from '../definitions/probe.ts';
import type { Rule } from '../definitions/rule.ts';
import { lacksOptionalCapability, type Target } from '../definitions/target.ts';
import type { Reachability } from '../engine/reachability.ts';
import type { RuleOutcome } from '../engine/session.ts';
import { cutReport } from './cut-report.ts';
import { createRedactor, redactHeader, redactTree } from './redact.ts';
import {
  type BodyRecord,
  type ConformanceReport,
  type ExchangeRecord,
  type MissingRequired,
  type RuleResult,
  reasonOf,
} from './report.ts';

export type ReportParts = {
  readonly input: { readonly target: Target; readonly specs: EffectiveSpecs; readonly withoutEvidence?: true };
  readonly discovery: Discovery;
  readonly reachability: Reachability;
  readonly outcomes: readonly RuleOutcome[];
  readonly durationMs: number;
};

/** Everything a run found as plain JSON without secrets: the only form that leaves the engine. */
export function assembleReport(parts: ReportParts): ConformanceReport {
  const whole = wholeReport(parts);
  // Redacted as a whole before anything is cut: a cut secret would no longer be recognised.
  return cutReport(redactTree(whole, createRedactor(parts.input.target)));
}

function wholeReport({ input, discovery, reachability, outcomes, durationMs }: ReportParts): ConformanceReport {
  const { target, specs, withoutEvidence } = input;
  const results = outcomes.map((one) => resultOf(one, withoutEvidence));
  return {
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
    durationMs: Math.round(durationMs),
    counts: countOutcomes(results),
    missingRequired: outcomes.flatMap(({ rule }, index) => missingRequired(rule, results[index]?.outcome, target)),
    results,
  };
}

function missingRequired(rule: Rule, outcome: OutcomeRecord | undefined, target: Target): readonly MissingRequired[] {
  const isRequired = rule.requiredOf.includes(target.kind) && target[rule.api] !== undefined;
  if (outcome === undefined || !isRequired || lacksOptionalCapability(rule.appliesTo, target)) return [];
  if (outcome.kind === 'passed' || outcome.kind === 'failed' || outcome.kind === 'observed') return [];
  return [{ ruleId: rule.id, outcome: outcome.kind, because: reasonOf(outcome) }];
}

function countOutcomes(results: readonly RuleResult[]): Record<OutcomeKind, number> {
  const count = (kind: OutcomeKind): number => results.filter(({ outcome }) => outcome.kind === kind).length;
  // `fromEntries` forgets the keys' type; `outcomeKinds` lists every kind.
  return Object.fromEntries(outcomeKinds.map((kind) => [kind, count(kind)])) as Record<OutcomeKind, number>;
}

function digestOf(document: object): string {
  return `sha256:${createHash('sha256').update(JSON.stringify(document)).digest('hex')}`;
}

function resultOf({ rule, outcome, durationMs }: RuleOutcome, withoutEvidence: true | undefined): RuleResult {
  const { evidence, ...record } = outcome;
  return {
    ruleId: rule.id,
    family: rule.family,
    requirements: rule.requirements,
    cost: rule.cost,
    outcome: record,
    evidence: withoutEvidence ? [] : evidence.map(exchangeRecord),
    durationMs: Math.round(durationMs),
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
