import type { JsonObject, JsonValue } from '../../../specs/src/index.ts';
import { dangerousPattern } from './hostile-texts.ts';
import { componentRef } from './schemas.ts';
import { type Make, nested, object, S, type ValueProbe } from './value-case.ts';

const item: readonly ((index: number) => JsonValue)[] = [
  (index) => ({ name: `tool ${index}`, parameters: { type: 'object', properties: { a: { type: 'string' } } } }),
  (index) => [index, 'a', null],
  (index) => `text ${index}`,
  (index) => index / 7,
  (index) => ({ a: { b: [{ c: index }] } }),
  (index) => (index % 2 === 0 ? String(index) : index),
];

export const unique: Make = (random) => {
  const make = random.one(item);
  const sizes = Array.from({ length: 2 }, () => random.size(2_000, 100_000));
  const turned = (value: JsonValue): JsonValue =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).reverse())
      : value;
  return {
    schema: random.one<JsonValue>([
      { type: 'array', uniqueItems: true },
      { type: 'array', uniqueItems: true, items: { not: { type: 'null' } } },
      { allOf: [{ type: 'array', uniqueItems: true }] },
    ]),
    probes: () =>
      sizes.flatMap((size): ValueProbe[] => {
        const items = (): JsonValue[] => Array.from({ length: size }, (_, index) => make(index));
        return [
          { value: items, truth: true },
          { value: () => [...items(), turned(make(random.below(size)))], truth: false },
        ];
      }),
  };
};

export const listed: Make = (random) => {
  const make = random.one(item);
  const count = random.size(100, 4_000);
  const size = random.size(500, 20_000);
  const values = Array.from({ length: count }, (_, index) => make(index));
  const isConst = random.chance(0.3);
  const items: JsonObject = isConst ? { not: { const: values } } : { enum: values };
  return {
    schema: { type: 'array', items },
    probes: () => [
      { value: () => Array.from({ length: size }, (_, index) => (isConst ? index : make(index % count))), truth: true },
      {
        value: () => [
          ...Array.from({ length: size }, (_, index) => (isConst ? index : make(index % count))),
          isConst ? values : make(count + 1),
        ],
        truth: false,
      },
    ],
  };
};

/** Branches over the same schema: a naive reading doubles its work at each level. */
export const branches: Make = (random) => {
  const count = random.size(2, 5);
  const isArray = random.chance(0.6);
  const branch = (index: number): JsonValue =>
    isArray
      ? { type: 'array', items: S, minItems: index % 2, maxItems: 9 + index }
      : object({ next: S }, { maxProperties: 3 + index });
  const list = Array.from({ length: count }, (_, index) => branch(index));
  const wrap = (inner: unknown): unknown => (isArray ? [inner] : { next: inner });
  const word = random.one(['anyOf', 'anyOf', 'oneOf']);
  const depths = [random.size(2, 40), random.size(10, 200), random.size(100, 50_000)];
  return {
    schema: S,
    components: { S: { [word]: [...list, { type: 'string' }] } },
    probes: () =>
      depths.flatMap((depth): ValueProbe[] => [
        { value: () => nested(depth, wrap, 7), truth: false },
        { value: () => nested(depth, wrap, 'leaf'), truth: word === 'anyOf' && depth <= 50 ? true : 'ends' },
      ]),
  };
};

/** References that come back to the same value. */
export const cycles: Make = (random) => {
  const names = ['S', 'T', 'U'].slice(0, random.size(1, 4));
  const to = (): JsonObject => componentRef(random.one(names));
  const make = (): JsonValue =>
    random.one<JsonValue>([
      to(),
      { oneOf: [to(), to()] },
      { not: to() },
      { anyOf: [{ type: 'null' }, to()] },
      { allOf: [to()] },
      { oneOf: [{ type: 'string' }, { not: to() }] },
      Object.fromEntries([
        ['if', to()],
        ['then', to()],
        ['else', to()],
      ]),
      { type: 'object', additionalProperties: to(), not: to() },
    ]);
  const values: unknown[] = [null, 'a', 1, {}, { a: 1 }, [[]], { a: { a: {} } }];
  return {
    schema: S,
    components: Object.fromEntries([...names, 'S'].map((name) => [name, make()])),
    probes: () => values.map((value) => ({ value: () => value, truth: 'ends' })),
  };
};

export const deep: Make = (random) => {
  const depth = random.size(20_000, 300_000);
  const wrap = random.one<(inner: unknown) => unknown>([
    (inner) => [inner],
    (inner) => ({ a: inner }),
    (inner) => ({ a: [inner] }),
  ]);
  const value = (): unknown => nested(depth, wrap, 1);
  const [schema, probes] = random.one<readonly [JsonValue, ValueProbe[]]>([
    [{ enum: [1, { a: 1 }, [1]] }, [{ value, truth: false }]],
    [{ const: { a: [{ a: 1 }] } }, [{ value, truth: false }]],
    [
      { type: 'array', uniqueItems: true },
      [
        { value: () => [value(), value()], truth: false },
        { value: () => [value(), 1], truth: 'ends' },
      ],
    ],
    [{ type: 'array', items: { enum: [1, { a: 1 }, [[1]]] } }, [{ value: () => [value()], truth: false }]],
    [{ not: { enum: [[], {}] } }, [{ value, truth: 'ends' }]],
    [{ contains: { const: [1] } }, [{ value: () => [1, value()], truth: false }]],
    [true, [{ value, truth: 'ends' }]],
    [object({ a: { type: 'string' } }), [{ value: () => ({ a: value() }), truth: false }]],
  ]);
  return { schema, probes: () => [...probes] };
};

export const patterns: Make = (random) => {
  const made = Array.from({ length: 3 }, () => dangerousPattern(random));
  const schema = random.one<(pattern: string) => JsonValue>([
    (pattern) => ({ pattern }),
    (pattern) => object({ a: { type: 'string', pattern } }),
    (pattern) => ({ type: 'object', patternProperties: { [pattern]: false } }),
    (pattern) => ({ type: 'object', propertyNames: { pattern } }),
  ]);
  return {
    schema: { anyOf: made.map(({ pattern }) => schema(pattern)) },
    probes: () =>
      made.flatMap(({ text }): ValueProbe[] =>
        [text, { a: text }, { [text]: text }].map((value) => ({ value: () => value, truth: 'ends' })),
      ),
  };
};

/** Values that no JSON text has. */
export const foreign: Make = (random) => {
  const circle: Record<string, unknown> = { a: 1 };
  circle['next'] = circle;
  const values: readonly unknown[] = [
    circle,
    [circle, circle],
    1n,
    [1n, 1n],
    10n ** 300_000n,
    Array.from({ length: 1_000 }, (_, index) => 10n ** 3_000n + BigInt(index)),
    Number.NaN,
    [Number.NaN, Number.NaN],
    Number.POSITIVE_INFINITY,
    undefined,
    [undefined, undefined],
    Symbol('a'),
    [Symbol('a')],
    () => 1,
    new Date(0),
    [new Date(0), new Date(0)],
    new Map([[1, 2]]),
    Object.create(null),
    [Object.create(null), {}],
    new Array(50_000),
    JSON.parse('{"__proto__":{"a":1}}'),
    { toJSON: () => 'a' },
    [{ toJSON: 1 }, { toJSON: 1 }],
    Object.assign(() => 1, { a: 1 }),
    new Uint8Array(9),
    Object('a'),
    '\ud800',
    ['\ud800', '\udfff'],
  ];
  const schema = random.one<JsonValue>([
    { type: 'array', uniqueItems: true },
    { enum: [1, 'a', { a: 1 }, [1]] },
    { const: { a: [1] } },
    S,
    { type: 'object', additionalProperties: S },
    { type: 'array', items: S },
    { type: 'string', minLength: 1 },
    { type: 'number', multipleOf: 2 },
  ]);
  return {
    schema,
    components: { S: object({ next: S, a: { type: 'number' } }) },
    probes: () => values.map((value) => ({ value: () => value, truth: 'ends' })),
  };
};

/** Names that every object inherits; ajv takes the inherited for the value's own. */
export const inherited: Make = (random) => {
  const name = random.one(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__']);
  const own = (member: JsonValue): JsonObject => Object.fromEntries([[name, member]]);
  const [schema, accepted, refused] = random.one<readonly [JsonValue, JsonValue[], JsonValue[]]>([
    [{ type: 'object', required: [name] }, [own(1)], [{}]],
    [object(own({ type: 'string' })), [{}, own('a')], [own(1), own({})]],
    [object(own(true), { additionalProperties: false }), [{}, own({ a: 1 })], [{ a: 1 }]],
    [{ type: 'object', additionalProperties: false }, [{}], [own(1)]],
    [{ type: 'object', dependentRequired: own(['a']) }, [{}, { ...own(1), a: 1 }], [own(1)]],
    [{ type: 'object', propertyNames: { maxLength: 3 } }, [{}], [own(1)]],
    [{ type: 'object', maxProperties: 0 }, [{}], [own(1)]],
    [{ enum: [own(1)] }, [own(1)], [{}, own(2)]],
    [{ const: {} }, [{}], [own({})]],
    [{ type: 'array', uniqueItems: true }, [[{}, own({})]], [[own(1), own(1)]]],
    [object(own(true), { unevaluatedProperties: false }), [own(1)], [{ b: 1 }]],
    [{ type: 'object', minProperties: 1 }, [own(null)], [{}]],
  ]);
  const probe =
    (truth: boolean) =>
    (value: JsonValue): ValueProbe => ({ value: () => value, truth });
  return { schema, probes: () => [...accepted.map(probe(true)), ...refused.map(probe(false))] };
};
