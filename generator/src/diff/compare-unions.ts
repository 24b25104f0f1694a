import { isJsonObject, type JsonObject } from '../../../specs/src/index.ts';
import { type Comparison, report } from './comparison.ts';
import { canonicalText } from './schema-change.ts';
import { common, readNode, type SchemaNode, type Union } from './schema-node.ts';
import type { Located } from './schema-parts.ts';

type Pair = { readonly old: SchemaNode; readonly now: SchemaNode };

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
  if (before.isExclusive !== after.isExclusive && after.members.length > 1) {
    const rule = after.isExclusive ? 'union-made-exclusive' : 'union-made-inclusive';
    report(comparison, rule, { pointer: after.pointer });
  }
  compareMembers(before.members, after.members, comparison);
}

/** Pairs alternatives that are meant to be the same one, compares them, and reports those that came and went. */
function compareMembers(before: readonly Located[], after: readonly Located[], comparison: Comparison): void {
  const { pairs, lost, gained } = matchMembers(before, after, comparison);
  for (const [old, now] of pairs) comparison.compare(old, now, comparison);
  for (const member of lost) {
    if (!isCovered(member, after, comparison, 'before'))
      report(comparison, 'union-member-removed', { pointer: member.pointer, before: member.schema });
  }
  for (const member of gained) {
    if (!isCovered(member, before, comparison, 'after'))
      report(comparison, 'union-member-added', { pointer: member.pointer, after: member.schema });
  }
}

/** A schema that stands alone on one side and is a choice on the other. */
export function compareWithChoice(
  sides: { before: readonly Located[]; after: readonly Located[]; union: Union; isNew: boolean },
  comparison: Comparison,
): void {
  const { before, after, union, isNew } = sides;
  const [alone, choice] = isNew ? [before, after] : [after, before];
  const [side, otherSide] = isNew ? (['after', 'before'] as const) : (['before', 'after'] as const);
  const narrower = choice.every((member) => isCovered(member, alone, comparison, side));
  const covering = alone.every((member) => isCovered(member, choice, comparison, otherSide));
  if (narrower && !covering) {
    const rule = isNew ? 'constraint-added' : 'constraint-removed';
    report(comparison, rule, { pointer: union.pointer, subject: union.isExclusive ? 'oneOf' : 'anyOf' });
  } else compareMembers(before, after, comparison);
}

// An alternative that another one covers already adds nothing by coming and takes nothing by going.
function isCovered(
  member: Located,
  others: readonly Located[],
  comparison: Comparison,
  side: 'before' | 'after',
): boolean {
  const [memberRoot, otherRoot] =
    side === 'before' ? [comparison.before, comparison.after] : [comparison.after, comparison.before];
  return others.some((other) => {
    const trial: Comparison = {
      ...comparison,
      direction: 'output',
      before: otherRoot,
      after: memberRoot,
      met: new Set(),
      changes: [],
      budget: Math.min(200, comparison.budget),
    };
    comparison.compare(other, member, trial);
    const properties = trial.changes.some(
      ({ rule }) => rule === 'property-added-optional' || rule === 'property-removed',
    );
    return !properties && trial.changes.every(({ verdict }) => verdict !== 'breaking');
  });
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
