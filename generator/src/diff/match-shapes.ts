import { canonicalText } from '../../../specs/src/index.ts';
import type { Found } from './compare-keywords.ts';
import { describeSchema } from './describe-change.ts';
import { rawSchema } from './located-schema.ts';
import { readMembers, type Shape } from './shape.ts';

/** Alternatives that are the same one on both sides; those that came or went are noted. */
export function matchShapes(
  before: readonly Shape[],
  after: readonly Shape[],
  found: Found[],
  pointer: string,
): readonly (readonly [Shape, Shape])[] {
  const came = new Map(after.map((shape) => [shape, readTraits(shape)]));
  const lost = new Map(before.map((shape) => [shape, readTraits(shape)]));
  const ranked = [...lost].flatMap(([old, traits]) =>
    [...came].map(([now, others]) => ({ old, now, likeness: rateLikeness(traits, others) })),
  );
  const pairs = ranked
    .sort((left, right) => right.likeness - left.likeness)
    .flatMap(({ old, now, likeness }) => {
      // Two that have nothing in common are a pair when no other one is left, others when none is as much alike.
      const isOnly = lost.size === 1 && came.size === 1;
      const isRivalled = ranked.some(
        (one) =>
          (one.old === old) !== (one.now === now) && one.likeness >= likeness && lost.has(one.old) && came.has(one.now),
      );
      const isAlike = likeness === equal || (likeness >= 0.5 && !isRivalled);
      const isPair = lost.has(old) && came.has(now) && (isAlike || isOnly);
      return isPair && lost.delete(old) && came.delete(now) ? [[old, now] as const] : [];
    });
  const sides = [
    { left: lost, other: came, rule: 'union-member-removed', whole: 'constraint-added', key: 'before' },
    { left: came, other: lost, rule: 'union-member-added', whole: 'constraint-removed', key: 'after' },
  ] as const;
  for (const { left, other, rule, whole, key } of sides) {
    for (const { origin } of left.keys()) {
      // Where there was no union, or is none, it is the whole that became another one.
      if (origin === undefined && other.size > 0) found.push({ rule: whole, pointer });
      const words = origin && describeSchema(rawSchema(origin) ?? true, origin.document.root);
      if (origin !== undefined) found.push({ rule, pointer: origin.pointer, [key]: words });
    }
  }
  return pairs;
}

/** What distinguishes an alternative from the others: its text, members with a constant, names of members. */
function readTraits(shape: Shape) {
  const { origin } = shape;
  const { named, required } = readMembers(shape);
  const tags = [...named].flatMap(([name, all]) => {
    const listed = all.at(-1)?.schema.enum;
    return listed?.length === 1 ? [`${name}=${canonicalText([...listed])}`] : [];
  });
  return {
    text: canonicalText((origin && rawSchema(origin)) ?? true),
    tags: tags.sort().join('\n'),
    names: new Set([...named.keys(), ...required]),
  };
}

type Traits = ReturnType<typeof readTraits>;
const equal = 3;

function rateLikeness(one: Traits, other: Traits): number {
  if (one.text === other.text) return equal;
  if (one.tags !== '' && one.tags === other.tags) return 2;
  const all = new Set([...one.names, ...other.names]);
  return all.size === 0 ? 0 : [...one.names].filter((name) => other.names.has(name)).length / all.size;
}
