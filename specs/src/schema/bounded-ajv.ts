import { createRequire } from 'node:module';
import { canonicalText, type JsonValue } from '../json.ts';
import { compilePattern, linearPattern } from './linear-pattern.ts';
import { spend, type Work } from './work.ts';

type Ajv = InstanceType<typeof import('ajv/dist/2020.js').Ajv2020>;

/** The keyword of a schema that says how many steps it takes by itself; `toAjvSchema` adds it. */
export const workKeyword = 'x-work';

/** By the square: a long text with a plain pattern is usual, an encoded image for example; one with a large pattern is not. */
const matchedPerStep = 50_000;
/** Characters of an item's text: to sort members takes longer than to copy a string. */
const comparedPerStep = { string: 64, other: 2 };

const load = createRequire(import.meta.url); // the library is loaded when the first schema is compiled

/**
 * ajv for schemas and values that are not trusted: each schema that is applied to a value takes steps from `work`, and
 * `OutOfWork` is thrown when none are left; patterns and `uniqueItems` take time proportional to the value.
 */
export function createAjv(formats: 'assert' | 'annotate', work: Work): Ajv {
  // `require` has no types.
  const { Ajv2020, _ } = load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    logger: false,
    meta: false,
    validateSchema: false,
    validateFormats: formats === 'assert',
    ownProperties: true, // else every object has the property `constructor`
    multipleOfPrecision: 9, // else 0.3 is no multiple of 0.1
    code: { regExp: createMatchers(work), optimize: false },
  });
  ajv.addKeyword({
    keyword: workKeyword,
    schemaType: 'number',
    code: ({ gen, schema }) => {
      const spending = gen.scopeValue('func', { ref: (steps: number) => spend(work, steps) });
      gen.code(_`${spending}(${schema})`);
    },
  });
  ajv.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must NOT have duplicate items' },
    compile: (isAsked: boolean) => (items: readonly JsonValue[]) => !isAsked || areUnique(items, work),
  });
  if (formats === 'assert') {
    const plugin = load('ajv-formats') as typeof import('ajv-formats');
    plugin.default(ajv);
  }
  return ajv;
}

// ajv tells expressions apart by their text; `toAjvSchema` has let none through that has no matcher.
function createMatchers(work: Work) {
  const read = (pattern: string) => {
    const matches = linearPattern(pattern) ?? (() => true);
    const { size = 1 } = compilePattern(pattern) ?? {};
    const test = (text: string): boolean => {
      spend(work, (text.length * size ** 2) / matchedPerStep);
      return matches(text);
    };
    return { test, toString: () => pattern };
  };
  return Object.assign(read, { code: 'new RegExp' });
}

function areUnique(items: readonly JsonValue[], work: Work): boolean {
  const seen = new Set<string>();
  for (const item of items) {
    const text = canonicalText(item);
    spend(work, 1 + text.length / comparedPerStep[typeof item === 'string' ? 'string' : 'other']);
    if (seen.has(text)) return false;
    seen.add(text);
  }
  return true;
}
