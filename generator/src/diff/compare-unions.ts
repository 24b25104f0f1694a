import { isJsonObject, type JsonObject } from '../../../specs/src/index.ts';
import { type Comparison, report } from './comparison.ts';
import { type Choice, isCovered, type Side } from './covered.ts';
import { areDisjoint } from './disjoint.ts';
import { canonicalText } from './schema-change.ts';
import { common, readNode, type SchemaNode, type Union } from './schema-node.ts';
import type { Located } from './schema-parts.ts';

type Pair = { readonly old: SchemaNode; readonly now: SchemaNode };

const membersForTrial = 20;

/** Alternatives on both sides, each list beside its like. */
export function compareUnions({ old, now }: Pair, comparison: Comparison): void {
  const length = Math.max(old.unions.length, now.unions.length);
  for (let index = 0; index < length; index++) {
    const [before, after] = [old.unions[index], now.unions[index]];
    if (before !== undefined && after !== undefined) compareUnion(before, after, comparison);
    else if (after !== undefined) report(comparison, 'constraint-added', { pointer: after.pointer });
    else if (before !== undefined) report(comparison, 'constraint-removed', { pointer: before.pointer });
  }
}

function compareUnion(before: Union, after: Union, comparison: Comparison): void {
  if (
    before.isExclusive !== after.isExclusive &&
    after.members.length > 1 &&
    !isEitherDisjoint(before, after, comparison)
  ) {
    const rule = after.isExclusive ? 'union-made-exclusive' : 'union-made-inclusive';
    report(comparison, rule, { pointer: after.pointer });
  }
  compareMembers(before, after, comparison);
}

// Where no two alternatives can match the same value, whether several may makes no difference.
function isEitherDisjoint(before: Union, after: Union, comparison: Comparison): boolean {
  return areDisjoint(after.members, comparison.after) || areDisjoint(before.members, comparison.before);
}

/** Pairs alternatives that are meant to be the same one, compares them, and reports those that came and went. */
function compareMembers(before: Choice, after: Choice, comparison: Comparison): void {
  // Pairing many with many costs as much as comparing some.
  comparison.trials.left -= Math.floor((before.members.length * after.members.length) / membersForTrial);
  const { pairs, lost, gained } = matchMembers(before.members, after.members, comparison);
  for (const [old, now] of pairs) comparison.compare(old, now, comparison);
  const [old, now] = [
    { choice: before, root: comparison.before },
    { choice: after, root: comparison.after },
  ];
  for (const member of lost) {
    const { pointer, schema } = member;
    if (!isCovered(member, old.root, now, comparison))
      report(comparison, 'union-member-removed', { pointer, before: schema });
    if (excludes(member, old, comparison)) report(comparison, 'union-made-inclusive', { pointer });
  }
  for (const member of gained) {
    const { pointer, schema } = member;
    if (!isCovered(member, now.root, old, comparison))
      report(comparison, 'union-member-added', { pointer, after: schema });
    if (excludes(member, now, comparison)) report(comparison, 'union-made-exclusive', { pointer });
  }
}

// In an exclusive choice, what a second alternative accepts as well is refused.
function excludes(member: Located, { choice, root }: Side, comparison: Comparison): boolean {
  if (!choice.isExclusive) return false;
  const others = choice.members.filter((one) => one !== member);
  const among = (members: readonly Located[]): Side => ({ choice: { isExclusive: true, members }, root });
  return (
    isCovered(member, root, among(others), comparison) ||
    others.some((other) => isCovered(other, root, among([member]), comparison))
  );
}

/** A schema that stands alone on one side and is a choice on the other. */
export function compareWithChoice(
  sides: { before: readonly Located[]; after: readonly Located[]; union: Union; isNew: boolean },
  comparison: Comparison,
): void {
  const { union, isNew } = sides;
  const before = { members: sides.before, isExclusive: union.isExclusive && !isNew };
  const after = { members: sides.after, isExclusive: union.isExclusive && isNew };
  const [old, now] = [
    { choice: before, root: comparison.before },
    { choice: after, root: comparison.after },
  ];
  const [alone, choice] = isNew ? [old, now] : [now, old];
  const narrower = choice.choice.members.every((member) => isCovered(member, choice.root, alone, comparison));
  const covering = alone.choice.members.every((member) => isCovered(member, alone.root, choice, comparison));
  if (narrower && !covering) {
    const rule = isNew ? 'constraint-added' : 'constraint-removed';
    report(comparison, rule, { pointer: union.pointer, subject: union.isExclusive ? 'oneOf' : 'anyOf' });
  } else compareMembers(before, after, comparison);
}

type Matching = { readonly pairs: [Located, Located][]; readonly lost: Located[]; readonly gained: Located[] };

function matchMembers(before: readonly Located[], after: readonly Located[], comparison: Comparison): Matching {
  const lost = before.map((member) => ({ member, marks: marksOf(member, comparison.before) }));
  const gained = after.map((member) => ({ member, marks: marksOf(member, comparison.after) }));
  const pairs: [Located, Located][] = [];
  for (const likeness of likenesses) {
    for (const old of [...lost]) {
      const twins = gained.filter((now) => likeness(old.marks, now.marks));
      const rivals = lost.filter((other) => likeness(other.marks, old.marks));
      const [twin] = twins;
      // Only a likeness that leaves no choice counts; equal ones are each other's in any case.
      if (twin === undefined || (likeness !== isEqual && (twins.length > 1 || rivals.length > 1))) continue;
      pairs.push([old.member, twin.member]);
      lost.splice(lost.indexOf(old), 1);
      gained.splice(gained.indexOf(twin), 1);
    }
  }
  return { pairs, lost: lost.map(({ member }) => member), gained: gained.map(({ member }) => member) };
}

/** What tells alternatives apart. */
type Marks = {
  readonly text: string;
  readonly reference: string | undefined;
  readonly tags: string | undefined;
  readonly names: ReadonlySet<string>;
  readonly types: string;
};
const isEqual = (one: Marks, other: Marks): boolean => one.text === other.text;
const likenesses: readonly ((one: Marks, other: Marks) => boolean)[] = [
  isEqual,
  (one, other) => one.reference !== undefined && one.reference === other.reference,
  (one, other) => one.tags !== undefined && one.tags === other.tags,
  (one, other) => overlap(one.names, other.names) >= 0.5,
  (one, other) => one.types === other.types,
];

function marksOf(member: Located, root: JsonObject): Marks {
  const { schema } = member;
  const node = readNode(member, root);
  const word = isJsonObject(schema) ? schema['$ref'] : undefined;
  const reference = typeof word === 'string' ? word : undefined;
  const tags = [...node.properties].flatMap(([name, property]) => {
    const values = readNode(property, root).enum;
    return values?.length === 1 ? [`${name}=${canonicalText([...values])}`] : [];
  });
  return {
    text: canonicalText(schema),
    reference,
    tags: tags.length === 0 ? undefined : tags.sort().join('\n'),
    names: new Set([...node.properties.keys(), ...node.required.keys()]),
    types: [...(node.types ?? ['any'])].sort().join(' '),
  };
}

function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const all = new Set([...one, ...other]).size;
  return all === 0 ? 0 : common(one, other).size / all;
}
