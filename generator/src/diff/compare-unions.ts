import { type CanonicalSchema, canonicalText } from '../../../specs/src/index.ts';
import { type Comparison, type NodePair, report } from './comparison.ts';
import { type Located, narrow, rawSchema } from './located-schema.ts';
import { readNode } from './schema-node.ts';
import { common } from './types-and-values.ts';
import { areDisjoint, isCovered } from './union-coverage.ts';
import type { Union } from './unions.ts';

type Choice = Pick<Union, 'members' | 'isExclusive'>;

const membersPerTrial = 20;
const pairedAtMost = 40;

/** Compares the unions of both sides in their order. */
export function compareUnions({ old, now }: NodePair, comparison: Comparison): void {
  const length = Math.max(old.unions.length, now.unions.length);
  for (let index = 0; index < length; index++) {
    const [before, after] = [old.unions[index], now.unions[index]];
    if (before !== undefined && after !== undefined) compareUnion(before, after, comparison);
    else if (after !== undefined) report(comparison, 'constraint-added', { pointer: after.pointer });
    else if (before !== undefined) report(comparison, 'constraint-removed', { pointer: before.pointer });
  }
}

function compareUnion(before: Union, after: Union, comparison: Comparison): void {
  const isOtherKind = before.isExclusive !== after.isExclusive && after.members.length > 1;
  // Where no two alternatives match the same value, whether several may match makes no difference.
  if (isOtherKind && !areDisjoint(after.members) && !areDisjoint(before.members)) {
    const rule = after.isExclusive ? 'union-made-exclusive' : 'union-made-inclusive';
    report(comparison, rule, { pointer: after.pointer });
  }
  compareMembers(before, after, comparison);
}

/** Pairs alternatives that are the same one on both sides, compares them, and reports those that came and went. */
function compareMembers(before: Choice, after: Choice, comparison: Comparison): void {
  // Pairing many with many costs as much as some comparisons.
  comparison.trials.left -= Math.floor((before.members.length * after.members.length) / membersPerTrial);
  const { pairs, lost, gained } = matchMembers(before.members, after.members);
  for (const [old, now] of pairs) comparison.compare(old, now, comparison);
  if (before.isExclusive && after.isExclusive) compareOverlaps(pairs, comparison);
  for (const member of lost) {
    const { pointer } = member;
    if (!isCovered(member, after.members, comparison))
      report(comparison, 'union-member-removed', { pointer, before: rawSchema(member) });
    if (excludes(member, before, comparison)) report(comparison, 'union-made-inclusive', { pointer });
  }
  for (const member of gained) {
    const { pointer } = member;
    if (!isCovered(member, before.members, comparison))
      report(comparison, 'union-member-added', { pointer, after: rawSchema(member) });
    if (excludes(member, after, comparison)) report(comparison, 'union-made-exclusive', { pointer });
  }
}

// What two alternatives of an exclusive union accept is refused, so a wider alternative can narrow the union, and a narrower
// one widen it.
function compareOverlaps(pairs: Matching['pairs'], comparison: Comparison): void {
  if (pairs.length > pairedAtMost) return;
  for (const [index, [old, now]] of pairs.entries()) {
    if (comparison.trials.left <= 0) return;
    comparison.trials.left -= Math.ceil(pairs.length / membersPerTrial);
    const [isWider, isNarrower] = [!isCovered(now, [old], comparison), !isCovered(old, [now], comparison)];
    if (!isWider && !isNarrower) continue;
    const others = pairs.filter((_, at) => at !== index);
    const { pointer } = now;
    if (isWider && others.some(([, other]) => mayBothMatch(now, other)))
      report(comparison, 'union-made-exclusive', { pointer });
    if (isNarrower && others.some(([other]) => mayBothMatch(old, other)))
      report(comparison, 'union-made-inclusive', { pointer });
  }
}

// An exclusive union refuses what a second alternative accepts as well.
function excludes(member: Located, { isExclusive, members }: Choice, comparison: Comparison): boolean {
  if (!isExclusive) return false;
  const others = members.filter((one) => one !== member);
  return (
    isCovered(member, others, comparison) ||
    others.some((other) => mayBothMatch(member, other) || isCovered(other, [member], comparison))
  );
}

/** Whether a value of known members may match both. */
function mayBothMatch(one: Located, other: Located): boolean {
  if (areDisjoint([one, other])) return false;
  const [left, right] = [readNode(one), readNode(other)];
  if (!(left.types?.has('object') && right.types?.has('object'))) return true;
  return areKnown(left.required, right.properties) || areKnown(right.required, left.properties);
}

function areKnown(names: ReadonlyMap<string, unknown>, known: ReadonlyMap<string, unknown>): boolean {
  return [...names.keys()].every((name) => known.has(name));
}

/** Compares a schema without union on one side with the alternatives of the other. */
export function compareWithUnion(
  sides: { before: readonly Located[]; after: readonly Located[]; union: Union; isNew: boolean },
  comparison: Comparison,
): void {
  const { union, isNew } = sides;
  // Null is compared for the whole.
  const [before, after] = [sides.before, sides.after].map((members) => members.map(withoutNull));
  if (before === undefined || after === undefined) return;
  const [alone, alternatives] = isNew ? [before, after] : [after, before];
  const isNarrower = alternatives.every((member) => isCovered(member, alone, comparison));
  const isSame = alone.every((member) => isCovered(member, alternatives, comparison));
  if (isNarrower && !isSame) {
    const rule = isNew ? 'constraint-added' : 'constraint-removed';
    report(comparison, rule, { pointer: union.pointer, subject: union.isExclusive ? 'oneOf' : 'anyOf' });
    return;
  }
  const choices = [
    { members: before, isExclusive: union.isExclusive && !isNew },
    { members: after, isExclusive: union.isExclusive && isNew },
  ] as const;
  compareMembers(choices[0], choices[1], comparison);
}

const notNull: CanonicalSchema = { type: ['boolean', 'number', 'string', 'array', 'object'] };

function withoutNull(member: Located): Located {
  if (member.also?.some(({ schema }) => schema.type?.join() === notNull.type?.join())) return member;
  return narrow(member, notNull);
}

type Matching = { readonly pairs: [Located, Located][]; readonly lost: Located[]; readonly gained: Located[] };

function matchMembers(before: readonly Located[], after: readonly Located[]): Matching {
  const lost = before.map((member) => ({ member, traits: readTraits(member) }));
  const gained = after.map((member) => ({ member, traits: readTraits(member) }));
  const pairs: [Located, Located][] = [];
  for (const isAlike of likenesses) {
    for (const old of [...lost]) {
      const twins = gained.filter((now) => isAlike(old.traits, now.traits));
      const rivals = lost.filter((other) => isAlike(other.traits, old.traits));
      const [twin] = twins;
      // Equal schemas are a pair in any case, others only when there is no other candidate.
      if (twin === undefined || (isAlike !== isEqual && (twins.length > 1 || rivals.length > 1))) continue;
      pairs.push([old.member, twin.member]);
      lost.splice(lost.indexOf(old), 1);
      gained.splice(gained.indexOf(twin), 1);
    }
  }
  return { pairs, lost: lost.map(({ member }) => member), gained: gained.map(({ member }) => member) };
}

type Traits = ReturnType<typeof readTraits>;
const isEqual = (one: Traits, other: Traits): boolean => one.text === other.text;
const likenesses: readonly ((one: Traits, other: Traits) => boolean)[] = [
  isEqual,
  (one, other) => one.reference !== undefined && one.reference === other.reference,
  (one, other) => one.tags !== '' && one.tags === other.tags,
  (one, other) => overlap(one.names, other.names) >= 0.5,
  (one, other) => one.types === other.types,
];

/** What distinguishes an alternative from the others. */
function readTraits(member: Located) {
  const node = readNode(member);
  const tags = [...node.properties].flatMap(([name, property]) => {
    const values = readNode(property).enum;
    return values?.length === 1 ? [`${name}=${canonicalText([...values])}`] : [];
  });
  return {
    text: canonicalText(rawSchema(member) ?? true),
    reference: member.schema.ref,
    /** Properties with a constant. */
    tags: tags.sort().join('\n'),
    names: new Set([...node.properties.keys(), ...node.required.keys()]),
    types: [...(node.types ?? ['any'])].sort().join(' '),
  };
}

function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const all = new Set([...one, ...other]).size;
  return all === 0 ? 0 : common(one, other).size / all;
}
