import pMap from 'p-map';
import { readChoices, recogniseBrand } from '../../../specs/src/index.ts';
import type { Answer, Named } from '../contract/answer.ts';
import { createContext, serviceHeaders } from '../contract/context.ts';
import { emptyDiscovery } from '../contract/discovery.ts';
import { NotApplicable } from '../contract/endings.ts';
import { HarnessError, SetupFailure, UsageError } from '../contract/errors.ts';
import { once } from '../contract/evidence.ts';
import type { Outcome } from '../contract/finding.ts';
import type { Evidence, Ports } from '../contract/probe.ts';
import { wordReason } from '../contract/reasons.ts';
import { modelPath } from '../contract/requests.ts';
import type { Rule, RuleId } from '../contract/rule.ts';
import type { Scenario } from '../contract/scenario.ts';
import { listCapabilities, type Target } from '../contract/target.ts';
import { drawValues, usualValues } from '../contract/values.ts';
import { listRows } from '../requires.ts';
import { composeWire } from '../wire/compose.ts';
import { openLog } from '../wire/log.ts';
import { isDownPage, outagesInARow } from '../wire/outage-signs.ts';
import { openRunBudget } from '../wire/run-budget.ts';
import { type Check, type ConformanceInput, defaultLimits, type Found, type Recorder } from './check.ts';
import { type CallsMade, createClient, type Purpose, type Sender } from './client.ts';
import {
  type Attributions,
  attribute,
  decideRule,
  decideWholeCheck,
  numbered,
  type ScenarioRun,
  selectEvidence,
} from './decide.ts';
import { chooseModels, discover } from './discover.ts';
import { openSubstitutes } from './discovered-model.ts';
import { type Planned, planConformance, unmatchedPatterns } from './plan.ts';
import { askOnce, explainUnreachable, reach } from './reachability.ts';
import { rehearse } from './rehearse.ts';

/** Finishes the check after all rules with their own calls are decided. */
export type Settle = (check: Check) => Promise<void>;
type Ending = Recorder & { stops(nowMs: number, lost: string | undefined): void };

/**
 * Checks a target. What it does and finds is in the record, which the report is made from. Throws `HarnessError` when a pattern matches
 * no rule, or the target has no model that the input names.
 */
export async function checkTarget(
  rules: readonly Rule[],
  input: ConformanceInput,
  { ports, record, settle }: { readonly ports: Ports; readonly record: Ending; readonly settle: Settle },
): Promise<void> {
  const unmatched = unmatchedPatterns(rules, input.rules ?? []);
  if (unmatched.length > 0)
    throw new HarnessError(`no rule matches ${unmatched.map((one) => JSON.stringify(one)).join(', ')}`);
  requireKnownReadings(input.target);
  const opened = openCheck(input, ports, record);
  const found = await explore(opened, input);
  const check = prepareForRules(opened, found);
  const isReachable = found.reachability.kind === 'reachable';
  const plan = isReachable && input.target.kind === 'live' ? await planCalls(rules, input, check) : undefined;
  record.discovers({ ...found, ...(plan && { plan }) });
  const models = chooseModels(input, found.discovery);
  let lost: string | undefined;
  if (isReachable && !input.planOnly) {
    const planned = planConformance(rules, check.target, input);
    lost = await runRules(planned, check, () => settle(check));
    if (lost === undefined) await checkModels(models, planned, check);
  }
  record.stops(ports.clock.now(), lost);
}

function requireKnownReadings({ readings }: Target): void {
  const ids = readings === 'required' ? [] : Object.keys(readings ?? {});
  for (const id of ids)
    if (!readChoices().some((row) => row.id === id))
      throw new UsageError(`conform.readings: no reading is called ${JSON.stringify(id)}`);
}

/** The sender of discovery, which may not start a run. */
export function openCheck(
  { target, specs, limits, recorded = [], seed }: ConformanceInput,
  ports: Ports,
  record: Recorder,
): Check {
  const log = openLog(record.exchanges);
  for (const exchange of recorded) log.add(exchange);
  const runs = openRunBudget({ ...target, budget: { runs: 0, models: [] } }, { headers: serviceHeaders(specs) });
  const context = createContext(target, specs, emptyDiscovery, seed === undefined ? usualValues : drawValues(seed));
  const bounds = { ...defaultLimits, ...limits };
  const opened = { target, specs, discovery: emptyDiscovery, ports, limits: bounds, record, log, runs, context };
  const endsAtMs = ports.clock.now() + bounds.runMs;
  return { ...opened, endsAtMs, wire: composeWire({ ...opened, endsAtMs }) };
}

/** The sender of the rules, after discovery. */
function prepareForRules(check: Check, { discovery, capabilities }: Found): Check {
  const target = { ...check.target, capabilities };
  const headers = serviceHeaders(check.specs);
  const runs = openRunBudget(target, { headers, listed: discovery.listed, onRecord: check.record.runs });
  const substitutes = openSubstitutes(target, discovery);
  const context = createContext(target, check.specs, discovery, check.context.values);
  const prepared = { ...check, target, discovery, runs, context, ...(substitutes && { substitutes }) };
  return { ...prepared, wire: composeWire(prepared) };
}

async function explore(check: Check, { models, recorded }: ConformanceInput): Promise<Found> {
  const { target, log, specs } = check;
  const known = recorded && { reachability: { kind: 'reachable' } as const, offer: [] };
  const { reachability, offer } = known ?? (await reach(check));
  const isAsked = recorded === undefined && reachability.kind === 'reachable';
  const nothing = recorded === undefined ? emptyDiscovery : { ...emptyDiscovery, problems: [] };
  const discovery = isAsked ? await discover(check, models !== undefined) : nothing;
  // A mock answers the examples of the specifications themselves, and shows no brand of its own.
  const headers = log.exchanges.flatMap(({ api, result }) =>
    target.kind !== 'mock' && api === 'router' && result.kind === 'response'
      ? result.headers.map(([name]) => name)
      : [],
  );
  const otherBrand = recogniseBrand({ documents: discovery.brandWords, headers }, specs.settings.brand);
  return { reachability, discovery, capabilities: [...listCapabilities(target), ...offer], otherBrand };
}

/** The calls that could start a run, as a server that conforms would have them; those of rules that a budget would add are planned too. */
async function planCalls(rules: readonly Rule[], input: ConformanceInput, check: Check): Promise<Found['plan']> {
  const { runs = 1, models = [] } = check.target.budget ?? {};
  const target = { ...check.target, budget: { runs: Math.max(1, runs), models } };
  const { rehearsed, counted } = rehearse(check);
  const session = openSession(planConformance(rules, target, input), rehearsed);
  for (const { rule, applicability } of session.plan.values()) {
    if (applicability.kind !== 'applies' || rule.api !== 'router' || rule.scenario === undefined) continue;
    if (check.record.reasonToSkip(rule.id) === undefined) await runOfScenario(rule, rule.scenario, session);
  }
  return counted.records;
}

type Session = ReturnType<typeof openSession>;

function openSession(plan: readonly Planned[], check: Check) {
  return {
    check,
    plan: new Map(plan.map((planned) => [planned.rule.id, planned])),
    outcomes: new Map<RuleId, Promise<Outcome>>(),
    /** Rules that name the same scenario read one run of it: it is sent, and paid for, once. */
    runs: new Map<Scenario, Promise<ScenarioRun>>(),
    durations: new Map<Scenario, number>(),
    attributions: new Map() as Attributions,
    all: undefined as Evidence | undefined,
    lost: undefined as string | undefined,
  };
}

/**
 * Runs the rules of a plan against one target; the outcome of a rule decides about the rules that need it. Returns why the target
 * was given up meanwhile. `beforeWholeCheck` is called once all other rules are decided.
 */
async function runRules(
  plan: readonly Planned[],
  check: Check,
  beforeWholeCheck?: () => Promise<void>,
): Promise<string | undefined> {
  const concurrency = check.ports.concurrency ?? 1;
  const session = openSession(plan, check);
  const active = check.context.values.shuffle(plan.filter(({ rule }) => rule.scenario !== undefined));
  // The waits of one scenario are spent on others.
  const sideBySide = active.filter(({ rule }) => !affectsOthers(rule));
  const ofEachScenario = new Map(sideBySide.map((planned) => [planned.rule.scenario, planned])).values();
  if (concurrency > 1) await pMap(ofEachScenario, (planned) => runRule(planned, session), { concurrency });
  for (const planned of active) await runRule(planned, session);
  if (session.lost === undefined) await beforeWholeCheck?.();
  for (const planned of plan) await runRule(planned, session);
  return session.lost;
}

/** Time that passes for one scenario passes for all that are under way, and a scripted failure meets any call. */
function affectsOthers({ requires }: Rule): boolean {
  return requires.flatMap(listRows).some(({ id }) => id === 'clock' || id === 'script');
}

/** So many models are held in memory, and checked, at a time. */
const modelsPerPart = 100;
const readsAtATime = 8;

/**
 * Applies the rules on single models to these, some at a time, and the rules over whole checks to what comes with it and to
 * the document of each. On a live target it sends only what costs nothing.
 */
async function checkModels(ids: readonly string[], plan: readonly Planned[], check: Check): Promise<void> {
  const isOwn = ({ perModel, cost }: Rule): boolean =>
    perModel === true && (cost === 'free' || check.target.kind !== 'live');
  const own = plan.filter(({ rule }) => rule.scenario === undefined || isOwn(rule));
  for (let start = 0; start < ids.length; start += modelsPerPart) {
    if (check.ports.clock.now() >= check.endsAtMs) break;
    const listed = ids.slice(start, start + modelsPerPart);
    const discovery = { ...check.discovery, listed, isPart: true } as const;
    const context = createContext(check.target, check.specs, discovery, check.context.values);
    const opened = { ...check, discovery, context, log: openLog() };
    const part = { ...opened, wire: composeWire(opened) };
    const headers = [['Connection', 'keep-alive']] as const;
    const read = (id: string) =>
      askOnce({ api: 'router', method: 'GET', to: `${modelPath(id)}/openapi.json`, headers }, part);
    await pMap(listed, read, { concurrency: readsAtATime });
    await runRules(own, part);
  }
}

function runRule(planned: Planned, session: Session): Promise<Outcome> {
  return once(session.outcomes, planned.rule.id, async () => {
    const { check, durations } = session;
    const { rule } = planned;
    const decide = await prepareDecision(planned, session);
    // Recorded in the turn that reaches it: in the next one, the check of another rule may hang.
    check.record.starts(rule.id);
    const outcome = decide();
    check.record.decides({ rule, outcome, durationMs: (rule.scenario && durations.get(rule.scenario)) ?? 0 });
    return outcome;
  });
}

async function prepareDecision({ rule, applicability }: Planned, session: Session): Promise<() => Outcome> {
  const { check, attributions } = session;
  if (applicability.kind !== 'applies') return () => ({ ...applicability, evidence: [] });
  const message = check.record.reasonToSkip(rule.id);
  if (message !== undefined) return () => ({ kind: 'errored', message, evidence: [] });
  const blocked = await findBlock(rule, session);
  if (blocked !== undefined) return () => blocked;
  const { scenario } = rule;
  if (scenario === undefined)
    return () => {
      session.all ??= numbered(check.log.exchanges);
      return decideWholeCheck(rule, selectEvidence(rule, session.all, attributions), check.context);
    };
  const run = await runOfScenario(rule, scenario, session);
  return () => {
    const outcome = decideRule(rule, run, check.context);
    attribute(rule, outcome, attributions);
    return outcome;
  };
}

async function findBlock(rule: Rule, session: Session): Promise<Outcome | undefined> {
  for (const need of rule.needs) {
    const planned = session.plan.get(need);
    const outcome = planned && (await runRule(planned, session));
    if (outcome?.kind === 'observed' && outcome.readings !== undefined) {
      const why = { code: 'other-reading', readings: outcome.readings, ruleId: need } as const;
      return { kind: 'not-applicable', because: wordReason(why, session.check.target.kind), why, evidence: [] };
    }
    if (outcome === undefined || outcome.kind === 'passed' || outcome.kind === 'observed') continue;
    if (outcome.kind === 'not-applicable' || outcome.kind === 'not-observable')
      return { ...outcome, because: `it needs ${need}: ${outcome.because}`, evidence: [] };
    return { kind: 'blocked', by: need, evidence: [] };
  }
  return undefined;
}

/** The one run of a scenario in a session, which the first of its rules starts. */
function runOfScenario(rule: Rule, scenario: Scenario, session: Session): Promise<ScenarioRun> {
  return once(session.runs, scenario, async () => {
    const { check, durations } = session;
    const { clock } = check.ports;
    check.record.starts(rule.id);
    const startedAtMs = clock.now();
    if (session.lost !== undefined) return endedBy(new SetupFailure(`the target stopped answering: ${session.lost}`));
    if (startedAtMs >= check.endsAtMs) return endedBy(new SetupFailure('the deadline of the whole check had passed'));
    const shared: Purpose['shared'] = async (other) => {
      const run = await runOfScenario(rule, other, session);
      if ('error' in run) throw run.error;
      return run.responses as Awaited<ReturnType<typeof other.run>>;
    };
    const run = await runScenario(scenario, check, {
      deadline: { endsAtMs: Math.min(startedAtMs + check.limits.ruleMs, check.endsAtMs) },
      ruleId: rule.id,
      cost: rule.cost,
      mayAffectOthers: affectsOthers(rule),
      onReading: () => check.record.starts(rule.id),
      shared,
    });
    durations.set(scenario, clock.now() - startedAtMs);
    const isDown = run.evidence.some((one) => one.result.kind === 'no-response' || isDownPage(one));
    if (isDown) session.lost ??= await explainUnreachable(rule.api, check);
    return run;
  });
}

const endedBy = (error: Error): ScenarioRun => ({ evidence: [], error });

/** Runs a scenario; anew with new keys where a call met an outage and cannot be sent again as it is. */
export async function runScenario(
  scenario: Scenario,
  sender: Sender & Pick<Check, 'substitutes'>,
  purpose: Purpose,
): Promise<ScenarioRun> {
  const { clock, hooks } = sender.ports;
  for (let restarts = 0; ; restarts += 1) {
    const substitute = sender.substitutes?.();
    const { client, calls } = createClient(sender, { ...purpose, ...(substitute && { substitute }) });
    let ended: { readonly responses: unknown } | { readonly error: unknown };
    try {
      const responses = await scenario.run(client);
      ended = { responses };
    } catch (error) {
      ended = { error };
    }
    await calls.settle();
    // Clear unused scripted failures so they don't leak into the next rule.
    if (calls.hasScripted) await hooks?.clearScript();
    const { restart, inconclusive } = calls;
    if (restart !== undefined && restarts < outagesInARow - 1) {
      await clock.sleep(restart.waitMs);
      continue;
    }
    if (restart !== undefined) ended = { error: new NotApplicable(restart.message) };
    if ('responses' in ended)
      nameAnswers(ended.responses, '', { unnamed: new Set(calls.answers), labels: calls.labels });
    return { ...ended, evidence: listEvidence(calls), inconclusive };
  }
}

const deepest = 5;

type Unnamed = { readonly unnamed: Set<unknown>; readonly labels: CallsMade['labels'] };

/**
 * Gives answers the names under which their scenario returned them first: of a member, or of an item of a list by the name that its
 * call states, else by its place.
 */
function nameAnswers(value: unknown, name: string, given: Unnamed, depth = 0): void {
  if (given.unnamed.delete(value)) {
    // An answer of this scenario: its own attempts share the name.
    const { attempts = [] } = value as Partial<Answer>;
    for (const one of [value, ...attempts] as Named<Answer>[]) one.step = name;
    return;
  }
  if (value === null || typeof value !== 'object' || depth === deepest) return;
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  if (!isPlain || ('kind' in value && value.kind === 'response')) return;
  for (const [key, member] of Object.entries(value)) {
    const part = Array.isArray(value) ? (given.labels.get(member) ?? String(Number(key) + 1)) : key;
    nameAnswers(member, name === '' ? part : `${name} ${part}`, given, depth + 1);
  }
}

function listEvidence({ answers }: CallsMade): Evidence {
  return answers.map((answer) => {
    const attempt = answer.kind === 'response' ? answer.attempts.indexOf(answer) + 1 : 1;
    return { ...answer.exchange, step: answer.step, attempt, origin: answer.exchange };
  });
}
