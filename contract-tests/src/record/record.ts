import type { Discovery } from '../contract/discovery.ts';
import { HarnessError } from '../contract/errors.ts';
import type { OutcomeKind } from '../contract/finding.ts';
import type { CredentialUse } from '../contract/probe.ts';
import type { RuleId } from '../contract/rule.ts';
import type { ConformanceReport, ExchangeRecord, RuleResult } from '../report/report.ts';
import type { ConformanceInput, Found } from '../run/check.ts';
import type { RunRecord } from '../wire/run-budget.ts';

/** With names in place of the values of credentials and jobs. */
export type Opened = Pick<ConformanceInput, 'target' | 'rules' | 'shard' | 'planOnly'> & {
  readonly kind: 'opened';
  /** Milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly specs: ConformanceReport['specs'];
};

export type Discovered = Pick<Found, 'reachability' | 'capabilities' | 'plan'> & {
  readonly kind: 'discovered';
  readonly discovery: ConformanceReport['discovery'] & Pick<Discovery, 'isComplete' | 'lost'>;
};

/** An exchange that a decision or a report names; long bodies are cut. */
export type Kept = {
  readonly kind: 'exchange';
  readonly exchange: ExchangeRecord;
  readonly repeatedAfterMs?: number;
  readonly queued?: Queued;
};

export type Queued = {
  readonly url: string;
  readonly statusPath: string;
  readonly credentials?: readonly CredentialUse[];
};

/** A later one of a rule replaces the earlier one. `at` counts the exchanges of the record. */
export type Decided = Pick<
  RuleResult,
  'ruleId' | 'outcome' | 'why' | 'operations' | 'calls' | 'statements' | 'durationMs'
> & {
  readonly kind: 'decided';
  readonly evidence: readonly { readonly at: number; readonly step: string }[];
};

/** The end of a check, or of a beginning of it. */
export type Stopped = {
  readonly kind: 'stopped';
  readonly durationMs: number;
  readonly lost?: string;
  /** Why the check was ended from outside, and at what; without `at`, its time was over. */
  readonly because?: string;
  readonly at?: string;
};

export type Entry =
  | Opened
  | Discovered
  /** Data of the target is processed next: for the rule of this id, or the answer at this path. */
  | { readonly kind: 'started'; readonly at: string }
  | Kept
  /** A call that could start a run: before it is sent, and again when its response came. */
  | { readonly kind: 'run'; readonly index: number; readonly record: RunRecord }
  | Decided
  | Stopped;

/** What a check did and found, in order: plain data without secrets, from which everything else is made. */
export type CheckRecord = readonly Entry[];

type OfKind<K extends Entry['kind']> = Extract<Entry, { readonly kind: K }>;

export function select<K extends Entry['kind']>(record: CheckRecord, kind: K): readonly OfKind<K>[] {
  return record.filter((entry): entry is OfKind<K> => entry.kind === kind);
}

export function listQueued(record: CheckRecord): readonly Queued[] {
  return select(record, 'exchange').flatMap(({ queued }) => queued ?? []);
}

/** Of two outcomes of one rule the one that says more: a finding over a decision, a decision over none. */
const strongestFirst: readonly OutcomeKind[] = [
  'failed',
  'errored',
  'observed',
  'passed',
  'setup-failed',
  'blocked',
  'not-applicable',
  'not-observable',
];

const findingsShown = 100;
export const exchangesShown = 20;

/** Nothing is added to such a decision any more: the parts of a check may be a thousand. */
export function isFull({ outcome }: Decided): boolean {
  return outcome.kind === 'failed' && outcome.findings.length >= findingsShown;
}

/** One decision of two parts of a check; the first one itself where the second says no more. */
export function combine(one: Decided | undefined, other: Decided): Decided {
  if (one === undefined) return other;
  const durationMs = one.durationMs + other.durationMs;
  if (one.outcome.kind !== 'failed' || other.outcome.kind !== 'failed') {
    const [first, second] = [one, other].map(({ outcome }) => strongestFirst.indexOf(outcome.kind));
    if (Number(second) >= Number(first)) return one;
    return { ...other, durationMs, evidence: other.outcome.kind === 'failed' ? other.evidence : one.evidence };
  }
  const hasRoom = one.evidence.length < exchangesShown;
  const [first, ...rest] = one.outcome.findings;
  const added = other.outcome.findings.map(({ seen, ...finding }) =>
    seen !== undefined && hasRoom
      ? { ...finding, seen: { ...seen, exchange: seen.exchange + one.evidence.length } }
      : finding,
  );
  return {
    ...one,
    durationMs,
    outcome: { ...one.outcome, findings: [first, ...[...rest, ...added].slice(0, findingsShown - 1)] },
    evidence: hasRoom ? [...one.evidence, ...other.evidence] : one.evidence,
  };
}

/**
 * One record of all parts of a check, as one machine would have written it. Throws `HarnessError` when a part is missing, there
 * twice, or of another check.
 */
export function joinRecords(parts: readonly CheckRecord[]): CheckRecord {
  const opened = parts.flatMap((part) => select(part, 'opened'));
  const { shard: _, target, ...first } = requireAllParts(opened);
  const runs = opened.reduce((sum, one) => sum + (one.target.budget?.runs ?? 0), 0);
  const budget = target.budget && { budget: { ...target.budget, runs } };
  const joined: Entry[] = [{ ...first, target: { ...target, ...budget } }, ...joinFindings(parts)];
  const decisions = new Map<RuleId, Decided>();
  for (const part of parts) {
    const [before, called] = [select(joined, 'exchange').length, select(joined, 'run').length];
    for (const [ruleId, entry] of new Map(select(part, 'decided').map((one) => [one.ruleId, one]))) {
      const evidence = entry.evidence.map(({ at, step }) => ({ at: at + before, step }));
      decisions.set(ruleId, combine(decisions.get(ruleId), { ...entry, evidence }));
    }
    joined.push(...select(part, 'exchange'));
    joined.push(...select(part, 'run').map((entry) => ({ ...entry, index: entry.index + called })));
  }
  // The last one says why the check ended before all was decided.
  const byEnding = (one: Stopped, other: Stopped) =>
    Number(one.because !== undefined) - Number(other.because !== undefined);
  return [...joined, ...decisions.values(), ...parts.flatMap(readStops).toSorted(byEnding)];
}

function joinFindings(parts: readonly CheckRecord[]): readonly Discovered[] {
  const found = parts.flatMap((part) => select(part, 'discovered'));
  const unreachable = found.find(({ reachability }) => reachability.kind === 'unreachable');
  return found
    .slice(0, 1)
    .map(({ plan: _, ...first }) => ({ ...first, reachability: (unreachable ?? first).reachability }));
}

/** What a part hung at matters where it did not come to its end. */
function readStops(part: CheckRecord): readonly Stopped[] {
  const stops = select(part, 'stopped');
  return stops.at(-1)?.because === undefined ? stops.slice(-1) : stops;
}

function requireAllParts(opened: readonly Opened[]): Opened {
  const [first] = opened;
  if (first?.shard === undefined) throw new HarnessError('there is nothing to merge');
  const { of } = first.shard;
  const check = identify(first);
  for (const part of opened) if (identify(part) !== check) throw new HarnessError('the parts are of different checks');
  for (let index = 1; index <= of; index += 1) {
    const count = opened.filter(({ shard }) => shard?.index === index).length;
    if (count !== 1) throw new HarnessError(`part ${index} of ${of} is ${count === 0 ? 'missing' : 'there twice'}`);
  }
  return first;
}

function identify({ shard, rules, target, specs }: Opened): string {
  const { kind, router, workflow } = target;
  // A sandbox or a mock that a machine starts for its part has a port of its own.
  return JSON.stringify([shard?.of, rules, kind, kind === 'live' ? [router?.url, workflow?.url] : [], specs]);
}
