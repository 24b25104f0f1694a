import { type Rule, type RuleId, wholeCheck } from '../contract/rule.ts';
import type { Shard } from './check.ts';

/**
 * The rules of one shard. Rules that need each other or share a probe stay together, so that nothing is sent, or billed, twice; rules
 * over the whole check are in every shard and read what it sends.
 */
export function divideRules(rules: readonly Rule[], shard: Shard): readonly Rule[] {
  const shares = Array.from({ length: shard.of }, () => new Set<RuleId>());
  // The largest group first, each to the smallest share so far: every machine comes to the same division.
  for (const group of groupRules(rules).toSorted((one, other) => other.length - one.length)) {
    const smallest = shares.reduce((least, share) => (share.size < least.size ? share : least));
    for (const id of group) smallest.add(id);
  }
  const own = shares[shard.index - 1];
  return rules.filter(({ id, probe }) => probe === wholeCheck || own?.has(id));
}

function groupRules(rules: readonly Rule[]): readonly (readonly RuleId[])[] {
  const groupsByLink = new Map<RuleId | Rule['probe'], RuleId[]>();
  for (const { id, needs, probe } of rules) {
    if (probe === wholeCheck) continue;
    const joined = new Set([id, probe, ...needs].flatMap((link) => [groupsByLink.get(link) ?? []]));
    const group = [id, ...[...joined].flat()];
    for (const link of [probe, ...needs, ...group]) groupsByLink.set(link, group);
    // A probe of an earlier member leads to the whole group as well.
    for (const [link, known] of groupsByLink) if (joined.has(known)) groupsByLink.set(link, group);
  }
  const ids = new Set(rules.map(({ id }) => id));
  return [...new Set(groupsByLink.values())].map((group) => [...new Set(group)].filter((id) => ids.has(id)));
}
