import pMap from 'p-map';
import { readChoices } from '../../../specs/src/index.ts';
import { serviceHeaders, type TargetContext } from '../contract/context.ts';
import { emptyDiscovery } from '../contract/discovery.ts';
import { NotApplicable, SetupFailure, Unanswered } from '../contract/endings.ts';
import { HarnessError, UsageError } from '../contract/errors.ts';
import { decodeBody, once, readMediaType, readMember } from '../contract/evidence.ts';
import type { Evidence, Exchange, Ports } from '../contract/exchange.ts';
import { excerpt, type Finding, finding, type Outcome } from '../contract/finding.ts';
import { get, modelPath, onKeptConnection } from '../contract/requests.ts';
import { areRequired, findChoice, type Rule, type RuleId, readingsOfFinding } from '../contract/rule.ts';
import type { Scenario } from '../contract/scenario.ts';
import type { RequiredReadings } from '../contract/target.ts';
import { drawValues, usualValues } from '../contract/values.ts';
import { openRunBudget } from '../wire/budget.ts';
import type { RunRecord } from '../wire/call.ts';
import { isDownPage, isProxyPage } from '../wire/proxy-pages.ts';
import { openLog, sendOwnCall } from '../wire/send.ts';
import { buildCheck, type Check, type ConformanceInput, defaultLimits, type Recorder } from './check.ts';
import { Calls, createClient, usesHook } from './client.ts';
import { chooseModels, discover, explainUnreachable } from './discover.ts';
import { type PlannedRule, planConformance, unmatchedPatterns } from './plan.ts';
import { finishQueuedRequests } from './queued-requests.ts';
import { simulateServer } from './simulate-server.ts';

/** Checks a target. Throws `HarnessError` if a pattern matches no rule, or if a configured model doesn't exist. */
export async function checkTarget(
  rules: readonly Rule[],
  input: ConformanceInput,
  ports: Ports,
  record: Recorder,
): Promise<void> {
  const unmatched = unmatchedPatterns(rules, input.rules ?? []);
  if (unmatched.length > 0)
    throw new HarnessError(`no rule matches ${unmatched.map((one) => JSON.stringify(one)).join(', ')}`);
  requireKnownReadings(input.target.readings);
  const opened = openCheck(input, ports, record);
  const found = await discover(opened, input.models !== undefined);
  const { discovery, capabilities } = found;
  // From here on, calls may spend the budget.
  const target = { ...input.target, capabilities };
  const bookkeeping = { headers: opened.context.headers, listed: discovery.listed, onRecord: record.addRun };
  const runs = target.kind === 'live' ? openRunBudget(target, bookkeeping) : undefined;
  const check = buildCheck({ ...opened, target, discovery, runs });
  const isReachable = found.reachability.kind === 'reachable';
  const plan = isReachable && target.kind === 'live' ? await planCalls(rules, input, check) : undefined;
  record.addDiscovery({ ...found, ...(plan && { plan }) });
  const models = chooseModels(input, discovery);
  let lost: string | undefined;
  if (isReachable && !input.planOnly) {
    const planned = planConformance(rules, target, input.rules);
    lost = await runRules(planned, check);
    if (lost === undefined) await checkModels(models, planned, check);
  }
  record.addStop(ports.clock.now(), lost);
}

function requireKnownReadings(readings: RequiredReadings | undefined): void {
  const required = readings === 'required' ? [] : Object.keys(readings ?? {});
  const unknown = required.find((id) => !readChoices().some((row) => row.id === id));
  if (unknown !== undefined) throw new UsageError(`conform.readings: unknown reading ${JSON.stringify(unknown)}`);
}

/** Opens a check for discovery, which must not start a run. */
export function openCheck(
  { target, specs, limits: given, recorded, seed }: ConformanceInput,
  ports: Ports,
  record: Recorder,
): Check {
  const log = openLog(record.addExchange);
  for (const exchange of recorded ?? []) log.add(exchange);
  const limits = { ...defaultLimits, ...given };
  const withoutRuns = { ...target, budget: { runs: 0, models: [] } };
  return buildCheck({
    target,
    specs,
    discovery: emptyDiscovery,
    ports,
    limits,
    endsAtMs: ports.clock.now() + limits.runMs,
    record,
    values: seed === undefined ? usualValues : drawValues(seed),
    log,
    runs: target.kind === 'live' ? openRunBudget(withoutRuns, { headers: serviceHeaders(specs) }) : undefined,
    isRecorded: recorded !== undefined,
  });
}

/** Lists the calls that could start a run at a conforming server, including those of rules that need a budget. */
async function planCalls(rules: readonly Rule[], input: ConformanceInput, check: Check): Promise<readonly RunRecord[]> {
  const { runs = 1, models = [] } = check.target.budget ?? {};
  const target = { ...check.target, budget: { runs: Math.max(1, runs), models } };
  const simulated = simulateServer(check);
  const session = openSession(planConformance(rules, target, input.rules), simulated);
  for (const { rule, skip } of session.plan.values()) {
    const { scenario } = rule;
    if (skip !== undefined || rule.api !== 'router' || scenario === undefined) continue;
    if (check.record.findSkipReason(rule.id) === undefined) await runScenario(scenario, rule, session);
  }
  return simulated.runs?.records ?? [];
}

type ScenarioRun = {
  readonly evidence: Evidence;
  /** Reason why findings don't count against the target: a call was rejected for a reason unrelated to the rule. */
  readonly inconclusive?: string | undefined;
  readonly durationMs: number;
} & ({ readonly responses: unknown } | { readonly error: unknown });

type Session = {
  readonly check: Check;
  readonly plan: ReadonlyMap<RuleId, PlannedRule>;
  readonly outcomes: Map<RuleId, Promise<Outcome>>;
  /** Rules with the same scenario share one run of it, so that its calls are only sent and paid for once. */
  readonly runs: Map<Scenario, Promise<ScenarioRun>>;
  readonly violations: Violations;
  passiveEvidence?: Evidence;
  lost?: string | undefined;
};

export function openSession(planned: readonly PlannedRule[], check: Check): Session {
  const plan = new Map(planned.map((one) => [one.rule.id, one]));
  return { check, plan, outcomes: new Map(), runs: new Map(), violations: new Map() };
}

/** Runs the rules of a plan. If the target stops responding, returns the reason. */
async function runRules(plan: readonly PlannedRule[], check: Check): Promise<string | undefined> {
  const concurrency = check.ports.concurrency ?? 1;
  const session = openSession(plan, check);
  const active = check.values.shuffle(plan.filter(({ rule }) => rule.scenario !== undefined));
  // A scenario that moves the clock or scripts failures would affect all running scenarios.
  const parallel = active.filter(({ rule }) => rule.scenario && !usesHook(rule.scenario, 'clock', 'script'));
  const onePerScenario = new Map(parallel.map((planned) => [planned.rule.scenario, planned])).values();
  if (concurrency > 1) await pMap(onePerScenario, (planned) => runRule(planned, session), { concurrency });
  for (const planned of active) await runRule(planned, session);
  if (session.lost === undefined) await finishQueuedRequests(check);
  for (const planned of plan) await runRule(planned, session);
  return session.lost;
}

const modelsPerPart = 100;
const readsAtATime = 8;

/**
 * Applies the per-model rules to these models in parts, and the passive rules to the resulting exchanges and documents.
 * On a live target it only sends free requests.
 */
async function checkModels(ids: readonly string[], plan: readonly PlannedRule[], check: Check): Promise<void> {
  const isChecked = ({ perModel, cost }: Rule): boolean =>
    perModel === true && (cost === 'free' || check.target.kind !== 'live');
  const checkedRules = plan.filter(({ rule }) => rule.scenario === undefined || isChecked(rule));
  for (let start = 0; start < ids.length; start += modelsPerPart) {
    if (check.ports.clock.now() >= check.endsAtMs) break;
    const listed = ids.slice(start, start + modelsPerPart);
    const part = buildCheck({ ...check, discovery: { ...check.discovery, listed, isPart: true }, log: openLog() });
    const read = (id: string) => sendOwnCall(get('router', `${modelPath(id)}/openapi.json`, onKeptConnection), part);
    await pMap(listed, read, { concurrency: readsAtATime });
    await runRules(checkedRules, part);
  }
}

function runRule(planned: PlannedRule, session: Session): Promise<Outcome> {
  const { rule } = planned;
  return once(session.outcomes, rule.id, async () => {
    const { check } = session;
    const { scenario } = rule;
    const skipOutcome = await findSkipOutcome(planned, session);
    const run =
      skipOutcome === undefined && scenario !== undefined ? await runScenario(scenario, rule, session) : undefined;
    // Record the start now, because another rule may start, and hang, in the next turn of the event loop.
    check.record.addStart(rule.id);
    let outcome = skipOutcome;
    if (run) {
      outcome = decideRule(rule, run, check.context);
      addViolations(rule, outcome, session.violations);
    }
    if (outcome === undefined) {
      session.passiveEvidence ??= listPassiveEvidence(check.log.exchanges, check.context);
      outcome = decidePassiveRule(rule, session.passiveEvidence, session.violations, check.context);
    }
    check.record.addDecision({ rule, outcome, durationMs: run?.durationMs ?? 0 });
    return outcome;
  });
}

/** Runs a scenario for a rule, or returns its earlier run for another rule. */
export function runScenario(
  scenario: Scenario,
  rule: Pick<Rule, 'id' | 'api'>,
  session: Session,
): Promise<ScenarioRun> {
  return once(session.runs, scenario, async () => {
    const { check, lost } = session;
    const { ports, limits, record, endsAtMs } = check;
    const startedAtMs = ports.clock.now();
    record.addStart(rule.id);
    if (lost !== undefined) return unsent(`the target stopped responding: ${lost}`);
    if (startedAtMs >= endsAtMs) return unsent('the deadline of the whole check had passed');
    const options = { ruleId: rule.id, endsAtMs: Math.min(startedAtMs + limits.ruleMs, endsAtMs) };
    const calls = new Calls(scenario, check, options);
    const client = createClient(calls, async <Responses>(other: Scenario<Responses>) => {
      const run = await runScenario(other, rule, session);
      if ('error' in run) throw run.error;
      // `run` is a run of `other`, so its responses have this type.
      return run.responses as Responses;
    });
    let ended: { readonly responses: unknown } | { readonly error: unknown };
    try {
      ended = { responses: await scenario.run(client) };
    } catch (error) {
      ended = { error };
    }
    await calls.awaitPending();
    // Clear unused scripted failures so they don't leak into the next rule.
    if (usesHook(scenario, 'script')) await ports.hooks?.clearScript();
    const evidence = calls.listEvidence('responses' in ended ? ended.responses : undefined);
    const durationMs = ports.clock.now() - startedAtMs;
    if (evidence.some((one) => one.result.kind === 'no-response' || isDownPage(one)))
      session.lost ??= await explainUnreachable(rule.api, check);
    return { ...ended, evidence, inconclusive: calls.inconclusive, durationMs };
  });
}

const unsent = (because: string): ScenarioRun => ({ evidence: [], error: new SetupFailure(because), durationMs: 0 });

/** Returns the outcome of a rule that cannot be checked, for example because a needed rule failed. */
async function findSkipOutcome({ rule, skip }: PlannedRule, session: Session): Promise<Outcome | undefined> {
  const { record } = session.check;
  if (skip !== undefined) return { ...skip, evidence: [] };
  const message = record.findSkipReason(rule.id);
  if (message !== undefined) return { kind: 'errored', message, evidence: [] };
  for (const need of rule.needs) {
    const planned = session.plan.get(need);
    const outcome = planned && (await runRule(planned, session));
    if (outcome?.kind === 'observed' && outcome.readings !== undefined) {
      const because = `it depends on ${need}, where the target does not follow our reading ${outcome.readings.join(' and ')}`;
      return { kind: 'not-applicable', because, evidence: [] };
    }
    if (outcome === undefined || outcome.kind === 'passed' || outcome.kind === 'observed') continue;
    if (outcome.kind === 'not-applicable' || outcome.kind === 'not-observable')
      return { ...outcome, because: `it needs ${need}: ${outcome.because}`, evidence: [] };
    return { kind: 'blocked', by: need, evidence: [] };
  }
  return undefined;
}

/** A rule that throws is a bug of the gate (`errored`), not a failure of the target. */
function decideRule(rule: Rule, run: ScenarioRun, context: TargetContext): Outcome {
  const { evidence, inconclusive } = run;
  const foreign = explainForeignAnswer(evidence, context);
  if (foreign !== undefined) return { ...foreign, evidence };
  const outcome = 'error' in run ? explainError(run.error, evidence) : conclude(rule, run.responses, evidence, context);
  const isAgainst = outcome.kind === 'failed' || outcome.kind === 'setup-failed';
  return isAgainst && inconclusive !== undefined
    ? { kind: 'not-applicable', because: inconclusive, evidence }
    : outcome;
}

/** Explains a response that is not from the target itself, and therefore cannot decide the rule. */
function explainForeignAnswer(evidence: Evidence, { kind }: TargetContext) {
  const page = evidence.find(isProxyPage);
  if (page?.result.kind === 'response') {
    const because = `step "${page.step}" got a ${page.result.status} from something in front of the router`;
    return { kind: 'not-applicable', because } as const;
  }
  const problem = kind === 'mock' ? evidence.find(({ result }) => isMockProblem(result)) : undefined;
  if (problem?.result.kind !== 'response') return undefined;
  const because = `the mock returned an error of its own at step "${problem.step}": ${excerpt(decodeBody(problem.result))}`;
  return { kind: 'not-observable', because } as const;
}

/** True for an error of the mock itself (unknown route, wrong method), which proves nothing about the contract. */
function isMockProblem(result: Exchange['result']): boolean {
  if (result.kind === 'no-response' || readMediaType(result) !== 'application/problem+json') return false;
  const type = readMember(result, '/type');
  return typeof type === 'string' && type.includes('stoplight.io/prism/errors');
}

// These failures violate no rule, unlike a request that is accepted but never gets a response.
const unreachable: ReadonlySet<string> = new Set(['refused', 'unresolved', 'tls']);

function explainError(error: unknown, evidence: Evidence): Outcome {
  if (error instanceof NotApplicable)
    return { kind: 'not-applicable', because: error.message, ...(error.why && { why: error.why }), evidence };
  if (error instanceof SetupFailure) return { kind: 'setup-failed', reason: error.message, evidence };
  if (error instanceof Unanswered) {
    const { because, detail } = error.result;
    if (unreachable.has(because))
      return { kind: 'setup-failed', reason: `the target was not reached: ${detail}`, evidence };
    return fail([finding('no-response', { step: error.step }, 'a response', `${because}: ${detail}`)], evidence);
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'errored', message, evidence };
}

const maxFindings = 200; // A target can have a million defects, and a report must be readable.

function conclude(rule: Rule, responses: unknown, evidence: Evidence, context: TargetContext): Outcome {
  try {
    const result = rule.check(responses, context);
    if ('kind' in result) return { ...result, evidence };
    const findings = result.filter((one) => areRequired(readingsOfFinding(rule, one), context.readings));
    const foundAt = result.map(({ at }) => at.step);
    if (findings.length > 0) return { ...fail(findings, evidence), foundAt };
    const [departure] = result;
    if (departure === undefined) return { kind: 'passed', evidence };
    const readings = [...new Set(result.flatMap((one) => readingsOfFinding(rule, one)))];
    const ours = readings.map((id) => `${findChoice(id)} (${id})`).join(' ');
    const observation = `the API text leaves this open. Our reading: ${ours}. This target: ${departure.actual} instead of ${departure.expected}`;
    return { kind: 'observed', observation, readings, evidence, foundAt };
  } catch (error) {
    return explainError(error, evidence);
  }
}

function fail(findings: readonly Finding[], evidence: Evidence): Outcome {
  const foundAt = findings.map(({ at }) => at.step);
  return { kind: 'failed', findings: findings.slice(0, maxFindings), evidence, foundAt };
}

/** Requirements that an exchange violates, according to the rules with scenarios. */
export type Violations = Map<Exchange, Set<string>>;

export const originOf = (exchange: Exchange): Exchange => exchange.origin ?? exchange;

export function addViolations(rule: Rule, { evidence, foundAt = [] }: Outcome, violations: Violations): void {
  for (const exchange of selectSteps(foundAt, evidence)) {
    const violated = once(violations, originOf(exchange), () => new Set());
    for (const requirement of rule.requirements) violated.add(requirement);
  }
}

function selectSteps(steps: readonly string[], evidence: Evidence): Evidence {
  const chosen = new Set(steps);
  return evidence.filter(({ step }) => chosen.has(step));
}

/**
 * Returns the exchanges that passive rules read. Makes step names distinct, because they are only unique within a
 * scenario. Leaves out responses of a proxy in front of the target, and errors of a mock itself.
 */
export function listPassiveEvidence(log: Evidence, { kind }: TargetContext): Evidence {
  return log
    .map((exchange, index) => ({ ...exchange, step: `${index + 1} ${exchange.step}`, origin: originOf(exchange) }))
    .filter((one) => !isProxyPage(one) && !(kind === 'mock' && isMockProblem(one.result)));
}

/**
 * Decides a passive rule. Ignores exchanges that violate a different requirement, because the same defect may cause more
 * findings. Only keeps exchanges with findings: the whole log would be repeated for each rule.
 */
export function decidePassiveRule(
  rule: Rule,
  evidence: Evidence,
  violations: Violations,
  context: TargetContext,
): Outcome {
  const isRead = (exchange: Exchange): boolean => {
    const violated = violations.get(originOf(exchange));
    return violated === undefined || rule.requirements.some((one) => violated.has(one));
  };
  // Checks cache values derived from the list, so only copy it if necessary.
  const read = rule.readsAttributed || violations.size === 0 ? evidence : evidence.filter(isRead);
  const outcome = conclude(rule, read, read, context);
  const steps = outcome.kind === 'failed' ? outcome.findings.map(({ at }) => at.step) : [];
  return { ...outcome, evidence: selectSteps(steps, read) };
}
