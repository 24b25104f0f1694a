import { resolve } from 'node:path';
import * as v from 'valibot';
import type { JsonObject } from '../../specs/src/index.ts';
import { UsageError } from './errors.ts';

/** A value of flags, variables and the configuration: `Given` as it is written there, `Value` as commands use it. */
export type Schema<Given = unknown, Value = Given> = v.GenericSchema<Given, Value>;

/** Facts about a value that help texts, messages and pages need. */
export type Facts = {
  /** Words that follow "must" in a message. */
  readonly must: string;
  /** The argument of its flag; a switch has none. */
  readonly argument?: string;
  /** A path, or a list of paths: relative to the folder of the configuration or the working folder. */
  readonly isPath?: true;
  /** No message repeats such a value. */
  readonly isSecret?: true;
  /** Its flag begins with `--no-`. */
  readonly isTurnedOff?: true;
};

export function factsOf(schema: Schema): Facts {
  // Every value is made by `value`, whose facts are the last of the metadata.
  return v.getMetadata(schema as v.GenericSchema & { pipe: [v.GenericSchema, v.MetadataAction<unknown, Facts>] });
}

function value<Given, Value>(
  must: string,
  make: (must: string) => Schema<Given, Value>,
  facts: Omit<Facts, 'must'> = {},
): Schema<Given, Value> {
  return v.pipe(make(must), v.metadata({ must, ...facts }));
}

/** Returns the same value with another argument. */
function renamed<Given, Value>(schema: Schema<Given, Value>, facts: Omit<Facts, 'must'>): Schema<Given, Value> {
  return v.pipe(schema, v.metadata({ ...factsOf(schema), ...facts }));
}

function texts(must: string, pattern: RegExp, facts: Omit<Facts, 'must'> = {}): Schema<string> {
  return value(must, (message) => v.pipe(v.string(message), v.regex(pattern, message)), facts);
}

function lists<Given, Value>(item: Schema<Given, Value>, argument: string): Schema<readonly Given[], readonly Value[]> {
  const { isPath } = factsOf(item);
  return value('be an array of strings', (must) => v.array(item, must), { argument, ...(isPath && { isPath }) });
}

/** Arrays count as objects for the library. */
function objects<Given extends object>(must: string, schema: (must: string) => Schema<Given>): Schema<Given> {
  return value(must, (message) =>
    v.pipe(
      schema(message),
      v.check((given) => !Array.isArray(given), message),
    ),
  );
}

export const anyText = texts('be a string', /^/);
export const text = texts('be a string, and must not be empty', /\S/, { argument: '<text>' });
export const path = renamed(text, { argument: '<file>', isPath: true });
export const folder = renamed(text, { argument: '<dir>', isPath: true });
export const paths = lists(path, '<file...>');
export const globs = lists(text, '<glob...>');
export const ids = lists(text, '<id...>');
export const modelId = matching(/^[^/]+\/[^/]+$/);
/** A job id becomes a part of a path as it is. */
export const jobId = matching(/^[A-Za-z0-9._~%!$&'()*+,;=:@-]+$/);
/** Where a secret can be read. */
export const secret = texts(
  'be env:NAME or command:PROGRAM ARGUMENT…: a secret is never written down',
  /^(env|command):./,
  { argument: '<source>', isSecret: true },
);
export const version = texts(
  'be auto, or a version such as 1.2.3',
  /^(auto|\d{1,9}\.\d{1,9}\.\d{1,9}(-[0-9A-Za-z.-]{1,100})?)$/,
  { argument: '<version>' },
);
export const date = texts('be a day such as 2027-01-31', /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/);
export const colour = texts('be a CSS colour such as #0a6e5c', /^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/);
export const yes = value('be true or false', (must) => v.boolean(must));
/** A setting that a flag with `--no-` turns off. */
export const unless = renamed(yes, { isTurnedOff: true });
export const input = objects('be an object', (must) => v.record(v.string(), v.unknown(), must) as Schema<JsonObject>);
export const writtenInput = value(
  'be an object, its JSON text, or file: and the path of a file that holds it',
  (must) => v.union([input, v.pipe(v.string(), v.regex(/^(\s*\{|file:.)/))], must),
);
/** For options of functions that their types describe further. */
export const data = value('be an object or an array', (must) =>
  v.custom<object>((given) => typeof given === 'object' && given !== null, must),
);
export const headers = objects('be an object of strings', (must) => v.record(v.string(), text, must));
export const publishConfig = objects('be an object of strings, true and false', (must) =>
  v.record(v.string(), v.union([v.string(), v.boolean()], must), must),
);
export const readings = value("be 'required', or an object such as { 'OP-040': 'required' }", (must) =>
  v.union([v.literal('required'), v.record(v.string(), v.literal('required'))], must),
);
export const positive = numbers('be a number above 0, and at most 1000', 0.001, 1_000);
export const cents = numbers('be a number from 0', 0, Number.MAX_SAFE_INTEGER);

function matching(pattern: RegExp): Schema<string> {
  return texts(`match pattern ${pattern.source}`, pattern);
}

function numbers(must: string, least: number, most: number): Schema<number> {
  return value(must, (message) => v.pipe(v.number(message), v.minValue(least, message), v.maxValue(most, message)), {
    argument: '<n>',
  });
}

export function wholeNumber(least: number, most: number): Schema<number> {
  const must = `be a whole number from ${least} to ${most}`;
  const make = () => v.pipe(v.number(must), v.integer(must), v.minValue(least, must), v.maxValue(most, must));
  return value(must, make, { argument: '<n>' });
}

export function choice<const Choice extends string | boolean>(...choices: readonly Choice[]): Schema<Choice> {
  const must = `be one of ${choices.join(', ')}`;
  return value(must, () => v.picklist(choices as readonly (Choice & string)[], must), { argument: '<kind>' });
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** A duration; its value is in milliseconds. */
export const duration = value(
  'be a duration from 100ms to 24h, such as 500ms, 90s, 10m or 1h',
  (must) =>
    v.pipe(
      v.string(must),
      v.regex(/^\d{1,9}(ms|s|m|h)$/, must),
      v.transform((given) => Number.parseInt(given, 10) * (unitMs[given.replace(/\d+/, '')] ?? Number.NaN)),
      v.minValue(100, must),
      v.maxValue(24 * 3_600_000, must),
    ),
  { argument: '<time>' },
);

/** An absolute http or https address without credentials; its value has no trailing slash. */
export const address = value(
  'be an http or https address',
  (must) =>
    v.pipe(
      v.string(must),
      v.check((given) => /^https?:$/.test(URL.parse(given)?.protocol ?? ''), must),
      v.transform((given) => new URL(given)),
      v.check((url) => url.username === '' && url.password === '', 'not carry credentials: use the environment'),
      v.check((url) => url.search === '' && url.hash === '', 'have no query and no fragment'),
      v.transform((url) => url.href.replace(/\/+$/, '')),
    ),
  { argument: '<url>', isSecret: true },
);
/** A folder, or the address of a service. */
export const folderOrAddress = value(
  'be a folder, or an http or https address, and must not be empty',
  (must) =>
    v.lazy((given) => (/^https?:/i.test(String(given)) ? address : v.pipe(v.string(must), v.regex(/\S/, must)))),
  { argument: '<dir|url>', isPath: true, isSecret: true },
);

/** Some of these names, as a list or as one text with commas. */
export function someOf<const Name extends string>(
  choices: readonly Name[],
): Schema<string | readonly string[], readonly Name[]> {
  const must = `be names of ${choices.join(', ')}, separated by commas`;
  const names = v.transform((given: string | readonly string[]) => splitNames(given));
  return value(must, () => v.pipe(v.union([text, globs], must), names, v.array(v.picklist(choices, must), must)), {
    argument: '<names>',
  });
}

function splitNames(given: string | readonly string[]): string[] {
  return [given].flat().flatMap((one) => one.split(',').map((name) => name.trim()));
}

/** Two names. */
export const statusPair: Schema<string | readonly [waiting: string, running: string], readonly [string, string]> =
  value(
    'be two different names other than COMPLETED, separated by a comma',
    (must) =>
      v.pipe(
        v.union([text, v.tuple([text, text])], must) as Schema<string | readonly [waiting: string, running: string]>,
        v.transform((given) => splitNames(given)),
        v.check((names) => names.length === 2 && new Set(['', 'COMPLETED', ...names]).size === 4, must),
        v.transform(([waiting = '', running = '']) => [waiting, running] as const),
      ),
    { argument: '<waiting,running>' },
  );

/** `all`, a number, or a glob over model ids. */
export const modelChoice: Schema<string, number | string> = value(
  'be all, a number or a glob',
  (must) =>
    v.pipe(
      v.string(must),
      v.regex(/\S/, must),
      v.transform((given) => (/^[1-9]\d{0,5}$/.test(given) ? Number(given) : given)),
    ),
  { argument: '<which>' },
);

/** An object that may hold these members. */
export function members(entries: Readonly<Record<string, Schema>>): Schema<object> {
  return strict(Object.fromEntries(Object.entries(entries).map(([name, schema]) => [name, v.optional(schema)])));
}

/** An object without other members. */
export function strict<const Entries extends v.ObjectEntries>(entries: Entries) {
  const names = Object.keys(entries).join(', ');
  return v.pipe(
    v.strictObject(entries, (issue) => {
      if (issue.expected === 'never') return `has no setting ${issue.received}; it has ${names}`;
      return issue.expected === 'Object' ? 'must be an object' : 'is missing';
    }),
    v.check((given) => !Array.isArray(given), 'must be an object'),
  );
}

export function listOf<Given, Value>(item: Schema<Given, Value>): Schema<readonly Given[], readonly Value[]> {
  return v.array(item, 'must be an array');
}

/** The first problem of a value, with its place as a JSON pointer below `place`; undefined if there is none. */
export function findProblem(schema: Schema, given: unknown, place: string): string | undefined {
  const { issues } = v.safeParse(schema, given, { abortEarly: true, abortPipeEarly: true });
  const [issue] = issues ?? [];
  if (issue === undefined) return undefined;
  const isUnknown = issue.type === 'strict_object' && issue.expected === 'never';
  const keys = (issue.path ?? []).map(({ key }) => String(key)).slice(0, isUnknown ? -1 : undefined);
  const pointer = keys.map((key) => `/${key}`).join('') || place;
  return /^(must|has|is) /.test(issue.message) ? `${pointer} ${issue.message}` : `${pointer} must ${issue.message}`;
}

/** The value of a setting. Throws UsageError; `from` names its place, such as a flag. */
export function readValue(schema: Schema, given: unknown, from: string, folder: string): unknown {
  const { isPath, isSecret } = factsOf(schema);
  const { success, output, issues } = v.safeParse(schema, given, { abortEarly: true, abortPipeEarly: true });
  if (success) {
    const place = (path: unknown) => (/^https?:/i.test(String(path)) ? path : resolve(folder, String(path)));
    return isPath ? (Array.isArray(output) ? output.map(place) : place(output)) : output;
  }
  const isShown = isSecret !== true && typeof given !== 'object';
  throw new UsageError(`${from} must ${issues[0].message}${isShown ? `, got ${JSON.stringify(given)}` : ''}`);
}

/** Converts the text of a flag or a variable. */
export function ofText(schema: Schema, text: string): unknown {
  return schema.type === 'number' && /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

export function isObject(given: unknown): given is Readonly<Record<string, unknown>> {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

type Stated<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

/** Leaves out members that are undefined. */
export function keepStated<Values extends object>(values: Values): Stated<Values> {
  const entries = Object.entries(values).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries) as Stated<Values>; // the members that are left are those of the type
}
