import pMap from 'p-map';
import { createContext, type ProbeContext } from '../contract/context.ts';
import { modelPath } from '../contract/discovery.ts';
import { SetupFailure } from '../contract/errors.ts';
import { readMember } from '../contract/evidence.ts';
import type { Outcome } from '../contract/finding.ts';
import type { CredentialUse, Evidence, Exchange } from '../contract/probe.ts';
import { type Rule, type RuleId, wholeCheck } from '../contract/rule.ts';
import { get, onKeptConnection } from '../contract/steps.ts';
import { listRows } from '../requires.ts';
import type { Check } from './check.ts';
import {
  type Attributions,
  attribute,
  decideOutcome,
  decideWholeCheck,
  explainThrown,
  numbered,
  selectEvidence,
} from './decide-outcome.ts';
import { type ProbeRun, performProbe, type Sender } from './perform.ts';
import type { Planned } from './plan.ts';
import { askOnce, whyUnreachable } from './reachability.ts';
import { openLog, resolveAddress } from './send.ts';

type Session = {
  readonly check: Check;
  readonly plan: ReadonlyMap<RuleId, Planned>;
  readonly context: ProbeContext;
  readonly outcomes: Map<RuleId, Promise<Outcome>>;
  /** Rules that name the same probe check the same evidence: it is sent, and paid for, once. */
  readonly probeRuns: Map<Rule['probe'], Promise<ProbeRun>>;
  /** Of each probe (ms). */
  readonly durations: Map<Rule['probe'], number>;
  readonly attributions: Attributions;
  /** What the rules over the whole check read. */
  all: Evidence | undefined;
  lost: string | undefined;
};

/**
 * Runs the rules of a plan against one target; the outcome of a rule decides about the rules that need it. Returns why the target
 * was given up meanwhile.
 */
export async function runSession(plan: readonly Planned[], check: Check): Promise<string | undefined> {
  const concurrency = check.ports.concurrency ?? 1;
  const session: Session = {
    check,
    plan: new Map(plan.map((planned) => [planned.rule.id, planned])),
    context: createContext(check.target, check.specs, check.discovery),
    outcomes: new Map(),
    probeRuns: new Map(),
    durations: new Map(),
    attributions: new Map(),
    all: undefined,
    lost: undefined,
  };
  // The waits of one probe are spent on others.
  const sideBySide = plan.filter(({ rule }) => rule.probe !== wholeCheck && !movesOthers(rule));
  const ofEachProbe = new Map(sideBySide.map((planned) => [planned.rule.probe, planned])).values();
  if (concurrency > 1) await pMap(ofEachProbe, (planned) => runRule(planned, session), { concurrency });
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
  const own = plan.filter(({ rule }) => rule.probe === wholeCheck || isPerModel(rule, check));
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

function isPerModel(rule: Rule, { target }: Check): boolean {
  return rule.perModel === true && (rule.cost === 'free' || target.kind !== 'live');
}

/** Runs a rule once. */
function runRule(planned: Planned, session: Session): Promise<Outcome> {
  const { rule } = planned;
  const pending = session.outcomes.get(rule.id) ?? decideRule(planned, session);
  session.outcomes.set(rule.id, pending);
  return pending;
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
  if (rule.probe === wholeCheck) return () => decideOverall(rule, session);
  try {
    const probeRun = await shareProbeRun(rule, session);
    return () => decideProbed(rule, probeRun, session);
  } catch (error) {
    return () => explainThrown(error, []);
  }
}

function decideProbed(rule: Rule, probeRun: ProbeRun, session: Session): Outcome {
  const outcome = decideOutcome(rule, probeRun, session.context);
  attribute(rule, outcome, session.attributions);
  return outcome;
}

function decideOverall(rule: Rule, session: Session): Outcome {
  session.all ??= numbered(session.check.log.exchanges);
  return decideWholeCheck(rule, selectEvidence(rule, session.all, session.attributions), session.context);
}

async function blockedBy(rule: Rule, session: Session): Promise<Outcome | undefined> {
  for (const need of rule.needs) {
    const planned = session.plan.get(need);
    const outcome = planned && (await runRule(planned, session));
    if (outcome === undefined || outcome.kind === 'passed' || outcome.kind === 'observed') continue;
    if (outcome.kind === 'not-applicable' || outcome.kind === 'not-observable') {
      return { ...outcome, because: `it needs ${need}: ${outcome.because}`, evidence: [] };
    }
    return { kind: 'blocked', by: need, evidence: [] };
  }
  return undefined;
}

function shareProbeRun(rule: Rule, session: Session): Promise<ProbeRun> {
  const earlier = session.probeRuns.get(rule.probe);
  if (earlier !== undefined) return earlier;
  const pending = runProbe(rule, session);
  session.probeRuns.set(rule.probe, pending);
  return pending;
}

async function runProbe(rule: Rule, session: Session): Promise<ProbeRun> {
  const { check, context } = session;
  const { clock } = check.ports;
  check.record.starts(rule.id);
  const probe = typeof rule.probe === 'function' ? rule.probe(context) : rule.probe;
  const startedAtMs = clock.now();
  if (session.lost !== undefined) throw new SetupFailure(`the target stopped answering: ${session.lost}`);
  if (startedAtMs >= check.endsAtMs) throw new SetupFailure('the deadline of the whole check had passed');
  const probeRun = await performProbe(probe, check, {
    endsAtMs: Math.min(startedAtMs + check.limits.ruleMs, check.endsAtMs),
    rule,
    onReading: () => check.record.starts(rule.id),
  });
  session.durations.set(rule.probe, clock.now() - startedAtMs);
  const isUnanswered = probeRun.evidence.some(({ result }) => result.kind === 'no-response');
  if (isUnanswered) session.lost ??= await whyUnreachable(rule.api, check);
  return probeRun;
}

/** A request that waits at the target, and who sent it. */
export type Queued = {
  readonly url: string;
  readonly statusPath: string;
  readonly credentials?: readonly CredentialUse[];
};

const atMost = 100;
const deadlineMs = 5_000;

/** Cancels what waits at a live target and was not seen to complete. Best effort: it may have ended since. */
export async function cancelQueued(queued: readonly Queued[], sender: Sender): Promise<void> {
  const ended = new Set(sender.log.exchanges.filter(hasEnded).map(({ request }) => new URL(request.url).pathname));
  for (const { url, statusPath, credentials } of queued.slice(0, atMost)) {
    if (ended.has(statusPath)) continue;
    const request = { api: 'router', method: 'PUT', to: url, deadlineMs, ...(credentials && { credentials }) } as const;
    const step = { name: 'cancel what is still queued', request: () => request, mayStayUnanswered: true } as const;
    await performProbe([step], sender, { endsAtMs: sender.ports.clock.now() + deadlineMs });
  }
}

function hasEnded({ request, result }: Exchange): boolean {
  if (result.kind === 'no-response' || !request.url.endsWith('/status')) return false;
  return readMember(result, '/status') === 'COMPLETED' || result.status === 410;
}

/** What an exchange has queued at the router of this address. */
export function readQueued({ api, request, result, credentials }: Exchange, base: string): Queued | undefined {
  const isSubmission = api === 'router' && request.method === 'POST';
  if (!isSubmission || result.kind === 'no-response' || result.status !== 201) return undefined;
  const [url, status] = ['/cancel_url', '/status_url'].map((pointer) => readMember(result, pointer));
  if (typeof url !== 'string' || typeof status !== 'string') return undefined;
  if (![url, status].every((one) => /^https?:/.test(one) && URL.canParse(one))) return undefined;
  const statusPath = new URL(resolveAddress(base, status).url).pathname;
  return { url, statusPath, ...(credentials && { credentials }) };
}
