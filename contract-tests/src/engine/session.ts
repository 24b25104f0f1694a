import type { EffectiveSpecs } from '../../../specs/src/index.ts';
import { createContext, type ProbeContext } from '../context.ts';
import { SetupFailure } from '../errors.ts';
import type { Outcome } from '../finding.ts';
import type { Ports } from '../ports.ts';
import type { Evidence, Exchange, Probe } from '../probe.ts';
import { type Rule, type RuleId, wholeRun } from '../rule.ts';
import type { Survey } from '../survey.ts';
import type { Target } from '../target.ts';
import { decideOutcome, outcomeOfThrown } from './decide-outcome.ts';
import type { Limits } from './limits.ts';
import { type Performance, performProbe, type Sender } from './perform.ts';
import type { Planned } from './plan.ts';
import { reach } from './reach.ts';
import { createTurnstile, type Turnstile } from './turnstile.ts';
import { type Accusations, decideWholeRun, evidenceFor, noteAccusations, numbered } from './whole-run.ts';

export type Judged = { readonly rule: Rule; readonly outcome: Outcome; readonly durationMs: number };

export type SessionInput = {
  readonly target: Target;
  readonly specs: EffectiveSpecs;
  readonly survey: Survey;
  readonly limits: Limits;
  /** On the ports' clock; rules that come later are `setup-failed`. */
  readonly endsAtMs: number;
  /** What was exchanged before the session: greetings and the survey. */
  readonly earlier: Evidence;
};

export type Session = {
  /** Judges a rule once, after those that it needs; several may run at once when they were begun in the order of the plan. */
  run(planned: Planned): Promise<Judged>;
  /** Why nothing more is sent, once the target stopped answering altogether. */
  lost(): string | undefined;
};

type State = {
  readonly input: SessionInput;
  readonly context: ProbeContext;
  readonly sender: Sender;
  readonly ledger: Map<RuleId, Promise<Outcome>>;
  /** By probe: rules that name the same probe judge the same evidence, which is sent (and paid) once. */
  readonly performed: Map<Rule['probe'], Promise<Performance>>;
  /** How long each probe took, without its wait for a place (ms). */
  readonly spent: Map<Rule['probe'], number>;
  readonly turnstile: Turnstile;
  readonly accusations: Accusations;
  wholeRun: ReadonlyMap<Exchange, Exchange> | undefined;
  lost: string | undefined;
};

/** Runs rules against one target; what a rule came to decides about those that need it. */
export function openSession(input: SessionInput, ports: Ports): Session {
  const journal: Exchange[] = [...input.earlier];
  const state: State = {
    input,
    context: createContext(input.target, input.specs, input.survey),
    sender: { target: input.target, ports, requestDeadlineMs: input.limits.requestMs, journal },
    ledger: new Map(),
    performed: new Map(),
    spent: new Map(),
    // Few at a time, and one on a live target: probes share its ceilings and windows.
    turnstile: createTurnstile(input.target.kind === 'live' ? 1 : 4),
    accusations: new Map(),
    wholeRun: undefined,
    lost: undefined,
  };
  return {
    lost: () => state.lost,
    run: async (planned) => {
      const { rule } = planned;
      const pending = state.ledger.get(rule.id) ?? outcomeOf(planned, state);
      state.ledger.set(rule.id, pending);
      const outcome = await pending;
      return { rule, outcome, durationMs: state.spent.get(rule.probe) ?? 0 };
    },
  };
}

async function outcomeOf({ rule, applicability }: Planned, state: State): Promise<Outcome> {
  if (applicability.kind !== 'applies') return { ...applicability, evidence: [] };
  const blocked = await blockedBy(rule, state.ledger);
  if (blocked !== undefined) return blocked;
  if (rule.probe === wholeRun) return decideWholeRun(rule, wholeRunFor(rule, state), state.context);
  try {
    const outcome = decideOutcome(rule, await performanceOf(rule, state), state.context);
    noteAccusations(rule, outcome, state.accusations);
    return outcome;
  } catch (error) {
    return outcomeOfThrown(error, []);
  }
}

function wholeRunFor(rule: Rule, state: State): Evidence {
  // Made once: no exchange comes after the first rule that reads it.
  state.wholeRun ??= numbered(state.sender.journal);
  return evidenceFor(rule, state.wholeRun, state.accusations);
}

function performanceOf(rule: Rule, state: State): Promise<Performance> {
  const earlier = state.performed.get(rule.probe);
  if (earlier !== undefined) return earlier;
  const pending = performInTurn(rule, state);
  state.performed.set(rule.probe, pending);
  return pending;
}

async function performInTurn(rule: Rule, state: State): Promise<Performance> {
  const probe = rule.probe(state.context);
  // Time that passes for one probe passes for all that are under way.
  const alone = probe.steps.some(({ passMs }) => passMs !== undefined);
  return await state.turnstile(() => perform(rule, probe, state), alone);
}

async function perform(rule: Rule, probe: Probe, state: State): Promise<Performance> {
  const { sender, input } = state;
  if (state.lost !== undefined) throw new SetupFailure(`the target stopped answering: ${state.lost}`);
  if (sender.ports.clock.now() >= input.endsAtMs) throw new SetupFailure('the deadline of the whole run had passed');
  const endsAtMs = Math.min(sender.ports.clock.now() + input.limits.ruleMs, input.endsAtMs);
  const startedAtMs = sender.ports.clock.now();
  const performance = await performProbe(probe, sender, endsAtMs);
  state.spent.set(rule.probe, sender.ports.clock.now() - startedAtMs);
  if (state.lost === undefined && leftUnanswered(performance.evidence)) state.lost = await reach(rule.api, sender);
  return performance;
}

async function blockedBy(rule: Rule, ledger: State['ledger']): Promise<Outcome | undefined> {
  for (const need of rule.needs) {
    const outcome = await ledger.get(need);
    if (outcome === undefined || outcome.kind === 'passed' || outcome.kind === 'observed') continue;
    if (outcome.kind === 'not-applicable' || outcome.kind === 'not-observable') {
      return { kind: outcome.kind, because: `it needs ${need}: ${outcome.because}`, evidence: [] };
    }
    return { kind: 'blocked', by: need };
  }
  return undefined;
}

function leftUnanswered(evidence: Evidence): boolean {
  return evidence.some(({ result }) => result.kind === 'no-response');
}
