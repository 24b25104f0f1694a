import { createRequire } from 'node:module';
import { canonicalText, type JsonValue } from '../json.ts';
import { compilePattern, linearPattern } from './linear-pattern.ts';
import { spend, type Work } from './work.ts';

type Ajv = InstanceType<typeof import('ajv/dist/2020.js').Ajv2020>;

/** Keyword with the number of steps that checking a schema takes by itself; added by `toAjvSchema`. */
export const workKeyword = 'x-work';

/**
 * Steps of matching a pattern: characters of the text, times the squared size of the pattern, divided by this number. It
 * is high, because long texts, such as images, usually have simple patterns.
 */
const patternWorkPerStep = 50_000;
/**
 * Characters of an item's text per step. Lower for objects, because sorting members takes longer than copying a string.
 */
const comparedCharactersPerStep = { string: 64, other: 2 };

const load = createRequire(import.meta.url); // Loads ajv when the first schema is compiled.

/** Number of copied errors per step. At each reference, ajv copies all errors so far. */
const copiedErrorsPerStep = 16;

/**
 * Creates an ajv for untrusted schemas and values. Each schema applied to a value takes steps from `work`; throws `OutOfWork` when
 * none are left. Patterns and `uniqueItems` take time proportional to the value. Lists all errors or only the first one.
 */
export function createAjv(formats: 'assert' | 'annotate', work: Work, allErrors: boolean): Ajv {
  // `createRequire` returns any.
  const { Ajv2020, _, Name } = load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const ajv = new Ajv2020({
    allErrors,
    strict: false,
    logger: false,
    meta: false,
    validateSchema: false,
    validateFormats: formats === 'assert',
    ownProperties: true, // Otherwise, every object has the property `constructor`.
    multipleOfPrecision: 9, // Otherwise, 0.3 isn't a multiple of 0.1.
    code: { regExp: createMatchers(work), optimize: false },
  });
  ajv.addKeyword({
    keyword: workKeyword,
    schemaType: 'number',
    code: ({ gen, schema }) => {
      const ref = (steps: number, errors: number) => spend(work, steps + errors / copiedErrorsPerStep);
      gen.code(_`${gen.scopeValue('func', { ref })}(${schema}, ${new Name('errors')})`);
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

// ajv identifies expressions by their text. `toAjvSchema` has removed all patterns without a matcher.
function createMatchers(work: Work) {
  const read = (pattern: string) => {
    const matches = linearPattern(pattern) ?? (() => true);
    const { size = 1 } = compilePattern(pattern) ?? {};
    const test = (text: string): boolean => {
      spend(work, (text.length * size ** 2) / patternWorkPerStep);
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
    spend(work, 1 + text.length / comparedCharactersPerStep[typeof item === 'string' ? 'string' : 'other']);
    if (seen.has(text)) return false;
    seen.add(text);
  }
  return true;
}
