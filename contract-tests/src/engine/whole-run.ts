import type { ProbeContext } from '../context.ts';
import type { Outcome } from '../finding.ts';
import type { Evidence, Exchange } from '../probe.ts';
import type { Rule } from '../rule.ts';
import { decideOutcome, isArtefactOfMock } from './decide-outcome.ts';

/** The answers that a rule found wrong. */
export function faultedIn(outcome: Outcome): readonly Exchange[] {
  if (outcome.kind !== 'failed') return [];
  const places = new Set(outcome.findings.map(({ at }) => at.step));
  return outcome.evidence.filter(({ step }) => places.has(step));
}

/**
 * The exchanges of a run, under steps that tell them apart: names of steps are unique within one probe only. An answer that
 * was found wrong is left out: what else is odd about it may follow from that, and would accuse the innocent.
 */
export function numbered(journal: Evidence, faulted: ReadonlySet<Exchange>): Evidence {
  return journal.flatMap((exchange, index) =>
    faulted.has(exchange) ? [] : [{ ...exchange, step: `${index + 1} ${exchange.step}` }],
  );
}

/** Like any rule's outcome; of the evidence only what was found wrong is kept, for each rule would repeat the whole run. */
export function decideWholeRun(rule: Rule, run: Evidence, context: ProbeContext): Outcome {
  const evidence = context.kind === 'mock' ? run.filter(({ result }) => !isArtefactOfMock(result)) : run;
  const outcome = decideOutcome(rule, { evidence, stop: undefined }, context);
  if (!('evidence' in outcome)) return outcome;
  const places = new Set(outcome.kind === 'failed' ? outcome.findings.map(({ at }) => at.step) : []);
  return { ...outcome, evidence: evidence.filter(({ step }) => places.has(step)) };
}
