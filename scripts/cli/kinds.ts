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
  /** Whether its flag begins with `--no-`. */
  readonly isTurnedOff?: true;
  /** What the text of a flag or a variable states; by default the text itself. */
  parse?(text: string): Given;
  /** Paths are relative to `folder`. Throws UsageError. */
  read(given: Given, folder: string): Value;
};

export type Setting<Given, Value> = {
  readonly kind: Kind<Given, Value>;
  /** Says what it is, in help texts, editors and pages. */
  readonly says: string;
  /** As a configuration file would state it. */
  readonly default?: Given;
  /** Says what holds where nothing is set, if the default depends on more than this table. */
  readonly otherwise?: string;
  /** The environment variable. */
  readonly variable?: string;
  /** The name as an option of a program and, in kebab case, as a flag; by default the last part of the setting's name. */
  readonly option?: string;
  /** The argument of the flag, where the kind's own says too little. */
  readonly argument?: string;
  /** What its flag states without an argument, where that may be left out. */
  readonly preset?: Given;
  /** Options of a program that its flag goes without. */
  readonly conflicts?: readonly string[];
  /** Whether the help shows its flag with `--all` alone. */
  readonly rare?: true;
  /** Whether the object that holds it needs it. */
  readonly isRequired?: true;
};

export function setting<Given, Value, const More extends Omit<Setting<Given, Value>, 'kind' | 'says'> = object>(
  kind: Kind<Given, Value>,
  says: string,
  more?: More,
) {
  return { kind, says, ...more } as { readonly kind: Kind<Given, Value>; readonly says: string } & More;
}

export type AnySetting = Setting<unknown, unknown>;
export type Settings = Readonly<Record<string, AnySetting>>;

/** The name of a setting as an option of a program. */
export function optionName(name: string, { option }: AnySetting): string {
  return option ?? name.slice(name.lastIndexOf('.') + 1);
}

/** The flag of an option. */
export function flagName(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** A flag with its argument, such as `--out <dir>`. */
export function flagText(name: string, setting: AnySetting): string {
  const { kind, argument = kind.argument } = setting;
  const flag = flagName(optionName(name, setting));
  return `${kind.isTurnedOff ? flag.replace('--', '--no-') : flag}${argument === undefined ? '' : ` ${argument}`}`;
}

/** Says what holds where nothing is set; undefined where that goes without saying. */
export function defaultText({ default: fallback, otherwise }: AnySetting): string | undefined {
  const isShown = typeof fallback === 'string' || typeof fallback === 'number';
  return otherwise ?? (isShown ? String(fallback) : undefined);
}

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
  if (schema.type === 'string') return typeof value === 'string' && new RegExp(schema.pattern).test(value);
  if (schema.type === 'array') return Array.isArray(value) && value.every((one) => fits(schema.items, one));
  if (schema.type === 'object') {
    const { additionalProperties: member } = schema;
    return isObject(value) && Object.values(value).every((one) => member === undefined || fits(member, one));
  }
  if (schema.type === 'boolean' || typeof value !== 'number') return typeof value === schema.type;
  return (schema.type === 'number' || Number.isInteger(value)) && value >= schema.minimum && value <= schema.maximum;
}

/** What the text of a flag or a variable states. Throws UsageError. */
export function valueOfText(kind: Kind<unknown, unknown>, text: string): unknown {
  const given = kind.parse === undefined ? text : kind.parse(text);
  if (!fits(kind.schema, given)) throw isNot(kind);
  kind.read(given, '');
  return given;
}

function isNot({ must }: { readonly must: string }): UsageError {
  return new UsageError(`It must ${must}.`);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Stated<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

/** Leaves out what is not stated. */
export function keepStated<Values extends object>(values: Values): Stated<Values> {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  // Those that are left are those of the type.
  return Object.fromEntries(entries) as Stated<Values>;
}

function plain<Given>(type: string, schema: Schema, must: string): Kind<Given> {
  return { type, schema, must, read: (given) => given };
}

function texts(pattern: string, must: string, argument = '<text>'): Kind<string> {
  return { ...plain('string', { type: 'string', pattern }, must), argument };
}

function lists<Value>(one: Kind<string, Value>, argument: string): Kind<readonly string[], readonly Value[]> {
  const schema = { type: 'array', items: one.schema } as const;
  const read = (given: readonly string[], folder: string) => given.map((text) => one.read(text, folder));
  return { type: 'readonly string[]', schema, must: 'be an array of strings', argument, read };
}

export const anyText = texts('', 'be a string');
export const text = texts('\\S', 'be a string, and must not be empty');
export const path: Kind<string> = { ...text, argument: '<file>', read: (given, folder) => resolve(folder, given) };
/** A folder, or the address of a service. */
export const folderOrAddress: Kind<string> = {
  ...text,
  argument: '<dir|url>',
  read: (given, base) => (/^https?:/i.test(given) ? address.read(given, base) : resolve(base, given)),
};
export const folder: Kind<string> = { ...path, argument: '<dir>' };
export const paths = lists(path, '<file...>');
export const globs = lists(text, '<glob...>');
export const ids = lists(text, '<id...>');
export const packageName = matching('^(?=.{1,214}$)(@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*$');
export const modelId = matching('^[^/]+/[^/]+$');
/** It becomes a part of a path as it is. */
export const jobId = matching("^[A-Za-z0-9._~%!$&'()*+,;=:@-]+$");
/** Where a secret is. */
export const secret = texts(
  '^(env|command):.',
  'be env:NAME or command:PROGRAM ARGUMENT…: a secret is never written down',
  '<source>',
);
export const version = texts(
  '^(auto|\\d{1,9}\\.\\d{1,9}\\.\\d{1,9}(-[0-9A-Za-z.-]{1,100})?)$',
  'be auto, or a version such as 1.2.3',
  '<version>',
);
export const date = texts('^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$', 'be a day such as 2027-01-31');
export const colour = texts('^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$', 'be a CSS colour such as #0a6e5c', '<colour>');
export const yes = plain<boolean>('boolean', { type: 'boolean' }, 'be true or false');
/** What a flag with `--no-` turns off. */
export const unless: Kind<boolean> = { ...yes, isTurnedOff: true };
export const input = plain<object>('JsonObject', { type: 'object' }, 'be an object');
export const writtenInput = plain<object | string>(
  'JsonObject | string',
  { anyOf: [{ type: 'object' }, { type: 'string', pattern: '^(\\s*\\{|file:.)' }] },
  'be an object, its JSON text, or file: and the path of a file that holds it',
);
/** What the types of a program say more about. */
export const data = plain<object>(
  'object',
  { anyOf: [{ type: 'object' }, { type: 'array', items: { anyOf: [input.schema, text.schema] } }] },
  'be an object or an array',
);
export const headers = records<string>('string', text.schema, 'be an object of strings');
export const publishConfig = records<string | boolean>(
  'string | boolean',
  { anyOf: [anyText.schema, yes.schema] },
  'be an object of strings, true and false',
);
export const readings: Kind<'required' | Readonly<Record<string, 'required'>>> = plain(
  "'required' | Readonly<Record<string, 'required'>>",
  { anyOf: [{ enum: ['required'] }, { type: 'object', additionalProperties: { enum: ['required'] } }] },
  "be 'required', or an object such as { 'NS-40': 'required' }",
);
export const positive = numbers('number', [0.001, 1_000], 'be a number above 0, and at most 1000');
export const cents = numbers('number', [0, Number.MAX_SAFE_INTEGER], 'be a number from 0');

function matching(pattern: string): Kind<string> {
  return texts(pattern, `match pattern ${pattern}`);
}

function records<Member>(type: string, member: Schema, must: string): Kind<Readonly<Record<string, Member>>> {
  return plain(`Readonly<Record<string, ${type}>>`, { type: 'object', additionalProperties: member }, must);
}

function numbers(
  type: 'integer' | 'number',
  [minimum, maximum]: readonly [number, number],
  must: string,
): Kind<number> {
  const parse = (text: string): number => (/^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN);
  return { ...plain('number', { type, minimum, maximum }, must), argument: '<n>', parse };
}

export function wholeNumber(least: number, most: number): Kind<number> {
  return numbers('integer', [least, most], `be a whole number from ${least} to ${most}`);
}

export function choice<const Choice extends string>(...choices: readonly Choice[]): Kind<Choice> {
  const type = choices.map((one) => `'${one}'`).join(' | ');
  const kind = plain<Choice>(type, { enum: choices }, `be one of ${choices.join(', ')}`);
  // Commander and `fits` refuse every other text.
  return { ...kind, argument: '<kind>', parse: (text) => text as Choice };
}

const unitMs = new Map(Object.entries({ ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }));

/** In milliseconds. */
export const duration: Kind<string, number> = {
  ...texts('^\\d{1,9}(ms|s|m|h)$', 'be a duration from 100ms to 24h, such as 500ms, 90s, 10m or 1h', '<time>'),
  read(given) {
    const [, count, unit = ''] = /^(\d+)(\w+)$/.exec(given) ?? [];
    const ms = Number(count) * (unitMs.get(unit) ?? Number.NaN);
    if (ms >= 100 && ms <= 24 * 3_600_000) return ms;
    throw isNot(this);
  },
};

/** An absolute http or https address without credentials; a trailing slash is dropped. */
export const address: Kind<string> = {
  ...texts('\\S', 'be an http or https address', '<url>'),
  read(given) {
    const url = URL.parse(given);
    if (url === null || !['http:', 'https:'].includes(url.protocol)) throw isNot(this);
    if (url.username !== '' || url.password !== '')
      throw new UsageError('An address must not carry credentials: use the environment.');
    if (url.search !== '' || url.hash !== '') throw new UsageError('A base address has no query and no fragment.');
    return url.href.replace(/\/+$/, '');
  },
};

/** Names, also as one text with commas. */
export const names: Kind<string | readonly string[], readonly string[]> = {
  type: 'readonly string[] | string',
  schema: { anyOf: [text.schema, globs.schema] },
  must: 'be names, separated by commas',
  argument: '<names>',
  read: (given) => [given].flat().flatMap((one) => one.split(',').map((name) => name.trim())),
};
/** Some of these names. */
export function someOf<const Name extends string>(choices: readonly Name[]): Kind<string | readonly string[], Name[]> {
  return {
    ...names,
    must: `be names of ${choices.join(', ')}, separated by commas`,
    read(given, folder) {
      return names.read(given, folder).map((name) => {
        const choice = choices.find((one) => one === name);
        if (choice === undefined) throw isNot(this);
        return choice;
      });
    },
  };
}

/** Two of them. */
export const statusPair: Kind<string | readonly [string, string], readonly [string, string]> = {
  type: 'readonly [waiting: string, running: string] | string',
  schema: names.schema,
  must: 'be two different names other than COMPLETED, separated by a comma',
  argument: '<waiting,running>',
  read(given, folder) {
    const [waiting = '', running = '', ...more] = names.read(given, folder);
    if (new Set(['', 'COMPLETED', waiting, running]).size === 4 && more.length === 0) return [waiting, running];
    throw isNot(this);
  },
};

/** `all`, a number, or a glob over model ids. */
export const modelChoice: Kind<string, number | string> = {
  ...text,
  argument: '<which>',
  read: (given) => (/^[1-9]\d{0,5}$/.test(given) ? Number(given) : given),
};
