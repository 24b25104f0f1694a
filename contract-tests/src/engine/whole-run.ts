import type { ProbeContext } from '../context.ts';
import type { Outcome } from '../finding.ts';
import type { Evidence, Exchange } from '../probe.ts';
import type { Rule } from '../rule.ts';
import { decideOutcome, isArtefactOfMock } from './decide-outcome.ts';

/** The answers that rules found wrong, with the requirements of those rules. */
export type Accusations = Map<Exchange, Set<string>>;

export function noteAccusations(rule: Rule, outcome: Outcome, accusations: Accusations): void {
  if (outcome.kind !== 'failed') return;
  const places = new Set(outcome.findings.map(({ at }) => at.step));
  for (const exchange of outcome.evidence.filter(({ step }) => places.has(step))) {
    accusations.set(exchange, new Set([...(accusations.get(exchange) ?? []), ...rule.requirements]));
  }
}

/** The exchanges of a run under steps that tell them apart: names of steps are unique within one probe only. */
export function numbered(journal: Evidence): ReadonlyMap<Exchange, Exchange> {
  return new Map(
    journal.map((exchange, index) => [exchange, { ...exchange, step: `${index + 1} ${exchange.step}` }] as const),
  );
}

/**
 * What a rule over the whole run reads. An answer that was found wrong for another requirement is left out: what else is odd
 * about it may follow from that, and would accuse the innocent.
 */
export function evidenceFor(rule: Rule, run: ReadonlyMap<Exchange, Exchange>, accusations: Accusations): Evidence {
  return [...run].flatMap(([exchange, named]) => {
    const accused = accusations.get(exchange);
    const isRead = accused === undefined || rule.readsAccused;
    return isRead || rule.requirements.some((one) => accused.has(one)) ? [named] : [];
  });
}

/** Like any rule's outcome; of the evidence only what was found wrong is kept, for each rule would repeat the whole run. */
export function decideWholeRun(rule: Rule, run: Evidence, context: ProbeContext): Outcome {
  const evidence = context.kind === 'mock' ? run.filter(({ result }) => !isArtefactOfMock(result)) : run;
  const outcome = decideOutcome(rule, { evidence, stop: undefined }, context);
  if (!('evidence' in outcome)) return outcome;
  const places = new Set(outcome.kind === 'failed' ? outcome.findings.map(({ at }) => at.step) : []);
  return { ...outcome, evidence: evidence.filter(({ step }) => places.has(step)) };
}
