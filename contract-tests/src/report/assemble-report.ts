import { createHash } from 'node:crypto';
import type { EffectiveSpecs } from '../../../specs/src/index.ts';
import { type OutcomeKind, outcomeKinds } from '../finding.ts';
import type { Survey } from '../survey.ts';
import type { Target } from '../target.ts';
import type { Redactor } from './redact.ts';
import type { ConformanceReport, MissingRequired, Reachability, RuleResult } from './report.ts';

export type ReportParts = {
  readonly target: Target;
  readonly specs: EffectiveSpecs;
  readonly survey: Survey;
  readonly reachability: Reachability;
  readonly results: readonly RuleResult[];
  readonly missingRequired: readonly MissingRequired[];
  readonly durationMs: number;
};

export function assembleReport(parts: ReportParts, redact: Redactor): ConformanceReport {
  const { target, specs, survey, reachability } = parts;
  return {
    format: 'switchyard-conformance-1',
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
    survey: {
      listed: survey.listed.length,
      models: Object.fromEntries(Object.entries(survey.models).map(([kind, model]) => [kind, redact(model.id)])),
      problems: survey.problems.map(redact),
    },
    durationMs: Math.round(parts.durationMs),
    counts: countOutcomes(parts.results),
    missingRequired: parts.missingRequired,
    results: parts.results,
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
