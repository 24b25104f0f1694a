import * as v from 'valibot';
import type { JsonObject } from '../../specs/src/index.ts';
import { UsageError } from './errors.ts';

/** Type of a flag, variable or setting. `Given`: as written by the user. `Value`: as commands use it, but paths as given. */
export type Schema<Given = unknown, Value = Given> = v.GenericSchema<Given, Value>;

/** Properties of a type for help texts, messages and pages. */
export type Facts = {
  /** Text after "must" in messages. */
  readonly must: string;
  /** Argument of a flag; absent for a switch. */
  readonly argument?: string;
  /** True for a path, or a list of paths, relative to the folder of the configuration or the working folder. */
  readonly isPath?: true;
  /** True if messages must not repeat the value. */
  readonly isSecret?: true;
};

export function readFacts(schema: Schema): Facts {
  // `define` creates every type, and adds its facts as the last metadata.
  return v.getMetadata(schema as v.GenericSchema & { pipe: [v.GenericSchema, v.MetadataAction<unknown, Facts>] });
}

/** Adds facts to a schema. Its own checks need no messages: every issue without one gets `must`. */
function define<Given, Value>(
  must: string,
  schema: v.GenericSchema<Given, Value>,
  facts: Omit<Facts, 'must'> = {},
): Schema<Given, Value> {
  return v.pipe(v.config(schema, { message: must }), v.metadata({ ...facts, must }));
}

function matching(must: string, pattern: RegExp, facts?: Omit<Facts, 'must'>): Schema<string> {
  return define(must, v.pipe(v.string(), v.regex(pattern)), facts);
}

function nonEmptyText(facts: Omit<Facts, 'must'>): Schema<string> {
  return matching('be a string, and must not be empty', /\S/, facts);
}

function numbers(must: string, isValid: (given: number) => boolean): Schema<number> {
  return define(must, v.pipe(v.number(), v.check(isValid)), { argument: '<n>' });
}

function texts(item: Schema<string>, argument: string): Schema<readonly string[]> {
  return define('be an array of strings', v.array(item), { ...readFacts(item), argument });
}

/** An object with any member names. Valibot would also accept arrays as records. */
function record<Member>(must: string, member: v.GenericSchema<Member>): Schema<Readonly<Record<string, Member>>> {
  return define(
    must,
    v.pipe(
      v.record(v.string(), member),
      v.check((given) => !Array.isArray(given)),
    ),
  );
}

export const anyText = matching('be a string', /^/);
export const text = nonEmptyText({ argument: '<text>' });
export const path = nonEmptyText({ argument: '<file>', isPath: true });
export const folder = nonEmptyText({ argument: '<dir>', isPath: true });
export const paths = texts(path, '<file...>');
export const globs = texts(text, '<glob...>');
export const ids = texts(text, '<id...>');
export const scopePattern = /^@[a-z0-9][a-z0-9._-]*$/;
export const scope = matching('be an npm scope such as @acme', scopePattern, { argument: '<@name>' });
export const modelId = matching('be a model id such as maker/draw', /^[^/]+\/[^/]+$/);
/** Becomes part of a path unchanged. */
export const jobId = matching('be a job id, percent-encoded as in a path', /^[A-Za-z0-9._~%!$&'()*+,;=:@-]+$/);
/** Source of a secret. */
export const secret = matching(
  'be env:NAME or command:PROGRAM ARGUMENT…, because a configuration must not contain secrets',
  /^(env|command):./,
  { argument: '<source>', isSecret: true },
);
export const version = matching(
  'be auto, or a version such as 1.2.3',
  /^(auto|\d{1,9}\.\d{1,9}\.\d{1,9}(-[0-9A-Za-z.-]{1,100})?)$/,
  { argument: '<version>' },
);
export const colour = matching('be a CSS colour such as #0a6e5c', /^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/);
export const toggle = define('be true or false', v.boolean());
export const positive = numbers('be a number from 0.001 to 1000', (given) => given >= 0.001 && given <= 1_000);
export const cents = numbers('be a number that is not negative', (given) => Number.isFinite(given) && given >= 0);
export const input = record('be an object', v.unknown()) as Schema<JsonObject>;
export type WrittenInput = JsonObject | string;
export const writtenInput: Schema<WrittenInput> = define(
  'be an object, its JSON text, or file: followed by the path of a JSON file',
  v.union([input, v.pipe(v.string(), v.regex(/^(\s*\{|file:.)/))]),
);
export const headers = record('be an object with string values', text);
export const publishConfig = record('be an object with string or boolean values', v.union([v.string(), v.boolean()]));
export const readings = define(
  "be 'required', or an object such as { 'OP-040': 'required' }",
  v.union([v.literal('required'), v.record(v.string(), v.literal('required'))]),
);
/** Accepts any object or array, for options that TypeScript describes in more detail. */
export const data = define(
  'be an object or an array',
  v.custom<object>((given) => typeof given === 'object' && given !== null),
);

export function wholeNumber(least: number, most: number): Schema<number> {
  const isValid = (given: number) => Number.isInteger(given) && given >= least && given <= most;
  return numbers(`be a whole number from ${least} to ${most}`, isValid);
}

export function choice<const Choice extends string | boolean>(...choices: readonly Choice[]): Schema<Choice> {
  const schema = v.picklist(choices as readonly (Choice & string)[]);
  return define(`be one of ${choices.join(', ')}`, schema, { argument: '<kind>' });
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** A duration, converted to milliseconds. */
export const duration = define(
  'be a duration from 100ms to 24h, such as 500ms, 90s, 10m or 1h',
  v.pipe(
    v.string(),
    v.regex(/^\d{1,9}(ms|s|m|h)$/),
    v.transform((given) => Number.parseInt(given, 10) * (unitMs[given.replace(/\d+/, '')] ?? Number.NaN)),
    v.minValue(100),
    v.maxValue(24 * 3_600_000),
  ),
  { argument: '<time>' },
);

/** Absolute http or https URL without credentials, converted to one without a trailing slash. */
export const baseUrl = define(
  'be an http or https URL',
  v.pipe(
    v.string(),
    v.check((given) => /^https?:$/.test(URL.parse(given)?.protocol ?? '')),
    v.transform((given) => new URL(given)),
    v.check((url) => url.username === '' && url.password === '', 'not contain credentials: use environment variables'),
    v.check((url) => url.search === '' && url.hash === '', 'not have a query or a fragment'),
    v.transform((url) => url.href.replace(/\/+$/, '')),
  ),
  { argument: '<url>', isSecret: true },
);
export const folderOrUrl = define(
  'be a folder, or an http or https URL, and must not be empty',
  v.lazy((given) => (/^https?:/i.test(String(given)) ? baseUrl : v.pipe(v.string(), v.regex(/\S/)))),
  { argument: '<dir|url>', isPath: true, isSecret: true },
);

function splitNames(given: string | readonly string[]): string[] {
  return [given].flat().flatMap((one) => one.split(',').map((name) => name.trim()));
}

/** A list of some of these names, or a comma-separated string of them. */
export function someOf<const Name extends string>(
  choices: readonly Name[],
): Schema<string | readonly string[], readonly Name[]> {
  return define(
    `be one or more of ${choices.join(', ')}, separated by commas`,
    v.pipe(v.union([text, globs]), v.transform(splitNames), v.array(v.picklist(choices))),
  );
}

export const statusPair = define<string | readonly [waiting: string, running: string], readonly [string, string]>(
  'be two different names other than COMPLETED, separated by a comma',
  v.pipe(
    v.union([text, v.tuple([text, text])]),
    v.transform((given) => splitNames(given)),
    v.check((names) => names.length === 2),
    v.transform(([waiting = '', running = '']) => [waiting, running] as const),
  ),
  { argument: '<waiting,running>' },
);

/** `all`, a number, or a glob over model ids. */
export const modelChoice = define<string, number | string>(
  'be all, a number or a glob',
  v.pipe(
    v.string(),
    v.regex(/\S/),
    v.transform((given) => (/^[1-9]\d{0,5}$/.test(given) ? Number(given) : given)),
  ),
  { argument: '<which>' },
);

/** An object that allows no other members. */
export function strict<const Entries extends v.ObjectEntries>(
  entries: Entries,
): v.StrictObjectSchema<Entries, undefined> {
  const names = Object.keys(entries).join(', ');
  const schema = v.strictObject(entries, (issue) => {
    if (issue.expected === 'never') return `has no setting ${issue.received}; it has ${names}`;
    return issue.expected === 'Object' ? 'must be an object' : 'is missing';
  });
  const check = v.check((given) => !Array.isArray(given), 'must be an object');
  return v.pipe(schema as v.GenericSchema, check) as never; // The check doesn't change the types.
}

/** An optional object, whose members are all optional. */
export function group<const Entries extends v.ObjectEntries>(
  entries: Entries,
): v.OptionalSchema<v.StrictObjectSchema<Entries, undefined>, never> {
  return v.optional(strict(entries), {} as never);
}

/** An interface, because declarations would lose the comments of the item's members in an alias. */
export interface ListSchema<Item extends v.GenericSchema>
  extends v.GenericSchema<readonly v.InferInput<Item>[], readonly v.InferOutput<Item>[]> {}

/** A list of objects. */
export function listOf<const Item extends v.GenericSchema>(item: Item): ListSchema<Item> {
  return v.array(item, 'must be an array');
}

/** Returns the first problem of a value with its JSON pointer, or with `place` at the top level; undefined if valid. */
export function findProblem(schema: Schema, given: unknown, place: string): string | undefined {
  const [issue] = v.safeParse(schema, given, { abortEarly: true, abortPipeEarly: true }).issues ?? [];
  if (issue === undefined) return undefined;
  const isUnknown = issue.type === 'strict_object' && issue.expected === 'never';
  const keys = (issue.path ?? []).map(({ key }) => String(key)).slice(0, isUnknown ? -1 : undefined);
  const pointer = keys.map((key) => `/${key}`).join('') || place;
  return /^(must|has|is) /.test(issue.message) ? `${pointer} ${issue.message}` : `${pointer} must ${issue.message}`;
}

/** Returns the value of a flag, variable or answer. Throws UsageError. `from`: its name, for the message. */
export function readValue<Value>(schema: Schema<unknown, Value>, given: unknown, from: string): Value {
  const { success, output, issues } = v.safeParse(schema, given, { abortEarly: true, abortPipeEarly: true });
  if (success) return output;
  const isShown = readFacts(schema).isSecret !== true && typeof given !== 'object';
  throw new UsageError(`${from} must ${issues[0].message}${isShown ? `, got ${JSON.stringify(given)}` : ''}`);
}

type Defined<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

/** Removes undefined members. */
export function omitUndefined<Values extends object>(values: Values): Defined<Values> {
  const entries = Object.entries(values).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries) as Defined<Values>; // The remaining members are those of the type.
}
