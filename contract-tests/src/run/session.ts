import pMap from 'p-map';
import { createContext, type ProbeContext } from '../contract/context.ts';
import { HarnessError, NoOccasion, SetupFailure } from '../contract/errors.ts';
import { decodeBody, once, readMediaType, readMember } from '../contract/evidence.ts';
import { excerpt, type Finding, finding, type NonEmpty, type Outcome, type RuleFinding } from '../contract/finding.ts';
import type { Evidence, Exchange } from '../contract/probe.ts';
import { areRequired, findChoice, readingsBehind } from '../contract/readings.ts';
import { wordReason } from '../contract/reasons.ts';
import { type Rule, type RuleId, wholeCheck } from '../contract/rule.ts';
import { get, modelPath, onKeptConnection } from '../contract/steps.ts';
import { listRows } from '../requires.ts';
import type { Check } from './check.ts';
import { isDownPage, isProxyPage } from './outages.ts';
import { findOriginal, type ProbeRun, performProbe, renameStep, type Stop } from './perform.ts';
import type { Planned } from './plan.ts';
import { askOnce, whyUnreachable } from './reachability.ts';
import { openLog } from './send.ts';

type Session = ReturnType<typeof openSession>;

function openSession(plan: readonly Planned[], check: Check) {
  return {
    check,
    plan: new Map(plan.map((planned) => [planned.rule.id, planned])),
    context: createContext(check.target, check.specs, check.discovery),
    outcomes: new Map<RuleId, Promise<Outcome>>(),
    /** Rules that name the same probe check the same evidence: it is sent, and paid for, once. */
    probeRuns: new Map<Rule['probe'], Promise<ProbeRun>>(),
    durations: new Map<Rule['probe'], number>(),
    attributions: new Map() as Attributions,
    all: undefined as Evidence | undefined,
    lost: undefined as string | undefined,
  };
}

/**
 * Runs the rules of a plan against one target; the outcome of a rule decides about the rules that need it. Returns why the target
 * was given up meanwhile. `beforeWholeCheck` is called once all other rules are decided.
 */
export async function runSession(
  plan: readonly Planned[],
  check: Check,
  beforeWholeCheck?: () => Promise<void>,
): Promise<string | undefined> {
  const concurrency = check.ports.concurrency ?? 1;
  const session = openSession(plan, check);
  // The waits of one probe are spent on others.
  const sideBySide = plan.filter(({ rule }) => rule.probe !== wholeCheck && !movesOthers(rule));
  const ofEachProbe = new Map(sideBySide.map((planned) => [planned.rule.probe, planned])).values();
  if (concurrency > 1) await pMap(ofEachProbe, (planned) => runRule(planned, session), { concurrency });
  for (const planned of plan.filter(({ rule }) => rule.probe !== wholeCheck)) await runRule(planned, session);
  if (session.lost === undefined) await beforeWholeCheck?.();
  for (const planned of plan) await runRule(planned, session);
  return session.lost;
}

/** Time that passes for one probe passes for all that are under way, and a scripted failure meets any call. */
function movesOthers({ requires }: Rule): boolean {
  return requires.flatMap(listRows).some(({ id }) => id === 'clock' || id === 'script');
}

/** So many models are held in memory, and checked, at a time. */
const modelsPerPart = 100;
const readsAtATime = 8;

/**
 * Applies the rules on single models to these, some at a time, and the rules over whole checks to what comes with it and to
 * the document of each. On a live target it sends only what costs nothing.
 */
export async function checkModels(ids: readonly string[], plan: readonly Planned[], check: Check): Promise<void> {
  const isOwn = ({ perModel, cost }: Rule): boolean =>
    perModel === true && (cost === 'free' || check.target.kind !== 'live');
  const own = plan.filter(({ rule }) => rule.probe === wholeCheck || isOwn(rule));
  for (let start = 0; start < ids.length; start += modelsPerPart) {
    if (check.ports.clock.now() >= check.endsAtMs) break;
    const listed = ids.slice(start, start + modelsPerPart);
    const discovery = { ...check.discovery, listed, isPart: true } as const;
    const part = { ...check, discovery, log: openLog() };
    const read = (id: string) => askOnce(get('router', `${modelPath(id)}/openapi.json`, onKeptConnection), part);
    await pMap(listed, read, { concurrency: readsAtATime });
    await runSession(own, part);
  }
}

function runRule(planned: Planned, session: Session): Promise<Outcome> {
  return once(session.outcomes, planned.rule.id, () => decideRule(planned, session));
}

/** Records an outcome in the turn that reaches it: in the next one, the check of another rule may hang. */
async function decideRule(planned: Planned, session: Session): Promise<Outcome> {
  const { check, durations } = session;
  const { rule } = planned;
  const decide = await untilDecidable(planned, session);
  check.record.starts(rule.id);
  const outcome = decide();
  check.record.decides({ rule, outcome, durationMs: durations.get(rule.probe) ?? 0 });
  return outcome;
}

async function untilDecidable({ rule, applicability }: Planned, session: Session): Promise<() => Outcome> {
  if (applicability.kind !== 'applies') return () => ({ ...applicability, evidence: [] });
  const message = session.check.record.whyLeftOut(rule.id);
  if (message !== undefined) return () => ({ kind: 'errored', message, evidence: [] });
  const blocked = await blockedBy(rule, session);
  if (blocked !== undefined) return () => blocked;
  if (rule.probe === wholeCheck)
    return () => {
      session.all ??= numbered(session.check.log.exchanges);
      return decideWholeCheck(rule, selectEvidence(rule, session.all, session.attributions), session.context);
    };
  try {
    const probeRun = await once(session.probeRuns, rule.probe, () => runProbe(rule, session));
    return () => {
      const { evidence, unshown } = probeRun;
      const decided = decideOutcome(rule, probeRun, session.context);
      const isAgainst = decided.kind === 'failed' || decided.kind === 'setup-failed';
      const outcome: Outcome =
        isAgainst && unshown !== undefined ? { kind: 'not-applicable', because: unshown, evidence } : decided;
      attribute(rule, outcome, session.attributions);
      return outcome;
    };
  } catch (error) {
    return () => explainThrown(error, []);
  }
}

async function blockedBy(rule: Rule, session: Session): Promise<Outcome | undefined> {
  for (const need of rule.needs) {
    const planned = session.plan.get(need);
    const outcome = planned && (await runRule(planned, session));
    if (outcome?.kind === 'observed' && outcome.readings !== undefined) {
      const why = { code: 'other-reading', readings: outcome.readings, ruleId: need } as const;
      return { kind: 'not-applicable', because: wordReason(why, session.context.kind), why, evidence: [] };
    }
    if (outcome === undefined || outcome.kind === 'passed' || outcome.kind === 'observed') continue;
    if (outcome.kind === 'not-applicable' || outcome.kind === 'not-observable') {
      return { ...outcome, because: `it needs ${need}: ${outcome.because}`, evidence: [] };
    }
    return { kind: 'blocked', by: need, evidence: [] };
  }
  return undefined;
}

async function runProbe(rule: Rule, session: Session): Promise<ProbeRun> {
  const { check, context } = session;
  const { clock } = check.ports;
  check.record.starts(rule.id);
  const probe = typeof rule.probe === 'function' ? rule.probe(context) : rule.probe;
  if (!movesOthers(rule) && probe.some(({ passMs, script }) => passMs !== undefined || script !== undefined))
    throw new HarnessError(`${rule.id} moves the clock or scripts a failure, and does not require that hook`);
  const startedAtMs = clock.now();
  if (session.lost !== undefined) throw new SetupFailure(`the target stopped answering: ${session.lost}`);
  if (startedAtMs >= check.endsAtMs) throw new SetupFailure('the deadline of the whole check had passed');
  const probeRun = await performProbe(probe, check, {
    endsAtMs: Math.min(startedAtMs + check.limits.ruleMs, check.endsAtMs),
    rule,
    onReading: () => check.record.starts(rule.id),
  });
  session.durations.set(rule.probe, clock.now() - startedAtMs);
  const isDown = probeRun.evidence.some((one) => one.result.kind === 'no-response' || isDownPage(one));
  if (isDown) session.lost ??= await whyUnreachable(rule.api, check);
  return probeRun;
}

/** A rule that throws is an error of ours (`errored`), never a failure of the target. */
function decideOutcome(rule: Rule, { evidence, stop }: Omit<ProbeRun, 'unshown'>, context: ProbeContext): Outcome {
  const page = evidence.find(isProxyPage);
  if (page?.result.kind === 'response') {
    const because = `step "${page.step}" was answered ${page.result.status} by something in front of the router`;
    return { kind: 'not-applicable', because, evidence };
  }
  const mockProblem = context.kind === 'mock' ? evidence.find(({ result }) => isMockProblem(result)) : undefined;
  if (mockProblem?.result.kind === 'response') {
    const because = `the mock answered step "${mockProblem.step}" for itself: ${excerpt(decodeBody(mockProblem.result))}`;
    return { kind: 'not-observable', because, evidence };
  }
  // A call that the rule wanted refused was accepted, so it sent no more: what it has seen may show that, and nothing else.
  const why = stop?.kind === 'not-applicable' ? stop.why : undefined;
  const isCut = why?.code === 'distrusted' && why.ruleId === rule.id;
  if (stop !== undefined && !isCut) return explainStop(rule, stop, evidence);
  let outcome: Outcome;
  try {
    outcome = concludeCheck(rule, evidence, context);
  } catch (error) {
    outcome = explainThrown(error, evidence);
  }
  return stop === undefined || outcome.foundAt !== undefined ? outcome : explainStop(rule, stop, evidence);
}

function explainThrown(error: unknown, evidence: Evidence): Outcome {
  if (error instanceof NoOccasion) return { kind: 'not-applicable', because: error.message, evidence };
  if (error instanceof SetupFailure) return { kind: 'setup-failed', reason: error.message, evidence };
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'errored', message, evidence };
}

const maxFindings = 200; // a target can be wrong in a million places, and a report has to be readable

function concludeCheck(rule: Rule, evidence: Evidence, context: ProbeContext): Outcome {
  const result = rule.check(evidence, context);
  if ('kind' in result) return { ...result, evidence };
  const [first, ...rest] = result.filter((one) => areRequired(readingsBehind(rule, one), context));
  const foundAt = result.map(({ at }) => at.step);
  if (first !== undefined) return { ...fail(rule, [first, ...rest], evidence), foundAt };
  const [departure] = result;
  if (departure === undefined) return { kind: 'passed', evidence };
  const readings = [...new Set(result.flatMap((one) => readingsBehind(rule, one)))];
  const ours = readings.map((id) => `${findChoice(id)} (${id})`).join(' ');
  const observation = `the text leaves this open; we read it as: ${ours} Here: ${departure.actual} in place of ${departure.expected}`;
  return { kind: 'observed', observation, readings, evidence, foundAt };
}

function fail(rule: Rule, all: NonEmpty<Finding>, evidence: Evidence): Outcome {
  const [first, ...rest] = all;
  const ofRule = (one: Finding): RuleFinding => ({ ruleId: rule.id, ...one });
  const findings = [ofRule(first), ...rest.slice(0, maxFindings - 1).map(ofRule)] as const;
  return { kind: 'failed', findings, evidence, foundAt: all.map(({ at }) => at.step) };
}

// A target that cannot be reached broke no rule; one that accepts a request and never responds did.
const unreachable: ReadonlySet<string> = new Set(['refused', 'unresolved', 'tls']);

function explainStop(rule: Rule, stop: Stop, evidence: Evidence): Outcome {
  if (stop.kind !== 'unanswered') return { ...stop, evidence };
  const { because, detail } = stop.result;
  if (unreachable.has(because))
    return { kind: 'setup-failed', reason: `the target was not reached: ${detail}`, evidence };
  return fail(rule, [finding('no-response', { step: stop.step }, 'an answer', `${because}: ${detail}`)], evidence);
}

/** A problem document of the mock itself (unknown route, wrong method, undocumented code), which proves nothing about the contract. */
function isMockProblem(result: Exchange['result']): boolean {
  if (result.kind === 'no-response' || readMediaType(result) !== 'application/problem+json') return false;
  const type = readMember(result, '/type');
  return typeof type === 'string' && type.includes('stoplight.io/prism/errors');
}

/** Exchanges with a finding, and the requirements of the rules that found it: the findings are attributed to those. */
export type Attributions = Map<Exchange, Set<string>>;

export function attribute(rule: Rule, outcome: Outcome, attributions: Attributions): void {
  for (const exchange of selectSteps(outcome.foundAt ?? [], outcome.evidence)) {
    const sent = findOriginal(exchange);
    attributions.set(sent, new Set([...(attributions.get(sent) ?? []), ...rule.requirements]));
  }
}

function selectSteps(steps: readonly string[], evidence: Evidence): Evidence {
  const chosen = new Set(steps);
  return evidence.filter(({ step }) => chosen.has(step));
}

/** The exchanges of a check under distinct step names: a probe's own are unique within the probe only. */
export function numbered(log: Evidence): Evidence {
  return log.map((exchange, index) => renameStep(exchange, `${index + 1} ${exchange.step}`));
}

/**
 * What a rule over the whole check reads. An exchange with a finding for another requirement is left out: what else is
 * odd about it may follow from that.
 */
export function selectEvidence(rule: Rule, all: Evidence, attributions: Attributions): Evidence {
  // The same list for most rules: what is read from it is read once.
  if (rule.readsAttributed || attributions.size === 0) return all;
  return all.filter((exchange) => {
    const attributed = attributions.get(findOriginal(exchange));
    return attributed === undefined || rule.requirements.some((one) => attributed.has(one));
  });
}

/** Like the outcome of any rule; of the evidence only exchanges with findings are kept, or each rule would repeat the whole check. */
export function decideWholeCheck(rule: Rule, all: Evidence, context: ProbeContext): Outcome {
  const own = all.filter((one) => !isProxyPage(one));
  const evidence = context.kind === 'mock' ? own.filter(({ result }) => !isMockProblem(result)) : own;
  const outcome = decideOutcome(rule, { evidence, stop: undefined }, context);
  const steps = outcome.kind === 'failed' ? outcome.findings.map(({ at }) => at.step) : [];
  return { ...outcome, evidence: selectSteps(steps, evidence) };
}
