import type { ProbeContext } from '../definitions/context.ts';
import type { Outcome } from '../definitions/finding.ts';
import type { Evidence, Exchange } from '../definitions/probe.ts';
import type { Rule } from '../definitions/rule.ts';
import { decideOutcome, isMockProblem } from './decide-outcome.ts';
import { originalOf } from './perform.ts';

/** Exchanges with a finding, and the requirements of the rules that found it: the findings are attributed to those. */
export type Attributions = Map<Exchange, Set<string>>;

export function attribute(rule: Rule, outcome: Outcome, attributions: Attributions): void {
  if (outcome.kind !== 'failed') return;
  const steps = new Set(outcome.findings.map(({ at }) => at.step));
  for (const exchange of outcome.evidence.filter(({ step }) => steps.has(step))) {
    const sent = originalOf(exchange);
    attributions.set(sent, new Set([...(attributions.get(sent) ?? []), ...rule.requirements]));
  }
}

/** The exchanges of a run under distinct step names: a probe's own are unique within the probe only. */
export function numbered(log: Evidence): ReadonlyMap<Exchange, Exchange> {
  return new Map(
    log.map((exchange, index) => [exchange, { ...exchange, step: `${index + 1} ${exchange.step}` }] as const),
  );
}

/**
 * What a rule over the whole run reads. An exchange with a finding for another requirement is left out: what else is
 * odd about it may follow from that.
 */
export function evidenceFor(rule: Rule, run: ReadonlyMap<Exchange, Exchange>, attributions: Attributions): Evidence {
  return [...run].flatMap(([exchange, named]) => {
    const attributed = attributions.get(exchange);
    const isRead = attributed === undefined || rule.readsAttributed;
    return isRead || rule.requirements.some((one) => attributed.has(one)) ? [named] : [];
  });
}

/** Like the outcome of any rule; of the evidence only exchanges with findings are kept, or each rule would repeat the whole run. */
export function decideWholeRun(rule: Rule, run: Evidence, context: ProbeContext): Outcome {
  const evidence = context.kind === 'mock' ? run.filter(({ result }) => !isMockProblem(result)) : run;
  const outcome = decideOutcome(rule, { evidence, stop: undefined }, context);
  const steps = new Set(outcome.kind === 'failed' ? outcome.findings.map(({ at }) => at.step) : []);
  return { ...outcome, evidence: evidence.filter(({ step }) => steps.has(step)) };
}
