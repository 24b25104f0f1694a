import picomatch from 'picomatch';
import { readChoices, recogniseBrand } from '../../specs/src/index.ts';
import { serviceHeaders } from './contract/context.ts';
import { type Discovery, emptyDiscovery } from './contract/discovery.ts';
import { HarnessError, UsageError } from './contract/errors.ts';
import { readMember } from './contract/evidence.ts';
import type { Exchange, Ports, Step } from './contract/probe.ts';
import type { Rule } from './contract/rule.ts';
import { get, step } from './contract/steps.ts';
import { listCapabilities, type Target } from './contract/target.ts';
import { assembleReport } from './record/assemble-report.ts';
import { listQueued, type Queued } from './record/record.ts';
import { type OpenRecord, openRecord } from './record/recorder.ts';
import type { ConformanceReport } from './report/report.ts';
import { listRows } from './requires.ts';
import { settledMs } from './rules/builders/keyed-calls.ts';
import { untilCompleted } from './rules/builders/router-steps.ts';
import { rules as activeRules } from './rules/index.ts';
import { passiveRules } from './rules/passive/index.ts';
import {
  type Check,
  type ConformanceInput,
  defaultLimits,
  type Found,
  type ModelChoice,
  type Recorder,
} from './run/check.ts';
import { discover } from './run/discover.ts';
import { openStandIns } from './run/discovered-model.ts';
import { performProbe, type Sender } from './run/perform.ts';
import { listConditions, planConformance, planRuns, unmatchedPatterns } from './run/plan.ts';
import { reach } from './run/reachability.ts';
import { openRunBudget } from './run/run-budget.ts';
import { openLog } from './run/send.ts';
import { checkModels, runSession } from './run/session.ts';

export const allRules: readonly Rule[] = [...activeRules, ...passiveRules];

export type ListedRule = Readonly<ReturnType<typeof listRules>[number]>;

/** `requires`: ids of what a target has to show; of each list one is enough. */
export function listRules() {
  return allRules.map((rule) => {
    const { id, family, requirements, reading, partReading, cost, api, sentence } = rule;
    const grounds = { ...(reading && { reading }), ...(partReading && { partReading }) };
    const requires = listConditions(rule).map((condition) => listRows(condition).map((row) => row.id));
    return { id, family, requirements, ...grounds, cost, api, sentence, requires };
  });
}

/** Patterns that match no rule: a typing error of the caller. */
export function unmatchedRulePatterns(patterns: readonly string[]): readonly string[] {
  return unmatchedPatterns(allRules, patterns);
}

/** Checks a target. Throws `HarnessError` when a pattern matches no rule, or the target has no model that the input names. */
export async function runConformance(
  input: ConformanceInput,
  ports: Ports,
  rules = allRules,
): Promise<ConformanceReport> {
  const recorder = openRecord(input, { startedAtMs: ports.clock.now() });
  await checkTarget(rules, input, ports, recorder);
  return assembleReport(recorder.record, rules);
}

/** Checks a target. What it does and finds is in the record, which the report is made from. Throws like `runConformance`. */
export async function checkTarget(
  rules: readonly Rule[],
  input: ConformanceInput,
  ports: Ports,
  record: OpenRecord,
): Promise<void> {
  const unmatched = unmatchedPatterns(rules, input.rules ?? []);
  if (unmatched.length > 0)
    throw new HarnessError(`no rule matches ${unmatched.map((one) => JSON.stringify(one)).join(', ')}`);
  requireKnownReadings(input.target);
  const opened = openCheck(input, ports, record);
  const found = await findOut(opened, input);
  const check = equip(opened, found);
  const isReachable = found.reachability.kind === 'reachable';
  const calls = isReachable ? await planCalls(rules, input, check) : {};
  record.discovers({ ...found, ...calls });
  const models = chooseModels(input, found.discovery);
  let lost: string | undefined;
  if (isReachable && !input.planOnly) {
    const plan = planConformance(rules, check.target, input);
    lost = await runSession(plan, check, () => settle(listQueued(record.record), check));
    if (lost === undefined) await checkModels(models, plan, check);
  }
  record.stops(ports.clock.now(), lost);
}

function requireKnownReadings({ readings }: Target): void {
  const ids = readings === 'required' ? [] : Object.keys(readings ?? {});
  for (const id of ids)
    if (!readChoices().some((row) => row.id === id))
      throw new UsageError(`conform.readings: no reading is called ${JSON.stringify(id)}`);
}

/** What discovery sends with: it may start no run. */
function openCheck(input: ConformanceInput, ports: Ports, record: Recorder): Check {
  const { target, specs, recorded = [] } = input;
  const limits = { ...defaultLimits, ...input.limits };
  const log = openLog(record.exchanges);
  for (const exchange of recorded) log.add(exchange);
  const runs = openRunBudget({ ...target, budget: { runs: 0, models: [] } }, { headers: serviceHeaders(specs) });
  const endsAtMs = ports.clock.now() + limits.runMs;
  return { target, specs, discovery: emptyDiscovery, ports, limits, endsAtMs, record, log, runs };
}

/** What rules are sent with, once the target is known. */
function equip(check: Check, { discovery, capabilities }: Found): Check {
  const target = { ...check.target, capabilities };
  const headers = serviceHeaders(check.specs);
  const runs = openRunBudget(target, { headers, listed: discovery.listed, onRecord: check.record.runs });
  const standIns = openStandIns(target, discovery);
  return { ...check, target, discovery, runs, ...(standIns && { standIns }) };
}

async function findOut(check: Check, { models, recorded }: ConformanceInput): Promise<Found> {
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

/** The calls of a live target that could start a run; those of rules that a budget would add are planned too. */
async function planCalls(rules: readonly Rule[], input: ConformanceInput, check: Check): Promise<Pick<Found, 'plan'>> {
  const { kind, budget } = check.target;
  if (kind !== 'live') return {};
  const { runs = 1, models = [] } = budget ?? {};
  const target = { ...check.target, budget: { runs: Math.max(1, runs), models } };
  return { plan: await planRuns(planConformance(rules, target, input), check) };
}

/** A glob that matches no model is a typing error, which the rules on single models would pass. */
function chooseModels({ models }: ConformanceInput, { listed }: Discovery): readonly string[] {
  if (models === undefined) return [];
  const chosen = filterModels(listed, models);
  if (listed.length > 0 && chosen.length === 0)
    throw new UsageError(`no model of the ${listed.length} listed matches --models ${JSON.stringify(models)}`);
  return chosen;
}

function filterModels(listed: readonly string[], choice: ModelChoice): readonly string[] {
  const ids = [...new Set(listed)].filter((id) => id.includes('/'));
  if (choice === 'all') return ids;
  if (typeof choice === 'string') {
    const isChosen = picomatch(choice);
    return ids.filter((id) => isChosen(id));
  }
  const every = Math.max(1, ids.length / choice);
  return Array.from({ length: Math.min(ids.length, choice) }, (_, index) => ids[Math.floor(index * every)] ?? '');
}

const cancelledAtMost = 100;
const cancelWithinMs = 5_000;

/** Cancels what waits at a live target and was not seen to complete. Best effort: it may have ended since. */
export async function cancelQueued(queued: readonly Queued[], sender: Sender): Promise<void> {
  const ended = new Set(sender.log.exchanges.filter(hasEnded).map(({ request }) => new URL(request.url).pathname));
  for (const { url, statusPath, credentials } of queued.slice(0, cancelledAtMost)) {
    if (ended.has(statusPath)) continue;
    const request = { api: 'router', method: 'PUT', to: url, ...(credentials && { credentials }) } as const;
    const step = { name: 'cancel what is still queued', request: () => request, mayStayUnanswered: true } as const;
    const limits = { ...sender.limits, requestMs: cancelWithinMs };
    await performProbe([step], { ...sender, limits }, { endsAtMs: sender.ports.clock.now() + cancelWithinMs });
  }
}

const settledAtMost = 20;
const settledWithinMs = 20_000;

/**
 * Cancels what is still queued. If the owner states that the target has no other callers, also waits for its end and
 * repeats the first run with a key: its replay shows what spend is reserved when nothing is under way.
 */
async function settle(queued: readonly Queued[], check: Check): Promise<void> {
  await cancelQueued(queued, check);
  const first = check.log.exchanges.find(isFirstRun);
  const { kind, stated } = check.target;
  if (kind !== 'live' || stated?.exclusive !== true || first === undefined) return;
  const endsAtMs = Math.min(check.endsAtMs, check.ports.clock.now() + settledWithinMs);
  const ends = queued.slice(0, settledAtMost).map(({ url, statusPath, credentials }, index): Step => {
    const request = get('router', new URL(statusPath, url).href, credentials && { credentials });
    return step(`end of request ${index + 1}`, request, { repeat: untilCompleted, mayStayUnanswered: true });
  });
  for (const end of ends) await performProbe([end], check, { endsAtMs });
  const { url, headers, body } = first.request;
  const key = headers.filter(([name]) => name === 'Idempotency-Key');
  const parts = {
    headers: key,
    ...(body && { body: { kind: 'bytes', bytes: body, mediaType: 'application/json' } as const }),
  };
  const rule = { id: 'trace.spend.is-free-when-calls-have-ended', cost: 'billed' } as const;
  const replay = step(
    'replay of the first run',
    { ...get('router', url, parts), method: 'POST' },
    { afterMs: settledMs },
  );
  await performProbe([{ ...replay, mayStayUnanswered: true }], check, { endsAtMs: check.endsAtMs, rule });
}

function isFirstRun({ request, result, credentials }: Exchange): boolean {
  const isKeyed = request.headers.some(([name]) => name === 'Idempotency-Key');
  const isRun = request.method === 'POST' && !request.url.endsWith('/requests') && !request.url.includes('?');
  return isRun && isKeyed && credentials === undefined && result.kind === 'response' && result.status === 200;
}

function hasEnded({ request, result }: Exchange): boolean {
  if (result.kind === 'no-response' || !request.url.endsWith('/status')) return false;
  return readMember(result, '/status') === 'COMPLETED' || result.status === 410;
}
