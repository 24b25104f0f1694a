import { canonicalText } from '../../../specs/src/index.ts';
import type { Report } from './compare-keywords.ts';
import { describeLocated, rawSchema } from './documents.ts';
import { readMembers, type Shape } from './shape.ts';
import { quote } from './words.ts';

/** Pairs the alternatives that are most alike, and reports those that were added or removed. */
export function matchAlternatives(
  before: readonly Shape[],
  after: readonly Shape[],
  pointer: string,
  report: Report,
): readonly (readonly [Shape, Shape])[] {
  const [lost, added] = [before, after].map((shapes) => new Map(shapes.map((shape) => [shape, readTraits(shape)])));
  if (lost === undefined || added === undefined) return [];
  const ranked = [...lost].flatMap(([old, traits]) =>
    [...added].map(([now, others]) => ({ old, now, likeness: rateLikeness(traits, others) })),
  );
  ranked.sort((left, right) => right.likeness - left.likeness);
  const pairs: (readonly [Shape, Shape])[] = [];
  for (const { old, now, likeness } of ranked) {
    if (!lost.has(old) || !added.has(now)) continue;
    const isRivalled = ranked.some(
      (one) =>
        (one.old === old) !== (one.now === now) && one.likeness >= likeness && lost.has(one.old) && added.has(one.now),
    );
    // Two that have little in common are a pair only if no other is left.
    if (likeness < equal && lost.size + added.size > 2 && (likeness < 0.5 || isRivalled)) continue;
    lost.delete(old);
    added.delete(now);
    pairs.push([old, now]);
  }
  // Where a side has no union, the whole has become another schema.
  const hasLost = lost.size > 0;
  for (const { origin } of lost.keys()) {
    const described = origin && describeLocated(origin);
    const facts = { pointer: origin?.pointer ?? pointer, before: described };
    if (described !== undefined)
      report('union-member-removed', { ...facts, message: `may no longer be ${quote(described)}` });
    else if (added.size > 0) report('constraint-added', facts);
  }
  for (const { origin } of added.keys()) {
    const described = origin && describeLocated(origin);
    const facts = { pointer: origin?.pointer ?? pointer, after: described };
    if (described !== undefined) report('union-member-added', { ...facts, message: `may also be ${quote(described)}` });
    else if (hasLost) report('constraint-removed', facts);
  }
  return pairs;
}

/** The parts that distinguish an alternative from the others. */
type Traits = { readonly text: string; readonly constants: string; readonly names: ReadonlySet<string> };

function readTraits(shape: Shape): Traits {
  const { named, required } = readMembers(shape);
  const constants = [...named].flatMap(([name, all]) => {
    const { enum: listed = [] } = all.at(-1)?.schema ?? {};
    return listed.length === 1 ? [`${name}=${canonicalText([...listed])}`] : [];
  });
  const text = canonicalText(shape.origin === undefined ? true : rawSchema(shape.origin));
  return { text, constants: constants.sort().join('\n'), names: new Set([...named.keys(), ...required]) };
}

const equal = 3;

/** The share of names that both have; more for the same constants, and most for the same text. */
function rateLikeness(one: Traits, other: Traits): number {
  if (one.text === other.text) return equal;
  if (one.constants !== '' && one.constants === other.constants) return 2;
  const all = new Set([...one.names, ...other.names]);
  return all.size === 0 ? 0 : [...one.names].filter((name) => other.names.has(name)).length / all.size;
}
