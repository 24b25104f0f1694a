import { createValidator } from '../../runtime/src/validation/validator.ts';
import { type JsonObject, linearPattern } from '../../specs/src/index.ts';
import type { Figure } from '../report/figures.ts';

const text = 'a'.repeat(1_000_000);
const texts = Array.from({ length: 100 }, () => 'a'.repeat(9_990));
const numbers = Array.from({ length: 500_000 }, () => 1);
const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

const members = Object.fromEntries(many(90_000, (at) => [`name${at}`, 1]));
const objects = many(300_000, () => ({}));
const closed = (at: number): JsonObject => ({ properties: { [`only${at}`]: {} }, additionalProperties: false });

/** The dearest schemas that a generation accepts, with a value of a megabyte each. */
const cases: readonly (readonly [what: string, schema: JsonObject, value: unknown])[] = [
  ['one pattern of 1,500 steps', { pattern: '[a-z]{3,500}\\d' }, text],
  [
    '130 patterns of 38 characters',
    { allOf: many(130, (at) => ({ pattern: `${'[a-z]*'.repeat(6)}${at % 10}` })) },
    text,
  ],
  ['the same over 100 texts', { items: { allOf: many(130, (at) => ({ pattern: `[a-z]*[b-y]*${at}$` })) } }, texts],
  ['2,000 alternatives of 500,000 numbers', { items: { anyOf: many(2_000, (at) => ({ enum: [-at] })) } }, numbers],
  ['1,000 closed objects', { anyOf: many(1_000, closed) }, members],
  [
    '1,000 closed objects for every item',
    { items: { anyOf: many(1_000, closed) } },
    many(60_000, (at) => ({ [at]: 1 })),
  ],
  ['50,000 required names of every item', { items: { required: many(50_000, (at) => `m${at}`) } }, objects],
  ['20,000 listed objects', { items: { enum: many(20_000, (at) => ({ at })) } }, objects],
  [
    'members of 200 parts',
    { unevaluatedProperties: false, allOf: many(200, () => ({ additionalProperties: {} })) },
    members,
  ],
  ['5,000 lengths of a text', { allOf: many(5_000, (at) => ({ maxLength: 2_000_000 + at })) }, text],
];

const runs = 3;

/** How long a validator computes on the worst document, in processor time. */
export function measureWorst(): Figure {
  const measured = cases.map(([what, schema, value]) => {
    const times = many(runs, () => {
      const { validate } = createValidator(schema, linearPattern);
      validate(value, { maxSteps: 1 }); // compiles
      const begun = process.cpuUsage();
      validate(value);
      const { user, system } = process.cpuUsage(begun);
      return (user + system) / 1_000;
    });
    return { what, ms: Math.min(...times) };
  });
  const worst = measured.toSorted((one, other) => other.ms - one.ms)[0] ?? { what: '', ms: Number.NaN };
  return {
    what: 'worst document, a value of 1 MB: milliseconds',
    value: Math.round(worst.ms),
    beside: measured.map(({ what, ms }) => `${what}: ${Math.round(ms)} ms`).join('; '),
    target: '250',
    isMet: worst.ms <= 250,
  };
}
