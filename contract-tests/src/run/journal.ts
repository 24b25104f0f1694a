import type { Brand } from '../../../specs/src/index.ts';
import type { Discovery } from '../contract/discovery.ts';
import type { Evidence, Exchange } from '../contract/probe.ts';
import type { Rule, RuleId, RuleOutcome } from '../contract/rule.ts';
import type { Capability } from '../requires.ts';
import type { ProbeRun } from './perform.ts';
import type { Planned } from './plan.ts';
import type { Reachability } from './reachability.ts';
import type { RunRecord } from './run-budget.ts';

/** What is computed from data of the target: it is what hangs when it never ends. */
export type Work =
  | { readonly kind: 'rule'; readonly ruleId: RuleId }
  | { readonly kind: 'answer'; readonly to: string };

/** What a run knows of its target before the first rule. */
export type Findings = {
  readonly reachability: Reachability;
  readonly discovery: Discovery;
  /** Beyond those that the target declares. */
  readonly capabilities: readonly Capability[];
  /** Where the router uses another one than the specifications of the run. */
  readonly otherBrand: Brand | undefined;
};

/**
 * What a run has learned, as plain data in order. `evidence` counts exchanges from the first one of the run, and names the
 * steps that they answer.
 */
export type Fact =
  | { readonly kind: 'exchange'; readonly exchange: Exchange }
  | ({ readonly kind: 'findings' } & Findings)
  | { readonly kind: 'probe-started'; readonly ruleId: RuleId }
  | {
      readonly kind: 'probe-ended';
      readonly ruleId: RuleId;
      readonly evidence: readonly { readonly at: number; readonly step: string }[];
      readonly stop: ProbeRun['stop'];
      readonly durationMs: number;
    }
  /** A request that could start a run: before it is sent, and again when its response came. */
  | { readonly kind: 'run'; readonly index: number; readonly record: RunRecord }
  | { readonly kind: 'hung'; readonly work: Work; readonly because: string };

/** Lets a run be ended from outside, and go on in another process from the facts of the ended one. */
export type Journal = {
  readonly earlier: readonly Fact[];
  startsOn(work: Work): void;
  learns(fact: Fact): void;
  decides(outcome: RuleOutcome): void;
};

export const noJournal: Journal = {
  earlier: [],
  startsOn: () => undefined,
  learns: () => undefined,
  decides: () => undefined,
};

export function earlierExchanges(earlier: readonly Fact[]): Evidence {
  return earlier.flatMap((fact) => (fact.kind === 'exchange' ? [fact.exchange] : []));
}

export function earlierRuns(earlier: readonly Fact[]): readonly RunRecord[] {
  const records: RunRecord[] = [];
  for (const fact of earlier) if (fact.kind === 'run') records[fact.index] = fact.record;
  return records;
}

/** Why a rule, or the answer to a request of discovery, is not looked at again; undefined when it may be. */
export function whyHung(earlier: readonly Fact[], work: Work): string | undefined {
  const hung = earlier.find((fact) => fact.kind === 'hung' && sameWork(fact.work, work));
  return hung?.kind === 'hung' ? hung.because : undefined;
}

export function sameWork(one: Work, other: Work): boolean {
  return one.kind === 'rule'
    ? other.kind === 'rule' && one.ruleId === other.ruleId
    : other.kind === 'answer' && one.to === other.to;
}

export type EarlierProbe = { readonly run: ProbeRun; readonly durationMs: number };

/**
 * The probes that an ended process has sent. One that it was still sending is sent again, unless that may be billed: then
 * the rules of that probe are `setup-failed`.
 */
export function earlierProbes(
  plan: readonly Planned[],
  earlier: readonly Fact[],
  exchanges: Evidence,
): ReadonlyMap<Rule['probe'], EarlierProbe> {
  const probeOf = new Map(plan.map(({ rule }) => [rule.id, rule.probe]));
  const reserved = new Set(earlierRuns(earlier).map(({ ruleId }) => ruleId));
  const mayBeBilled = plan.filter(({ rule }) => rule.cost !== 'free' || reserved.has(rule.id));
  const billed = new Set(mayBeBilled.map(({ rule }) => rule.probe));
  const probes = new Map<Rule['probe'], EarlierProbe>();
  for (const fact of earlier) {
    if (fact.kind !== 'probe-started' && fact.kind !== 'probe-ended') continue;
    const probe = probeOf.get(fact.ruleId);
    if (probe === undefined) continue;
    if (fact.kind === 'probe-ended') {
      const evidence = fact.evidence.flatMap(({ at, step }) => {
        const exchange = exchanges[at];
        if (exchange === undefined) return [];
        return exchange.step === step ? exchange : { ...exchange, step };
      });
      probes.set(probe, { run: { evidence, stop: fact.stop }, durationMs: fact.durationMs });
    } else if (billed.has(probe)) probes.set(probe, { run: cutOff, durationMs: 0 });
  }
  return probes;
}

const cutOff: ProbeRun = {
  evidence: [],
  stop: {
    kind: 'setup-failed',
    reason: 'its requests were under way when another rule hung, and what may be billed is not sent again',
  },
};
