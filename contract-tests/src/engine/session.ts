import type { EffectiveSpecs } from '../../../specs/src/index.ts';
import { createContext, type ProbeContext } from '../context.ts';
import type { Outcome } from '../finding.ts';
import type { Ports } from '../ports.ts';
import type { Rule, RuleId } from '../rule.ts';
import type { Survey } from '../survey.ts';
import type { Applicability, Target } from '../target.ts';
import { decideOutcome, outcomeOfThrown } from './decide-outcome.ts';
import type { Limits } from './limits.ts';
import { performProbe, type Sender } from './perform.ts';
import type { Planned } from './plan.ts';
import { reach } from './reach.ts';

export type Judged = { readonly rule: Rule; readonly outcome: Outcome; readonly durationMs: number };

export type SessionInput = {
  readonly target: Target;
  readonly specs: EffectiveSpecs;
  readonly survey: Survey;
  readonly limits: Limits;
  /** On the ports' clock; rules that come later are `setup-failed`. */
  readonly endsAtMs: number;
};

export type Session = {
  run(planned: Planned): Promise<Judged>;
  /** Why nothing more is sent, once the target stopped answering altogether. */
  lost(): string | undefined;
};

type State = { readonly ledger: Map<RuleId, Outcome>; lost: string | undefined };

/** Runs rules one after the other; what a rule came to decides about those that need it. */
export function openSession(input: SessionInput, ports: Ports): Session {
  const context = createContext(input.target, input.specs, input.survey);
  const sender: Sender = { target: input.target, ports, requestDeadlineMs: input.limits.requestMs };
  const state: State = { ledger: new Map(), lost: undefined };
  return {
    lost: () => state.lost,
    run: async ({ rule, applicability }) => {
      const startedAtMs = ports.clock.now();
      const outcome =
        outcomeWithoutProbe(rule, applicability, state, startedAtMs < input.endsAtMs) ??
        (await outcomeOfProbe(rule, { context, sender, input }));
      state.ledger.set(rule.id, outcome);
      if (state.lost === undefined && leftUnanswered(outcome)) state.lost = await reach(rule.api, sender);
      return { rule, outcome, durationMs: ports.clock.now() - startedAtMs };
    },
  };
}

type Probing = { readonly context: ProbeContext; readonly sender: Sender; readonly input: SessionInput };

async function outcomeOfProbe(rule: Rule, { context, sender, input }: Probing): Promise<Outcome> {
  try {
    const endsAtMs = Math.min(sender.ports.clock.now() + input.limits.ruleMs, input.endsAtMs);
    const performance = await performProbe(rule.probe(context), sender, endsAtMs);
    return decideOutcome(rule, performance, context);
  } catch (error) {
    return outcomeOfThrown(error, []);
  }
}

function outcomeWithoutProbe(
  rule: Rule,
  applicability: Applicability,
  state: State,
  hasTime: boolean,
): Outcome | undefined {
  if (applicability.kind !== 'applies') return { ...applicability, evidence: [] };
  const blocked = blockedBy(rule, state.ledger);
  if (blocked !== undefined) return blocked;
  if (state.lost !== undefined)
    return { kind: 'setup-failed', reason: `the target stopped answering: ${state.lost}`, evidence: [] };
  return hasTime
    ? undefined
    : { kind: 'setup-failed', reason: 'the deadline of the whole run had passed', evidence: [] };
}

function blockedBy(rule: Rule, ledger: ReadonlyMap<RuleId, Outcome>): Outcome | undefined {
  for (const need of rule.needs) {
    const outcome = ledger.get(need);
    if (outcome === undefined || outcome.kind === 'passed' || outcome.kind === 'observed') continue;
    if (outcome.kind === 'not-applicable' || outcome.kind === 'not-observable') {
      return { kind: outcome.kind, because: `it needs ${need}: ${outcome.because}`, evidence: [] };
    }
    return { kind: 'blocked', by: need };
  }
  return undefined;
}

function leftUnanswered(outcome: Outcome): boolean {
  return 'evidence' in outcome && outcome.evidence.some(({ result }) => result.kind === 'no-response');
}
