import { HarnessError } from '../contract/errors.ts';
import { type Rule, type RuleId, wholeRun } from '../contract/rule.ts';
import type { Shard } from '../run/check.ts';
import {
  type CheckRecord,
  combine,
  type Decided,
  type Discovered,
  type Entry,
  type Opened,
  type Stopped,
  select,
} from './record.ts';

/**
 * The rules of one shard. Rules that need each other or share a probe stay together, so that nothing is sent, or billed, twice; rules
 * over the whole check are in every shard and read what it sends.
 */
export function rulesOfShard(rules: readonly Rule[], shard: Shard | undefined): readonly Rule[] {
  if (shard === undefined) return rules;
  const shares = Array.from({ length: shard.of }, () => new Set<RuleId>());
  // The largest group first, each to the smallest share so far: every machine comes to the same division.
  for (const group of groupsOf(rules).toSorted((one, other) => other.length - one.length)) {
    const smallest = shares.reduce((least, share) => (share.size < least.size ? share : least));
    for (const id of group) smallest.add(id);
  }
  const own = shares[shard.index - 1];
  return rules.filter(({ id, probe }) => probe === wholeRun || own?.has(id));
}

function groupsOf(rules: readonly Rule[]): readonly (readonly RuleId[])[] {
  const groupOf = new Map<RuleId | Rule['probe'], RuleId[]>();
  for (const { id, needs, probe } of rules) {
    if (probe === wholeRun) continue;
    const joined = new Set([id, probe, ...needs].flatMap((link) => [groupOf.get(link) ?? []]));
    const group = [id, ...[...joined].flat()];
    for (const link of [probe, ...needs, ...group]) groupOf.set(link, group);
    // A probe of an earlier member leads to the whole group as well.
    for (const [link, known] of groupOf) if (joined.has(known)) groupOf.set(link, group);
  }
  const ids = new Set(rules.map(({ id }) => id));
  return [...new Set(groupOf.values())].map((group) => [...new Set(group)].filter((id) => ids.has(id)));
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

/** The last one says why the check ended before all was decided. */
function byEnding(one: Stopped, other: Stopped): number {
  return Number(one.because !== undefined) - Number(other.because !== undefined);
}

function requireAllParts(opened: readonly Opened[]): Opened {
  const [first] = opened;
  if (first?.shard === undefined) throw new HarnessError('there is nothing to merge');
  const { of } = first.shard;
  const check = identify(first);
  for (const part of opened) if (identify(part) !== check) throw new HarnessError('the parts are of different runs');
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
