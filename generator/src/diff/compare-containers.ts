import { canonicalText } from '../../../specs/src/index.ts';
import { type Compared, compareOpaque, compareOrigins, type Pair } from './compare-annotations.ts';
import { compareLimits, type Found } from './compare-scalars.ts';
import { describeSchema } from './describe-schema.ts';
import { isClosed, isDescribed, type Located, type Place, rawSchema } from './located-schema.ts';
import type { Shape } from './shape.ts';
import { countListed, itemPlace, memberPlace, otherMembers } from './shape-reads.ts';

type Both = { readonly old: readonly Shape[]; readonly now: readonly Shape[]; readonly pointer: string };

/** What changed in objects or lists: alternatives that are the same one on both sides, and those that came or went. */
export function compareContainers(pair: Pair, { old, now, pointer }: Both): Compared {
  const { pairs, lost, came } = matchShapes(old, now);
  const found: Found[] = [];
  const inner: Pair[] = [];
  for (const [before, after] of pairs) {
    found.push(
      ...compareOrigins(before, after),
      ...compareLimits(before, after, pointer),
      ...compareOpaque(before, after),
    );
    const compare = before.type === 'object' ? compareObjects : compareLists;
    compare({ before, after, field: pair.field, pointer }, found, inner);
  }
  for (const { origin } of lost) {
    const words = origin && describeSchema(rawSchema(origin) ?? true);
    if (origin === undefined) found.push({ rule: 'constraint-added', pointer });
    else found.push({ rule: 'union-member-removed', pointer: origin.pointer, before: words });
  }
  for (const { origin } of came) {
    const words = origin && describeSchema(rawSchema(origin) ?? true);
    if (origin === undefined) found.push({ rule: 'constraint-removed', pointer });
    else found.push({ rule: 'union-member-added', pointer: origin.pointer, after: words });
  }
  return { found, inner };
}

type Sides = { readonly before: Shape; readonly after: Shape; readonly field: string; readonly pointer: string };

function compareObjects(sides: Sides, found: Found[], inner: Pair[]): void {
  const { before, after, field } = sides;
  const [names, others] = [readProperties(before), readProperties(after)];
  for (const name of new Set([...names.keys(), ...others.keys()])) {
    const [was, is] = [names.get(name), others.get(name)];
    const member = { old: memberPlace(before, name), now: memberPlace(after, name), field: joinField(field, name) };
    if (was === undefined && is !== undefined) found.push(describeAdded(name, is, member, after));
    if (was !== undefined && is === undefined) found.push(describeRemoved(name, was, member));
    // Values that came under any name had a type, so those under this name may have had it.
    const rest = [...(was === undefined ? [member.old] : []), ...(is === undefined ? [member.now] : [])];
    if (rest.every((one) => isDescribed(one) && !isClosed(one))) inner.push(member);
  }
  compareRequired(sides, found);
  compareOthers(sides, found, inner);
}

function compareRequired({ before, after, field, pointer }: Sides, found: Found[]): void {
  const [names, others] = [readProperties(before), readProperties(after)];
  for (const name of new Set([...before.required.keys(), ...after.required.keys()])) {
    // A property that came or went is reported with its being required.
    if (names.has(name) !== others.has(name) || before.required.has(name) === after.required.has(name)) continue;
    const rule = after.required.has(name) ? 'property-became-required' : 'property-became-optional';
    const at = others.get(name)?.pointer ?? after.required.get(name) ?? before.required.get(name) ?? pointer;
    found.push({ rule, pointer: at, field: joinField(field, name), subject: name });
  }
}

function describeAdded(subject: string, is: Located, { now, field }: Pair, { required }: Shape): Found {
  const rule = required.has(subject) ? 'property-added-required' : 'property-added-optional';
  const after = describeSchema(rawSchema(is) ?? true);
  return { rule: isClosed(now) ? 'schema-closed' : rule, pointer: is.pointer, field, subject, after };
}

function describeRemoved(subject: string, was: Located, { old, now, field }: Pair): Found {
  const rule = now.length > 0 && !isClosed(now) ? 'property-unlisted' : 'property-removed';
  const isIdle = isClosed(old) || (rule === 'property-removed' && !isClosed(now));
  return { rule, pointer: was.pointer, field, subject, before: describeSchema(rawSchema(was) ?? true), isIdle };
}

function readProperties({ members }: Shape): Map<string, Located> {
  return new Map(members.flatMap((rule) => (rule.kind === 'property' ? [[rule.name, rule.schema]] : [])));
}

/** Compares what is said of members that have no schema of their own. */
function compareOthers({ before, after, field, pointer }: Sides, found: Found[], inner: Pair[]): void {
  const [old, now] = [otherMembers(before), otherMembers(after)];
  const at = now[0]?.pointer ?? old[0]?.pointer ?? `${pointer}/additionalProperties`;
  if (isClosed(old) !== isClosed(now))
    found.push({ rule: isClosed(now) ? 'object-closed' : 'object-opened', pointer: at });
  else if (!isClosed(old)) {
    if (isDescribed(old) || isDescribed(now)) inner.push({ old, now, field: joinField(field, '*') });
    if (takesAnyName(before, old) && !takesAnyName(after, now)) found.push({ rule: 'names-undescribed', pointer: at });
  }
  const patterns = [before, after].flatMap(({ members }) =>
    members.flatMap((rule) => (rule.kind === 'pattern' ? [rule.pattern] : [])),
  );
  for (const pattern of new Set(patterns)) {
    const places = [otherMembers(before, [pattern]), otherMembers(after, [pattern])] as const;
    inner.push({ old: places[0], now: places[1], field: joinField(field, '*') });
  }
}

// Types take members of any name where a schema says so, or describes none.
function takesAnyName({ members }: Shape, others: Place): boolean {
  return members.length === 0 || others.length > 0;
}

/** A member as code names it. */
export function joinField(field: string, name: string): string {
  if (name !== '*' && !/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)) return `${field}[${JSON.stringify(name)}]`;
  return field === '' ? name : `${field}.${name}`;
}

function compareLists({ before, after, field }: Sides, _: Found[], inner: Pair[]): void {
  const count = Math.max(countListed(before), countListed(after));
  for (let index = 0; index <= count; index++) {
    const [old, now] = [itemPlace(before, index), itemPlace(after, index)];
    const step = index < count ? `[${index}]` : '[]';
    if (isDescribed(old) || isDescribed(now)) inner.push({ old, now, field: `${field}${step}` });
  }
}

type Matching = { readonly pairs: [Shape, Shape][]; readonly lost: Shape[]; readonly came: Shape[] };

function matchShapes(before: readonly Shape[], after: readonly Shape[]): Matching {
  const lost = before.map((shape) => ({ shape, traits: readTraits(shape) }));
  const came = after.map((shape) => ({ shape, traits: readTraits(shape) }));
  const pairs: [Shape, Shape][] = [];
  for (const isAlike of likenesses) {
    for (const old of [...lost]) {
      const twins = came.filter((now) => isAlike(old.traits, now.traits));
      const rivals = lost.filter((other) => isAlike(other.traits, old.traits));
      const [twin] = twins;
      // Equal schemas are a pair in any case, others only when there is no other candidate.
      if (twin === undefined || (isAlike !== isEqual && (twins.length > 1 || rivals.length > 1))) continue;
      pairs.push([old.shape, twin.shape]);
      lost.splice(lost.indexOf(old), 1);
      came.splice(came.indexOf(twin), 1);
    }
  }
  return { pairs, lost: lost.map(({ shape }) => shape), came: came.map(({ shape }) => shape) };
}

type Traits = ReturnType<typeof readTraits>;
const isEqual = (one: Traits, other: Traits): boolean => one.text === other.text;
const likenesses: readonly ((one: Traits, other: Traits) => boolean)[] = [
  isEqual,
  (one, other) => one.reference !== undefined && one.reference === other.reference,
  (one, other) => one.tags !== '' && one.tags === other.tags,
  (one, other) => overlap(one.names, other.names) >= 0.5,
  () => true,
];

/** What distinguishes an alternative from the others. */
function readTraits(shape: Shape) {
  const { origin, required } = shape;
  const properties = readProperties(shape);
  const tags = [...properties].flatMap(([name, { schema }]) =>
    schema.enum?.length === 1 ? [`${name}=${canonicalText([...schema.enum])}`] : [],
  );
  return {
    text: origin === undefined ? '' : canonicalText(rawSchema(origin) ?? true),
    reference: origin?.schema.ref,
    /** Properties with a constant. */
    tags: tags.sort().join('\n'),
    names: new Set([...properties.keys(), ...required.keys()]),
  };
}

function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const all = new Set([...one, ...other]).size;
  return all === 0 ? 0 : [...one].filter((name) => other.has(name)).length / all;
}
