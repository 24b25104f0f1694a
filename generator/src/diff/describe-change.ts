import {
  asObject,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parsePointer,
  resolvePointer,
} from '../../../specs/src/index.ts';
import {
  type Broken,
  type ChangeRuleId,
  changeRules,
  codeLosses,
  type Direction,
  type SchemaChange,
  sameJson,
} from './schema-change.ts';

/** Marks text of a document in a line. */
export type Quote = (text: string) => string;

/** Such as `input.size: value "4K" removed; calls with it are refused`. A line for each change; the values of one list are in one line, and so are the exports of a model. */
export function describeChanges(changes: readonly SchemaChange[], quote: Quote): string[] {
  const groups = Map.groupBy(changes, (change) => {
    const { rule, verdict, direction, field = '' } = change;
    if (!listedTogether.has(rule)) return change;
    return JSON.stringify(exportRules.has(rule) ? [rule, verdict] : [rule, verdict, direction, field]);
  });
  return [...groups.values()].flatMap((group) => {
    const first = group.find(({ code }) => code !== undefined) ?? group[0];
    return first === undefined ? [] : [describeTogether(group, first, quote)];
  });
}

const exportRules: ReadonlySet<ChangeRuleId> = new Set(['export-added', 'export-removed']);
const listedTogether: ReadonlySet<ChangeRuleId> = new Set([...exportRules, 'enum-value-added', 'enum-value-removed']);

function describeTogether(group: readonly SchemaChange[], change: SchemaChange, quote: Quote): string {
  const { rule, direction, field, subject, pointer, note } = change;
  // `header x-wait` is not a member.
  const isMember = field !== undefined && !/^\w+ /.test(field);
  const name = isMember ? `${direction}${/^(?:$|\[)/.test(field) ? '' : '.'}${field}` : field;
  // An API has many calls, a model has one.
  const [holder, path = '', part = ''] = parsePointer(pointer);
  const call = `${part.toUpperCase()} ${path}`;
  const ofCall = holder === 'paths' && subject !== call ? ` in ${quote(call)}` : '';
  const parts = [
    name === undefined || ofModel.has(rule) ? '' : `${quote(name)}: `,
    ownWords[rule]?.(change, quote) ?? fillIn(group, change, quote),
    note === undefined ? '' : `: ${note}`,
    holder === 'components' ? ` in component ${quote(part)}` : ofCall,
    describeBroken(change, quote, group.length > 1 ? 'them' : 'it'),
  ];
  return parts.join('');
}

/** What becomes of calls and code that worked; a changed default breaks neither, and is easily missed. */
function describeBroken({ rule, direction, breaks, code = '' }: SchemaChange, quote: Quote, it: string): string {
  if (rule === 'default-changed' && direction === 'input') return '; results may differ where calls leave it out';
  // The sentence says itself what callers must do.
  if (breaks.length === 0 || (rule === 'authored-on' && direction === 'input')) return '';
  const isShown = code !== '' && !(code.startsWith('const ') && vague.has(rule));
  const example = `older code ${/^\w+$/.test(code) ? 'with the type' : 'such as'} ${quote(code)} does not compile`;
  const guess = rule in codeLosses ? 'older code that uses it may not compile' : 'older code may not handle it';
  const own = olderCode[rule]?.[direction]?.replace('{it}', it);
  const older = own ?? (isShown ? example : guess);
  const calls = (refusedCalls[rule] ?? 'some calls are refused now').replace('{it}', it);
  if (breaks.includes('calls')) return `; ${calls}${breaks.includes('code') ? `, and ${older}` : ''}`;
  return `; ${direction === 'input' && own === undefined ? 'calls are still accepted, but ' : ''}${older}`;
}

const [withoutIt, withIt] = ['calls without it are refused', 'calls with {it} are refused'];
const refusedCalls: Partial<Record<ChangeRuleId, string>> = {
  'property-added-required': withoutIt,
  'property-became-required': withoutIt,
  'parameter-added-required': withoutIt,
  'parameter-became-required': withoutIt,
  'body-became-required': withoutIt,
  'enum-value-removed': withIt,
  'union-member-removed': withIt,
  'parameter-removed': withIt,
  'bound-tightened': 'calls outside it are refused',
  'alternate-removed': 'calls that choose it are refused',
  'security-changed': 'calls with others are refused',
};
const imports = 'older code that imports {it} does not compile';
/** In place of an example from the compiler. */
const olderCode: Partial<Record<ChangeRuleId, Partial<Record<Direction, string>>>> = {
  'property-added-required': { input: 'older code does not compile' },
  'property-became-required': { input: 'older code does not compile' },
  'media-type-changed': { output: 'older code that reads it as before does not compile' },
  'authored-off': { input: 'older code that reads an Input does not compile' },
  'export-removed': { input: imports, output: imports },
};
/** Their types are called as before. */
const vague: ReadonlySet<ChangeRuleId> = new Set(['enum-value-added', 'enum-removed', 'union-member-added']);
/** They name the side themselves. */
const ofModel: ReadonlySet<ChangeRuleId> = new Set(['authored-on', 'authored-off']);
/** Their values are values of the wire, also where they are texts. */
const ofJson: ReadonlySet<ChangeRuleId> = new Set([
  'enum-added',
  'enum-removed',
  'enum-value-added',
  'enum-value-removed',
  'default-changed',
]);

/** The sentence of the rule with the names and the values that changed. */
function fillIn(group: readonly SchemaChange[], { rule, before, after }: SchemaChange, quote: Quote): string {
  const show = (value: JsonValue | undefined): string[] => (value === undefined ? [] : [quote(shorten(rule, value))]);
  const [was, is] = [show(before), show(after)];
  const shown = [...was, ...is];
  const isFlag = typeof (before ?? after) === 'boolean';
  const turned = was.length === 0 ? 'added' : 'removed';
  const subjects = group.map(({ subject = '' }) => subject);
  const texts: Readonly<Record<string, string>> = {
    turn: shown.length > 1 ? ` changed from ${was} to ${is}` : shown.length === 0 ? ' changed' : ` ${shown} ${turned}`,
    is: shown.length === 0 || isFlag ? '' : ` (${is.length === 0 ? 'was ' : ''}${shown.join(' → ')})`,
    values: listSome(group.flatMap((one) => [...show(one.before), ...show(one.after)])),
    subject: listSome(subjects.map(quote)),
    bound: nameBound(subjects[0] ?? ''),
    s: group.length > 1 ? 's' : '',
  };
  return changeRules[rule].replace(/\{(\w+)\}/g, (_, name: string) => texts[name] ?? '');
}

function listSome(texts: readonly string[], atMost = 12): string {
  const more = texts.length - atMost;
  return `${texts.slice(0, atMost).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** `maxItems` as `maximum number of items`. */
function nameBound(keyword: string): string {
  const [, end = '', unit = ''] = /(min|max)(?:imum)?(\w*)$/i.exec(keyword) ?? [];
  if (end === '') return 'step size';
  const of = { '': '', Length: ' length' }[unit] ?? ` number of ${unit.toLowerCase()}`;
  return `${end.toLowerCase()}imum${of}`;
}

type Words = (change: SchemaChange, quote: Quote) => string | undefined;

/** Sentences that depend on more than the names and values that changed. */
const ownWords: Partial<Record<ChangeRuleId, Words>> = {
  'deprecation-changed': ({ after }) => (after === true ? 'deprecated now' : 'no longer deprecated'),
  'default-changed': ({ before, after }, quote) =>
    before !== undefined && after === undefined
      ? `no longer has a default (was ${quote(shorten('default-changed', before))})`
      : undefined,
  'description-changed': describeText,
  'examples-changed': describeExample,
  'union-member-added': ({ direction, after }, quote) =>
    `${direction === 'input' ? 'also takes' : 'may also be'} ${quote(String(after))}`,
  'union-member-removed': ({ direction, before }, quote) =>
    `${direction === 'input' ? 'no longer takes' : 'is no longer'} ${quote(String(before))}`,
  'security-changed': describeWays,
  'security-loosened': describeWays,
  'media-type-changed': ({ before, after }, quote) => {
    const name = (types: JsonValue | undefined): string =>
      [types]
        .flat()
        .map((type) => bodies[String(type)] ?? quote(String(type)))
        .join(' or ');
    return `${name(after)} now, was ${name(before)} before`;
  },
  'authored-off': ({ direction }) =>
    direction === 'input'
      ? 'inputs are no longer checked: any JSON object is accepted'
      : 'outputs are no longer described: any value is possible',
  'authored-on': ({ direction, after, breaks }, quote) =>
    direction === 'input'
      ? describeInput(after, breaks, quote)
      : `outputs are described from now on: ${quote(String(after))}`,
  'modalities-changed': ({ before, after }, quote) => {
    const sides = [
      ['input', 'takes'],
      ['output', 'returns'],
    ] as const;
    const changed = sides.flatMap(([side, verb]) => {
      const list = (one: JsonValue | undefined): string => [asObject(one)[side] ?? []].flat().join(', ');
      const [was, is] = [list(before), list(after)];
      if (was === is) return [];
      const former = was === '' ? '' : ` (was ${quote(was)})`;
      return [is === '' ? `no longer says what it ${verb}${former}` : `${verb} ${quote(is)}${former}`];
    });
    return `documented now: ${changed.join('; ')}`;
  },
};

const bodies: Readonly<Record<string, string>> = {
  '*/*': 'bytes or anything',
  'application/json': 'JSON',
  'application/json with a schema': 'JSON with a schema',
};

/** What callers must do once inputs are checked. */
function describeInput(input: JsonValue | undefined, breaks: readonly Broken[], quote: Quote): string | undefined {
  const { required = [], optional = [], isClosed = false, types = '' } = asObject(input);
  const list = (names: JsonValue): string[] => (Array.isArray(names) ? names.map((name) => quote(String(name))) : []);
  const [needed, known] = [list(required), list(optional)];
  const be = (names: readonly string[]): string => (names.length > 1 ? 'are' : 'is');
  const first = `${known.slice(0, 6).join(', ')}${known.length > 6 ? ', …' : ''}`;
  const clauses = [
    ...(needed.length > 0 ? [`${listSome(needed)} ${be(needed)} required`] : []),
    ...(known.length > 0
      ? [`${isClosed ? 'only ' : ''}${first} ${be(known)} ${isClosed ? 'known' : 'described'}`]
      : []),
    ...(isClosed || !breaks.includes('code') ? [] : ['older code that passes others does not compile']),
  ];
  const as = types === '' ? '' : ` as ${quote(String(types))}`;
  return `inputs are checked from now on${as}${clauses.length === 0 ? '' : `: ${clauses.join('; ')}`}`;
}

/** The words of a description around what changed in it, in quotes. */
function describeText({ before, after }: SchemaChange, quote: Quote): string {
  const print = (value: JsonValue | undefined): string[] => [
    ...[value ?? []].flat().join(' ').replace(/\s+/g, ' ').trim(),
  ];
  const [old, now] = [print(before), print(after)];
  const cite = (text: string): string => quote(`"${text}"`);
  const [was, is] = showDifference(old, now);
  if (old.length === 0) return `description added: ${cite(is)}`;
  if (now.length === 0) return `description removed: ${cite(was)}`;
  if (was === is) return 'description changed in white space only';
  if (was === '') return `description now adds ${cite(is)}`;
  return is === '' ? `description no longer has ${cite(was)}` : `description changed from ${cite(was)} to ${cite(is)}`;
}

/** The parts of an example that changed, as code names them. */
function describeExample({ before, after }: SchemaChange, quote: Quote): string {
  if (before === undefined || after === undefined) return `example ${before === undefined ? 'added' : 'removed'}`;
  const first = (value: JsonValue): JsonValue =>
    Array.isArray(value) && value.length === 1 ? (value[0] ?? null) : value;
  const paths = listDifferences(first(before), first(after), '').filter((path) => path !== '');
  return `example changed${paths.length === 0 ? '' : ` in ${listSome(paths.map(quote), 4)}`}`;
}

function listDifferences(before: JsonValue | undefined, after: JsonValue | undefined, path: string): string[] {
  if (sameJson(before, after)) return [];
  const isPair = isJsonObject(before) && isJsonObject(after);
  if (isPair) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => listDifferences(before[name], after[name], path === '' ? name : `${path}.${name}`));
  }
  if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) return [path];
  return before.flatMap((one, index) => listDifferences(one, after[index], `${path}[${index}]`));
}

const citedAtMost = 80;
const around = 24;

/** The parts in which two texts of characters differ, by whole words: only what came or went, else with words around them. */
function showDifference(old: readonly string[], now: readonly string[]): readonly [string, string] {
  const isInWord = (one: string | undefined): boolean => one !== undefined && /[\p{L}\p{N}]/u.test(one);
  const most = Math.min(old.length, now.length);
  const first = Array.from({ length: most }, (_, index) => index).find((index) => old[index] !== now[index]) ?? most;
  let start = first;
  const isInside = (one: string | undefined, ...others: readonly (string | undefined)[]): boolean =>
    isInWord(one) && others.some(isInWord);
  if (isInside(old[start - 1], old[start], now[start]))
    while (start > 0 && first - start < around && isInWord(old[start - 1])) start--;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  if (end > 0 && isInside(old.at(-end), old.at(-end - 1), now.at(-end - 1)))
    for (const last = end; end > 0 && last - end < around && isInWord(old.at(-end)); ) end--;
  // The words around it are whole words too.
  const cite = (text: readonly string[]): string => {
    let [from, to] = [Math.max(0, start - around), Math.min(text.length, text.length - end + around)];
    while (from > 0 && from < start && isInWord(text[from - 1])) from++;
    while (to < text.length && to > text.length - end && isInWord(text[to])) to--;
    const part = text.slice(from, to).join('').trim();
    const cut = part.length <= citedAtMost ? part : `${part.slice(0, 60)} … ${part.slice(-17)}`;
    return `${from === 0 ? '' : '… '}${cut}${to === text.length ? '' : ' …'}`;
  };
  const change = (text: readonly string[]): string =>
    text
      .slice(start, text.length - end)
      .join('')
      .trim();
  const [was, is] = [change(old), change(now)];
  if (was === '' && /[\p{L}\p{N}]/u.test(is)) return ['', shortenText(is)];
  if (is === '' && /[\p{L}\p{N}]/u.test(was)) return [shortenText(was), ''];
  const isShort = Math.max(old.length, now.length) <= citedAtMost;
  return isShort ? [old.join(''), now.join('')] : [cite(old), cite(now)];
}

/** Values of the wire as JSON, else words. */
function shorten(rule: ChangeRuleId, value: JsonValue): string {
  return shortenText(typeof value === 'string' && !ofJson.has(rule) ? value : JSON.stringify(value));
}

/** Both ends of a text say what it is. */
function shortenText(text: string): string {
  const half = (citedAtMost - 3) / 2;
  return text.length <= citedAtMost ? text : `${text.slice(0, half)} … ${text.slice(-half)}`;
}

/** The credentials that are refused now, or those that are accepted in addition to the older ones. */
function describeWays({ rule, before, after }: SchemaChange, quote: Quote): string {
  const [old, now] = [printWays(before), printWays(after)];
  const show = (ways: readonly string[]): string => ways.map(quote).join(', ') || 'none';
  const came = now.filter((way) => !old.includes(way));
  if (rule === 'security-loosened') return `credentials accepted now too: ${show(came)}`;
  const lost = old.filter((way) => !now.includes(way));
  return `credentials no longer accepted: ${show(lost)}; ${came.length === 0 ? 'still' : 'now'} accepted: ${show(now)}`;
}

/** `bearer token` and `API key in header X-API-Key` */
function printWays(security: JsonValue | undefined): readonly string[] {
  const ways = Array.isArray(security) ? security.filter(isJsonObject) : [];
  return ways.map((way: JsonObject): string => {
    const schemes = Object.entries(way).map((scheme) => scheme.flat().join(' '));
    const names = schemes.map((one) => one.replace(/^apiKey /, 'API key in ').replace(/^http bearer/, 'bearer token'));
    return names.join(' with ') || 'no credential';
  });
}

const listedAtMost = 4;

/** A schema in the words of the types that are made from it: `list of Image`, `{ url, name }`, `"a" | "b"`. */
export function describeSchema(schema: JsonValue, root: JsonObject): string {
  if (schema === false) return 'nothing';
  if (!isJsonObject(schema)) return 'anything';
  const { $ref, const: fixed, enum: values, type, allOf } = schema;
  const describe = (part: JsonValue): string => describeSchema(part, root);
  if (typeof $ref === 'string') {
    const { enum: listed } = asObject(resolvePointer(root, $ref.slice(1)));
    // The values of a short list say more than its name.
    const isShort = Array.isArray(listed) && listed.length <= listedAtMost;
    return isShort ? describe({ enum: listed }) : $ref.slice($ref.lastIndexOf('/') + 1);
  }
  if (fixed !== undefined) return JSON.stringify(fixed);
  if (Array.isArray(values)) return showFirst(values.map((value) => JSON.stringify(value))).join(' | ');
  const branches = [schema['anyOf'], schema['oneOf']].find(Array.isArray);
  if (branches !== undefined) return [...new Set(branches.map(describe))].join(' | ');
  if (type === undefined && Array.isArray(allOf)) return [...new Set(allOf.map(describe))].join(' & ');
  const names = showFirst(Object.keys(asObject(schema['properties'])));
  const types = Array.isArray(type) ? type : [type ?? (names.length === 0 ? 'anything' : 'object')];
  const describeType = (name: JsonValue): string => {
    if (name === 'array') return describeList(describe(schema['items'] ?? true));
    if (name === 'object' && names.length > 0) return `{ ${names.join(', ')} }`;
    return typeof name === 'string' ? name : 'anything';
  };
  return types.map(describeType).join(' | ');
}

function showFirst(texts: readonly string[]): string[] {
  return [...texts.slice(0, listedAtMost), ...(texts.length > listedAtMost ? ['…'] : [])];
}

function describeList(inner: string): string {
  if (inner === 'anything' || inner === 'nothing') return 'list';
  return / [|&] /.test(inner) ? `list of (${inner})` : `list of ${inner}`;
}
