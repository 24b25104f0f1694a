import type { EffectiveSpecs } from '../../../specs/src/index.ts';
import { createContext, type ProbeContext } from '../contract/context.ts';
import type { Discovery } from '../contract/discovery.ts';
import { SetupFailure } from '../contract/errors.ts';
import type { Outcome } from '../contract/finding.ts';
import type { Probe } from '../contract/probe.ts';
import { type Rule, type RuleId, type RuleOutcome, wholeRun } from '../contract/rule.ts';
import { decideOutcome, outcomeOfThrown } from './decide-outcome.ts';
import { earlierProbes, type Journal, whyHung } from './journal.ts';
import { originalOf, type ProbeRun, performProbe, type Sender } from './perform.ts';
import type { Planned } from './plan.ts';
import { whyUnreachable } from './reachability.ts';
import { createSemaphore, type Semaphore } from './semaphore.ts';
import { type Attributions, attribute, decideWholeRun, evidenceFor, numbered, type WholeRun } from './whole-run.ts';

/** Declared deadlines in milliseconds; nothing in a run waits longer. */
export type Deadlines = {
  readonly requestMs: number;
  /** Of a response to a call that may start a run of a live target, which may hold it (MR-LIM-01). */
  readonly heldMs: number;
  readonly ruleMs: number;
  readonly runMs: number;
};

export type SessionInput = {
  readonly specs: EffectiveSpecs;
  readonly discovery: Discovery;
  readonly limits: Deadlines;
  /** On the ports' clock; a rule that starts later is `setup-failed`. */
  readonly endsAtMs: number;
  readonly journal: Journal;
};

export type SessionOutcome = {
  readonly outcomes: readonly RuleOutcome[];
  /** Why the target was given up during the run. */
  readonly lost: string | undefined;
};

type Session = SessionInput & {
  readonly context: ProbeContext;
  readonly sender: Sender;
  readonly outcomes: Map<RuleId, Promise<Outcome>>;
  /** Rules that name the same probe check the same evidence: it is sent, and paid for, once. */
  readonly probeRuns: Map<Rule['probe'], Promise<ProbeRun>>;
  /** Duration of each probe without its wait for the semaphore (ms). */
  readonly durations: Map<Rule['probe'], number>;
  readonly semaphore: Semaphore;
  readonly attributions: Attributions;
  wholeRun: WholeRun | undefined;
  lost: string | undefined;
};

/** Runs the rules of a plan against one target; the outcome of a rule decides about the rules that need it. */
export async function runSession(
  plan: readonly Planned[],
  input: SessionInput,
  sender: Sender,
): Promise<SessionOutcome> {
  const concurrency = sender.ports.concurrency ?? 1;
  const earlier = earlierProbes(plan, input.journal.earlier, sender.log.exchanges);
  const session: Session = {
    ...input,
    sender,
    context: createContext(sender.target, input.specs, input.discovery),
    outcomes: new Map(),
    probeRuns: new Map([...earlier].map(([probe, { run }]) => [probe, Promise.resolve(run)])),
    durations: new Map([...earlier].map(([probe, { durationMs }]) => [probe, durationMs])),
    semaphore: createSemaphore(concurrency),
    attributions: new Map(),
    wholeRun: undefined,
    lost: undefined,
  };
  // The waits of one probe are spent on others. Rules over the whole run start when every probe has ended.
  if (concurrency > 1) for (const planned of plan) if (planned.rule.probe !== wholeRun) void runRule(planned, session);
  const outcomes: RuleOutcome[] = [];
  for (const planned of plan) {
    const { rule } = planned;
    const outcome = await runRule(planned, session);
    outcomes.push(ruleOutcome(rule, outcome, session));
  }
  return { outcomes, lost: session.lost };
}

/** Runs a rule once. */
function runRule(planned: Planned, session: Session): Promise<Outcome> {
  const { rule } = planned;
  const pending = session.outcomes.get(rule.id) ?? decideRule(planned, session);
  session.outcomes.set(rule.id, pending);
  return pending;
}

/** Reports a verdict in the turn that reaches it: in the next one, the check of another rule may hang. */
async function decideRule(planned: Planned, session: Session): Promise<Outcome> {
  const { journal } = session;
  const { rule } = planned;
  const decide = await untilDecidable(planned, session);
  journal.startsOn({ kind: 'rule', ruleId: rule.id });
  const outcome = decide();
  journal.decides(ruleOutcome(rule, outcome, session));
  return outcome;
}

function ruleOutcome(rule: Rule, outcome: Outcome, { durations }: Session): RuleOutcome {
  return { rule, outcome, durationMs: durations.get(rule.probe) ?? 0 };
}

async function untilDecidable({ rule, applicability }: Planned, session: Session): Promise<() => Outcome> {
  if (applicability.kind !== 'applies') return () => ({ ...applicability, evidence: [] });
  const message = whyHung(session.journal.earlier, { kind: 'rule', ruleId: rule.id });
  if (message !== undefined) return () => ({ kind: 'errored', message, evidence: [] });
  const blocked = await blockedBy(rule, session.outcomes);
  if (blocked !== undefined) return () => blocked;
  if (rule.probe === wholeRun) return () => decideOverall(rule, session);
  try {
    const probeRun = await probeRunOf(rule, session);
    return () => decideProbed(rule, probeRun, session);
  } catch (error) {
    return () => outcomeOfThrown(error, []);
  }
}

function decideProbed(rule: Rule, probeRun: ProbeRun, session: Session): Outcome {
  const outcome = decideOutcome(rule, probeRun, session.context);
  attribute(rule, outcome, session.attributions);
  return outcome;
}

function decideOverall(rule: Rule, session: Session): Outcome {
  session.wholeRun ??= numbered(session.sender.log.exchanges);
  return decideWholeRun(rule, evidenceFor(rule, session.wholeRun, session.attributions), session.context);
}

async function blockedBy(rule: Rule, outcomes: Session['outcomes']): Promise<Outcome | undefined> {
  for (const need of rule.needs) {
    const outcome = await outcomes.get(need);
    if (outcome === undefined || outcome.kind === 'passed' || outcome.kind === 'observed') continue;
    if (outcome.kind === 'not-applicable' || outcome.kind === 'not-observable') {
      return { ...outcome, because: `it needs ${need}: ${outcome.because}`, evidence: [] };
    }
    return { kind: 'blocked', by: need, evidence: [] };
  }
  return undefined;
}

function probeRunOf(rule: Rule, session: Session): Promise<ProbeRun> {
  const earlier = session.probeRuns.get(rule.probe);
  if (earlier !== undefined) return earlier;
  const pending = runProbe(rule, session);
  session.probeRuns.set(rule.probe, pending);
  return pending;
}

async function runProbe(rule: Rule, session: Session): Promise<ProbeRun> {
  session.journal.startsOn({ kind: 'rule', ruleId: rule.id });
  const probe = typeof rule.probe === 'function' ? rule.probe(session.context) : rule.probe;
  // Time that passes for one probe passes for all that are under way, and a scripted failure meets any call.
  const exclusive = probe.some(({ passMs, script }) => passMs !== undefined || script !== undefined);
  return await session.semaphore(() => sendProbe(rule, probe, session), exclusive);
}

async function sendProbe(rule: Rule, probe: Probe, session: Session): Promise<ProbeRun> {
  const { limits, endsAtMs, journal } = session;
  const { id: ruleId, cost } = rule;
  const sender = {
    ...session.sender,
    rule: { id: ruleId, cost },
    onReading: () => journal.startsOn({ kind: 'rule', ruleId }),
  };
  const startedAtMs = sender.ports.clock.now();
  if (session.lost !== undefined) throw new SetupFailure(`the target stopped answering: ${session.lost}`);
  if (startedAtMs >= endsAtMs) throw new SetupFailure('the deadline of the whole run had passed');
  journal.learns({ kind: 'probe-started', ruleId });
  const probeRun = await performProbe(probe, sender, Math.min(startedAtMs + limits.ruleMs, endsAtMs));
  const durationMs = sender.ports.clock.now() - startedAtMs;
  session.durations.set(rule.probe, durationMs);
  const evidence = probeRun.evidence.map((exchange) => ({
    at: sender.log.exchanges.indexOf(originalOf(exchange)),
    step: exchange.step,
  }));
  journal.learns({ kind: 'probe-ended', ruleId, evidence, stop: probeRun.stop, durationMs });
  const isUnanswered = probeRun.evidence.some(({ result }) => result.kind === 'no-response');
  if (isUnanswered) session.lost ??= await whyUnreachable(rule.api, sender);
  return probeRun;
}
