import { type ChildProcess, fork } from 'node:child_process';
import { BrandMismatch } from '../../../specs/src/index.ts';
import { type ConformanceInput, defaultLimits, notDecided, withCapabilities } from '../conform.ts';
import { emptyDiscovery } from '../contract/discovery.ts';
import { HarnessError, UsageError } from '../contract/errors.ts';
import type { Rule, RuleId } from '../contract/rule.ts';
import { assembleReport, concluded, createRecorder, isWhole } from '../report/assemble-report.ts';
import { partOf, type ShardNote } from '../report/merge-reports.ts';
import type { ConformanceReport, RuleResult } from '../report/report.ts';
import { earlierExchanges, earlierRuns, type Fact, type Work, whyHung } from '../run/journal.ts';
import { planConformance } from '../run/plan.ts';
import type { Deadlines } from '../run/session.ts';
import { rulesOfShard } from '../run/shards.ts';
import { transientReads } from '../run/transient-reads.ts';
import { childEnvironment } from '../wire/child-environment.ts';
import { startTimer, systemClock } from '../wire/system-clock.ts';
import type { Assignment, Message, RulesModule } from './messages.ts';

/** What is known of a run; it outlives the processes that find it out. */
type Known = {
  readonly facts: Fact[];
  readonly results: Map<RuleId, RuleResult>;
  head: ConformanceReport | undefined;
  readonly onResult: () => void;
};
/** How many of the rules that apply are decided; the total shrinks while it shows which do. */
export type RunProgress = { readonly done: number; readonly total: number };
type RunOptions = { readonly notes?: string; readonly onProgress?: (progress: RunProgress) => void };
type Ended = 'ended' | 'out-of-time' | { readonly work: Work | undefined; readonly because: string };

/** How long a process may be silent: the deadline of a rule within these bounds. It says something five times a second. */
const shortestSilenceMs = 1_000;
const longestSilenceMs = 10_000;
const startWithinMs = 30_000; // a process loads its modules
const graceMs = 3_000; // a run that notices its deadline has this long for its last checks
const pollMs = 50;

/**
 * Checks a target over HTTP in a process of its own. A process that computes without an end, or runs out of memory, is
 * ended: the rule it was at is `errored`, and another process goes on with the rest. Returns soon after the deadline of
 * the run, whatever the target sends. `rules` is the address of the module that holds the rules, `notes`
 * the file that names each call that may be billed, before it is sent, `onProgress` is called after each result. Throws `HarnessError`
 * when the engine refuses the input or cannot work at all, `BrandMismatch` when the target uses another brand.
 */
export async function superviseRun(
  input: ConformanceInput,
  rules: string,
  { notes, onProgress }: RunOptions = {},
): Promise<SupervisedReport> {
  const limits: Deadlines = { ...defaultLimits, ...input.limits };
  const startedAtMs = systemClock.now();
  const endsAtMs = startedAtMs + limits.runMs;
  const results: Known['results'] = new Map();
  const onResult = onProgress === undefined ? () => undefined : await progressOf(input, rules, { results, onProgress });
  const known: Known = { facts: [], results, head: undefined, onResult };
  let undecided = 'the deadline of the whole run had passed';
  for (;;) {
    const runMs = Math.max(0, endsAtMs - systemClock.now());
    const assignment = {
      rules,
      input: { ...input, limits: { ...limits, runMs } },
      earlier: known.facts,
      ...(notes === undefined ? {} : { notes }),
    };
    const ended = await runProcess(assignment, known, { limits, endsAtMs });
    if (ended === 'out-of-time') await cancelLeft(assignment, known, limits);
    if (typeof ended === 'string') break;
    const { work, because } = ended;
    if (work === undefined) throw new HarnessError(`the gate ${because}`);
    const isRepeated = whyHung(known.facts, work) !== undefined;
    known.facts.push({ kind: 'hung', work, because });
    // What hangs although it is left out would hang every further process.
    if (isRepeated) {
      undecided = `the run ${because}`;
      await cancelLeft(assignment, known, limits);
      break;
    }
  }
  return completeReport(input, known, {
    rules: await rulesOf(rules),
    undecided,
    durationMs: systemClock.now() - startedAtMs,
  });
}

type Watched = Pick<Known, 'results'> & Required<Pick<RunOptions, 'onProgress'>>;

async function progressOf(
  input: ConformanceInput,
  rules: string,
  { results, onProgress }: Watched,
): Promise<() => void> {
  const planned = planConformance(rulesOfShard(await rulesOf(rules), input.shard), input.target, input.rules).length;
  return () => {
    const left = [...results.values()].filter(({ outcome }) => outcome.kind === 'not-applicable').length;
    onProgress({ done: results.size - left, total: planned - left });
  };
}

const cancelWithinMs = 10_000;

/** What a live target has queued for a run that did not come to its end costs money if nobody cancels it. */
async function cancelLeft(assignment: Assignment, known: Known, limits: Deadlines): Promise<void> {
  if (!known.facts.some((fact) => fact.kind === 'run' && fact.record.route === 'submit')) return;
  const bounds = { limits, endsAtMs: systemClock.now() + cancelWithinMs };
  await runProcess({ ...assignment, earlier: known.facts, isOver: true }, known, bounds);
}

async function rulesOf(module: string): Promise<readonly Rule[]> {
  const { allRules }: RulesModule = await import(module);
  return allRules;
}

type Bounds = { readonly limits: Deadlines; readonly endsAtMs: number };

/** Runs one process until it ends, is silent for too long, or has no time left. */
function runProcess(assignment: Assignment, known: Known, { limits, endsAtMs }: Bounds): Promise<Ended> {
  const computeMs = Math.max(shortestSilenceMs, Math.min(limits.ruleMs, longestSilenceMs));
  let work: Work | undefined;
  let heardAtMs = systemClock.now();
  let maySilentMs = startWithinMs;
  return new Promise((resolve, reject) => {
    const child = startChild(assignment);
    let stopPoll = (): void => undefined;
    const end = (settle: () => void): void => {
      stopPoll();
      child.removeAllListeners();
      child.on('error', () => undefined);
      child.once('exit', settle);
      if (!child.kill('SIGKILL')) settle();
    };
    const poll = (): void => {
      const nowMs = systemClock.now();
      const because = `took more than ${maySilentMs / 1000} s of computing, and was stopped`;
      if (nowMs > endsAtMs + graceMs) end(() => resolve('out-of-time'));
      else if (nowMs - heardAtMs > maySilentMs) end(() => resolve({ work, because }));
      else stopPoll = startTimer(pollMs, poll);
    };
    child.on('error', (error) => end(() => reject(new HarnessError(`no process: ${error.message}`, { cause: error }))));
    // It comes after the last message, also where memory ran out.
    child.once('disconnect', () => end(() => resolve({ work, because: 'ran out of memory, which ended its process' })));
    child.on('message', (message: Message) => {
      heardAtMs = systemClock.now();
      maySilentMs = computeMs;
      const refusal = refusalIn(message, assignment.input);
      if (refusal !== undefined) end(() => reject(refusal));
      else if (message.kind === 'starts-on') work = message.work;
      else if (message.kind === 'ended') end(() => resolve('ended'));
      else if (message.kind === 'broke') end(() => resolve({ work, because: `broke its process: ${message.because}` }));
      else remember(message, known);
    });
    poll();
  });
}

function startChild(assignment: Assignment): ChildProcess {
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const child = fork(new URL(`./child.${ending}`, import.meta.url), {
    env: childEnvironment(),
    execArgv: [],
    serialization: 'advanced', // bodies are bytes
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // By message: a credential in arguments or environment could be read by others.
  child.send(assignment);
  return child;
}

function refusalIn(message: Message, { specs }: ConformanceInput): Error | undefined {
  if (message.kind === 'other-brand') return new BrandMismatch(specs.settings.brand, message.brand);
  if (message.kind !== 'refused') return undefined;
  return message.isInput ? new UsageError(message.because) : new HarnessError(message.because);
}

function remember(message: Message, known: Known): void {
  if (message.kind === 'fact') known.facts.push(message.fact);
  else if (message.kind === 'head') known.head = message.head;
  else if (message.kind === 'result') {
    known.results.set(message.result.ruleId, message.result);
    known.onResult();
  }
}

/** `part`: of a run with shards, what its other parts need to know. */
export type SupervisedReport = ConformanceReport & { readonly part?: Omit<ShardNote, 'report'> };

type Conclusion = { readonly rules: readonly Rule[]; readonly undecided: string; readonly durationMs: number };

/** The report of all that is known. A rule without a result hung, or the run had no time for it. */
function completeReport(input: ConformanceInput, known: Known, conclusion: Conclusion): SupervisedReport {
  const { facts, results } = known;
  const findings = facts.find((fact) => fact.kind === 'findings');
  const target = withCapabilities(input.target, findings?.capabilities ?? []);
  const plan = planConformance(rulesOfShard(conclusion.rules, input.shard), target, input.rules);
  const undecided = notDecided(plan, conclusion.undecided).map((outcome) => {
    const message = whyHung(facts, { kind: 'rule', ruleId: outcome.rule.id });
    return message === undefined
      ? outcome
      : { ...outcome, outcome: { kind: 'errored', message, evidence: [] } as const };
  });
  const reachability = { kind: 'reachable' } as const;
  const discovery = findings?.discovery ?? emptyDiscovery;
  const transient = transientReads(earlierExchanges(facts));
  const runs = earlierRuns(facts);
  const nothing = { input, discovery, reachability, outcomes: [], transient, runs, durationMs: 0 };
  const beginning = assembleReport(nothing);
  const head = known.head ?? beginning;
  // A head that came before the end knows of no calls.
  const budget = beginning.budget === undefined ? {} : { budget: { ...head.budget, ...beginning.budget } };
  const record = createRecorder(input);
  return {
    ...head,
    ...budget,
    ...concluded(
      undecided.map((outcome) => results.get(outcome.rule.id) ?? record(outcome)),
      { rules: plan.map(({ rule }) => rule), target, discovery, isWhole: isWhole(input, head.reachability) },
    ),
    durationMs: Math.round(conclusion.durationMs),
    ...(input.shard === undefined ? {} : { part: partOf(input.shard, { input, target, discovery }) }),
  };
}
