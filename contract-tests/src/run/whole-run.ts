import type { ProbeContext } from '../contract/context.ts';
import type { Outcome } from '../contract/finding.ts';
import type { Evidence, Exchange } from '../contract/probe.ts';
import type { Rule } from '../contract/rule.ts';
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

/** The exchanges of a run as they were sent, and in the same order under distinct step names: a probe's own are unique within the probe only. */
export type WholeRun = { readonly sent: Evidence; readonly named: Evidence };

export function numbered(log: Evidence): WholeRun {
  return {
    sent: [...log],
    named: log.map((exchange, index) => ({ ...exchange, step: `${index + 1} ${exchange.step}` })),
  };
}

/**
 * What a rule over the whole run reads. An exchange with a finding for another requirement is left out: what else is
 * odd about it may follow from that.
 */
export function evidenceFor(rule: Rule, { sent, named }: WholeRun, attributions: Attributions): Evidence {
  // The same list for most rules: what is read from it is read once.
  if (rule.readsAttributed || attributions.size === 0) return named;
  const isRead = (exchange: Exchange | undefined): boolean => {
    const attributed = exchange === undefined ? undefined : attributions.get(exchange);
    return attributed === undefined || rule.requirements.some((one) => attributed.has(one));
  };
  return named.filter((_, index) => isRead(sent[index]));
}

/** Like the outcome of any rule; of the evidence only exchanges with findings are kept, or each rule would repeat the whole run. */
export function decideWholeRun(rule: Rule, run: Evidence, context: ProbeContext): Outcome {
  const evidence = context.kind === 'mock' ? run.filter(({ result }) => !isMockProblem(result)) : run;
  const outcome = decideOutcome(rule, { evidence, stop: undefined }, context);
  if (outcome.kind !== 'failed') return { ...outcome, evidence: [] };
  const steps = new Set(outcome.findings.map(({ at }) => at.step));
  return { ...outcome, evidence: evidence.filter(({ step }) => steps.has(step)) };
}
