import type { Outcome, OutcomeKind } from '../contract/finding.ts';

/** Of two outcomes of one rule the one that says more: a finding over a verdict, a verdict over none. */
const weight: Readonly<Record<OutcomeKind, number>> = {
  failed: 7,
  errored: 6,
  observed: 5,
  passed: 4,
  'setup-failed': 3,
  blocked: 2,
  'not-applicable': 1,
  'not-observable': 0,
};

/** True when the second outcome of a rule takes the place of the first. */
export function outweighs(one: OutcomeKind, other: OutcomeKind): boolean {
  return weight[other] > weight[one];
}

const findingsShown = 100;
const exchangesShown = 20;

/** One outcome of two parts of a run. Exchanges are kept for findings alone: the parts may be a thousand. */
export function combined(one: Outcome, other: Outcome): Outcome {
  if (one.kind !== 'failed' || other.kind !== 'failed') {
    const chosen = outweighs(one.kind, other.kind) ? other : one;
    return chosen.kind === 'failed' ? chosen : { ...chosen, evidence: one.evidence };
  }
  const [first, ...rest] = one.findings;
  const evidence = one.evidence.length >= exchangesShown ? one.evidence : [...one.evidence, ...other.evidence];
  return { ...one, findings: [first, ...[...rest, ...other.findings].slice(0, findingsShown - 1)], evidence };
}
