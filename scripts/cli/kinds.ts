import { resolve } from 'node:path';
import { UsageError } from './errors.ts';

/** What a setting can hold: `Given` is what a file or a program states, `Value` what commands work with. */
export type Kind<Given, Value = Given> = {
  /** As TypeScript says it. */
  readonly type: string;
  readonly schema: Schema;
  /** Words that follow "must" where a value is wrong. */
  readonly must: string;
  /** The argument of its flag; a switch has none. */
  readonly argument?: string;
  readonly choices?: readonly string[];
  /** Whether its flag begins with `--no-`. */
  readonly isTurnedOff?: true;
  /** What the text of a flag or a variable states; by default the text itself. */
  parse?(text: string): Given;
  /** Paths are relative to `folder`. Throws UsageError. */
  read(given: Given, folder: string): Value;
};

/** As JSON Schema says it. */
type Schema =
  | { readonly anyOf: readonly Schema[] }
  | { readonly enum: readonly (string | boolean)[] }
  | { readonly type: 'boolean' }
  | { readonly type: 'string'; readonly pattern: string }
  | { readonly type: 'integer' | 'number'; readonly minimum: number; readonly maximum: number }
  | { readonly type: 'array'; readonly items: Schema }
  | { readonly type: 'object'; readonly additionalProperties?: Schema };

/** Whether a value is of a kind. A compiled schema would take longer to load than all that `generate` does without changes. */
export function fits(schema: Schema, value: unknown): boolean {
  if ('anyOf' in schema) return schema.anyOf.some((one) => fits(one, value));
  if ('enum' in schema) return schema.enum.some((one) => one === value);
  switch (schema.type) {
    case 'boolean':
      return typeof value === 'boolean';
    case 'string':
      return typeof value === 'string' && new RegExp(schema.pattern).test(value);
    case 'array':
      return Array.isArray(value) && value.every((one) => fits(schema.items, one));
    case 'object': {
      const { additionalProperties: member } = schema;
      return isObject(value) && Object.values(value).every((one) => member === undefined || fits(member, one));
    }
    default: {
      const isCounted = schema.type === 'number' ? Number.isFinite(value) : Number.isInteger(value);
      return isCounted && Number(value) >= schema.minimum && Number(value) <= schema.maximum;
    }
  }
}

/** What the text of a flag or a variable states. Throws UsageError. */
export function valueOfText(kind: Kind<unknown, unknown>, text: string): unknown {
  const given = kind.parse === undefined ? text : kind.parse(text);
  if (!fits(kind.schema, given)) throw new UsageError(`It must ${kind.must}.`);
  kind.read(given, '');
  return given;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Words = { readonly must: string; readonly argument: string };

function texts(pattern: string, words: Words): Kind<string> {
  return { type: 'string', schema: { type: 'string', pattern }, ...words, read: (given) => given };
}

function matching(pattern: string): Kind<string> {
  return texts(pattern, { must: `match pattern ${pattern}`, argument: '<name>' });
}

function paths(argument: string): Kind<string> {
  return {
    ...texts('\\S', { must: 'be a path, and must not be empty', argument }),
    read: (given, folder) => resolve(folder, given),
  };
}

function lists<Value>(one: Kind<string, Value>, words: Words): Kind<readonly string[], readonly Value[]> {
  const read = (given: readonly string[], folder: string) => given.map((text) => one.read(text, folder));
  return { type: 'readonly string[]', schema: { type: 'array', items: one.schema }, ...words, read };
}

function numbers(
  type: 'integer' | 'number',
  [minimum, maximum]: readonly [number, number],
  must: string,
): Kind<number> {
  const parse = (text: string): number => (/^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN);
  const schema = { type, minimum, maximum };
  return { type: 'number', schema, must, argument: '<n>', parse, read: (given) => given };
}

/** A table of names and values that a check inside of `Schema` covers. */
function records<Value>(type: string, member: Schema, must: string): Kind<Readonly<Record<string, Value>>> {
  const schema = { type: 'object', additionalProperties: member } as const;
  return { type: `Readonly<Record<string, ${type}>>`, schema, must, read: (given) => given };
}

export const anyText = texts('', { must: 'be a string', argument: '<text>' });
export const text = texts('\\S', { must: 'be a string, and must not be empty', argument: '<text>' });
export const folder = paths('<dir>');
export const file = paths('<file>');
export const files = lists(file, { must: 'be an array of paths', argument: '<file...>' });
export const globs = lists(text, { must: 'be an array of strings', argument: '<glob...>' });
export const ids = lists(text, { must: 'be an array of strings', argument: '<id...>' });
export const origins = lists(text, { must: 'be an array of strings', argument: '<origin...>' });
export const headers = records<string>('string', text.schema, 'be an object of strings');
export const manifestMembers = records<string | boolean>(
  'string | boolean',
  { anyOf: [{ type: 'string', pattern: '' }, { type: 'boolean' }] },
  'be an object of strings and booleans',
);
export const packageName = matching('^(?=.{1,214}$)(@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*$');
export const modelId = matching('^[^/]+/[^/]+$');
/** A job id becomes a part of a path as it is. */
export const jobId = matching("^[A-Za-z0-9._~%!$&'()*+,;=:@-]+$");
export const version = texts('^(auto|\\d{1,9}\\.\\d{1,9}\\.\\d{1,9}(-[0-9A-Za-z.-]{1,100})?)$', {
  must: 'be auto, or a version such as 1.2.3',
  argument: '<version>',
});
/** Where a secret is; its value is never written down. */
export const secret = texts('^(env|command):.', {
  must: 'be env:NAME or command:PROGRAM ARGUMENT…: a secret is never written down',
  argument: '<source>',
});
export const positive = numbers('number', [0.001, 1_000], 'be a number above 0, and at most 1000');
export const cents = numbers('number', [0, Number.MAX_SAFE_INTEGER], 'be a number from 0');
export const input: Kind<object> = {
  type: 'JsonObject',
  schema: { type: 'object' },
  must: 'be an object',
  read: (given) => given,
};

export const yes: Kind<boolean> = {
  type: 'boolean',
  schema: { type: 'boolean' },
  must: 'be true or false',
  read: (given) => given,
};

/** What a flag with `--no-` turns off. */
export const unless: Kind<boolean> = { ...yes, isTurnedOff: true };

export function choice<const Choice extends string>(...choices: readonly Choice[]): Kind<Choice> {
  const type = choices.map((one) => `'${one}'`).join(' | ');
  // Commander and `fits` refuse every other text.
  const parse = (given: string): Choice => given as Choice;
  const must = `be one of ${choices.join(', ')}`;
  return { type, schema: { enum: choices }, must, argument: '<kind>', choices, parse, read: (given) => given };
}

export function wholeNumber(least: number, most: number): Kind<number> {
  return numbers('integer', [least, most], `be a whole number from ${least} to ${most}`);
}

const unitMs: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

/** A duration such as `500ms`, `90s`, `10m` or `1h`, in milliseconds. */
export const duration: Kind<string, number> = {
  ...texts('^\\d{1,9}(ms|s|m|h)$', {
    must: 'be a duration from 100ms to 24h, such as 500ms, 90s, 10m or 1h',
    argument: '<time>',
  }),
  read(given) {
    const [, count, unit = ''] = /^(\d+)(\w+)$/.exec(given) ?? [];
    const ms = Number(count) * (unitMs.get(unit) ?? Number.NaN);
    if (ms >= 100 && ms <= 24 * 3_600_000) return ms;
    throw new UsageError(`It must ${this.must}.`);
  },
};

/** An absolute http or https address without credentials; a trailing slash is dropped. */
export const address: Kind<string> = {
  ...texts('\\S', { must: 'be an http or https address', argument: '<url>' }),
  read(given) {
    const url = URL.parse(given);
    if (url === null || !['http:', 'https:'].includes(url.protocol)) throw new UsageError(`It must ${this.must}.`);
    if (url.username !== '' || url.password !== '')
      throw new UsageError('An address must not carry credentials: use the environment.');
    if (url.search !== '' || url.hash !== '') throw new UsageError('A base address has no query and no fragment.');
    return url.href.replace(/\/+$/, '');
  },
};

/** Two names, also as one text with a comma. */
export const statusPair: Kind<string | readonly [string, string], readonly [string, string]> = {
  type: 'readonly [waiting: string, running: string] | string',
  schema: { anyOf: [text.schema, globs.schema] },
  must: 'be two different names other than COMPLETED, separated by a comma',
  argument: '<waiting,running>',
  read(given) {
    const [waiting, running, ...more] = [given]
      .flat()
      .join()
      .split(',')
      .map((part) => part.trim());
    const isPair = waiting && running && more.length === 0 && waiting !== running;
    if (isPair && ![waiting, running].includes('COMPLETED')) return [waiting, running];
    throw new UsageError(`It must ${this.must}.`);
  },
};

/** One of several machines that share a run, `2/8`. */
export const shard: Kind<string, { readonly index: number; readonly of: number }> = {
  ...texts('^[1-9]\\d{0,2}/[1-9]\\d{0,2}$', { must: 'be a part of a whole, such as 1/4 to 4/4', argument: '<i/n>' }),
  read(given) {
    const [index = 0, of = 0] = given.split('/').map(Number);
    if (index <= of) return { index, of };
    throw new UsageError(`It must ${this.must}.`);
  },
};

/** `all`, a number, or a glob over model ids. */
export const modelChoice: Kind<string, 'all' | number | string> = {
  ...text,
  argument: '<which>',
  read: (given) => (/^[1-9]\d{0,5}$/.test(given) ? Number(given) : given),
};
