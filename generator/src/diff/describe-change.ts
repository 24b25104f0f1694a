import {
  asObject,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parsePointer,
  resolvePointer,
} from '../../../specs/src/index.ts';
import { type ChangeRuleId, changeRules, isSameJson, type SchemaChange } from './schema-change.ts';

/** Marks text of a document in a line. */
export type Quote = (text: string) => string;

/**
 * A line for each change, such as `input.size: value "4K" removed; calls with it are refused`. The values of one list share a
 * line, and so do the exports of a model.
 */
export function describeChanges(changes: readonly SchemaChange[], quote: Quote): string[] {
  const groups = Map.groupBy(changes, (change) => {
    const { rule, verdict, direction, field = '' } = change;
    if (rule === 'export-added' || rule === 'export-removed') return `${rule} ${verdict}`;
    const isValue = rule === 'enum-value-added' || rule === 'enum-value-removed';
    return isValue ? JSON.stringify([rule, verdict, direction, field]) : change;
  });
  return [...groups.values()].flatMap((group) => {
    const first = group.find(({ code }) => code !== undefined) ?? group[0];
    return first === undefined ? [] : [describeGroup(group, first, quote)];
  });
}

function describeGroup(group: readonly SchemaChange[], change: SchemaChange, quote: Quote): string {
  const { rule, direction, field, subject, pointer, note } = change;
  // A field such as `header x-wait` is not a member of a value.
  const isMember = field !== undefined && !/^\w+ /.test(field);
  const name = isMember ? `${direction}${/^(?:$|\[)/.test(field) ? '' : '.'}${field}` : field;
  const namesSide = rule === 'authored-on' || rule === 'authored-off';
  // An API has many calls, a model has one.
  const [section, path = '', part = ''] = parsePointer(pointer);
  const call = `${part.toUpperCase()} ${path}`;
  const ofCall = section === 'paths' && subject !== call ? ` in ${quote(call)}` : '';
  return [
    name === undefined || namesSide ? '' : `${quote(name)}: `,
    ownWords[rule]?.(change, quote) ?? fillIn(group, change, quote),
    note === undefined ? '' : `: ${note}`,
    section === 'components' ? ` in component ${quote(part)}` : ofCall,
    describeBroken(change, quote, group.length > 1 ? 'them' : 'it'),
  ].join('');
}

/** The calls and the code that break. A changed default breaks neither, and is easily missed. */
function describeBroken(change: SchemaChange, quote: Quote, it: string): string {
  const { rule, direction, breaks, subject = '' } = change;
  // The compiler rounds large integers.
  const code = change.code?.replace(/^-?\d{16,}$/.test(subject) ? `${Number(subject)}` : subject, () => subject) ?? '';
  if (rule === 'default-changed' && direction === 'input') return '; results may differ where calls leave it out';
  // The sentence itself states what callers must do.
  if (breaks.length === 0 || (rule === 'authored-on' && direction === 'input')) return '';
  const { refused = 'some calls are refused now', loses, needsComparison = false, ...words } = changeRules[rule];
  const own = words.code?.[direction]?.replace('{it}', it);
  const example = `older code ${/^\w+$/.test(code) ? 'with the type' : 'such as'} ${quote(code)} does not compile`;
  const guess = loses === undefined ? 'older code may not handle it' : 'older code that uses it may not compile';
  const isShown = code !== '' && !(needsComparison && code.startsWith('const '));
  const older = own ?? (isShown ? example : guess);
  if (breaks.includes('calls'))
    return `; ${refused.replace('{it}', it)}${breaks.includes('code') ? `, and ${older}` : ''}`;
  return `; ${direction === 'input' && own === undefined ? 'calls are still accepted, but ' : ''}${older}`;
}

/** The sentence of the rule with the names and the values that changed. */
function fillIn(group: readonly SchemaChange[], { rule, before, after }: SchemaChange, quote: Quote): string {
  const show = (value: JsonValue | undefined): string[] => (value === undefined ? [] : [quote(shorten(rule, value))]);
  const [was, is] = [show(before), show(after)];
  const shown = [...was, ...is];
  const [subject = ''] = group.map((one) => one.subject);
  const turned = `${shown} ${was.length === 0 ? 'added' : 'removed'}`;
  const texts: Readonly<Record<string, string>> = {
    turn: shown.length > 1 ? ` changed from ${was} to ${is}` : ` ${shown.length === 0 ? 'changed' : turned}`,
    is: shown.length === 0 ? '' : ` (${is.length === 0 ? 'was ' : ''}${shown.join(' → ')})`,
    values: listSome(group.flatMap((one) => [...show(one.before), ...show(one.after)])),
    subject: listSome(group.map((one) => quote(one.subject ?? ''))),
    bound: nameBound(subject),
    s: group.length > 1 ? 's' : '',
  };
  return changeRules[rule].sentence.replace(/\{(\w+)\}/g, (_, name: string) => texts[name] ?? '');
}

/** `maxItems` as `maximum number of items`. */
function nameBound(keyword: string): string {
  const [, end = '', unit = ''] = /(min|max)(?:imum)?(\w*)$/i.exec(keyword) ?? [];
  if (end === '') return 'step size';
  const of = { '': '', Length: ' length' }[unit] ?? ` number of ${unit.toLowerCase()}`;
  return `${end.toLowerCase()}imum${of}`;
}

function listSome(texts: readonly string[], atMost = 12): string {
  const more = texts.length - atMost;
  return `${texts.slice(0, atMost).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Sentences that depend on more than the names and values that changed; undefined for the sentence of the rule. */
const ownWords: Partial<Record<ChangeRuleId, (change: SchemaChange, quote: Quote) => string | undefined>> = {
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
  'security-loosened': ({ before, after }, quote) =>
    `credentials accepted now too: ${listOthers(printWays(after), printWays(before), quote)}`,
  'security-changed': ({ before, after }, quote) => {
    const [old, now] = [printWays(before), printWays(after)];
    const still = now.every((way) => old.includes(way)) ? 'still' : 'now';
    return `credentials no longer accepted: ${listOthers(old, now, quote)}; ${still} accepted: ${listOthers(now, [], quote)}`;
  },
  'media-type-changed': ({ before, after }, quote) => {
    const list = (types: JsonValue = []): string =>
      [types]
        .flat()
        .map((type) => bodies[String(type)] ?? quote(String(type)))
        .join(' or ');
    return `${list(after)} now, was ${list(before)} before`;
  },
  'authored-off': ({ direction }) =>
    direction === 'input'
      ? 'inputs are no longer checked: any JSON object is accepted'
      : 'outputs are no longer described: any value is possible',
  'authored-on': (change, quote) =>
    change.direction === 'input'
      ? describeInput(change, quote)
      : `outputs are described from now on: ${quote(String(change.after))}`,
  'modalities-changed': ({ before, after }, quote) => {
    const sides = [
      ['input', 'takes'],
      ['output', 'returns'],
    ] as const;
    const changed = sides.flatMap(([side, verb]) => {
      const [was, is] = [before, after].map((one) => [asObject(one)[side] ?? []].flat().join(', '));
      if (was === is) return [];
      const former = was ? ` (was ${quote(was)})` : '';
      return [is ? `${verb} ${quote(is)}${former}` : `no longer says what it ${verb}${former}`];
    });
    return `documented now: ${changed.join('; ')}`;
  },
};

const bodies: Readonly<Record<string, string>> = {
  '*/*': 'bytes or anything',
  'application/json': 'JSON',
  'application/json with a schema': 'JSON with a schema',
};

/** States what callers must do when the service starts to check inputs. */
function describeInput({ after, breaks }: SchemaChange, quote: Quote): string {
  const { required, optional, isClosed = false, types = '' } = asObject(after);
  const list = (names: JsonValue = []): string[] => [names].flat().map((name) => quote(String(name)));
  const [needed, known] = [list(required), list(optional)];
  const be = ({ length }: readonly string[]): string => (length > 1 ? 'are' : 'is');
  const first = `${known.slice(0, 6).join(', ')}${known.length > 6 ? ', …' : ''}`;
  const clauses = [
    needed.length > 0 && `${listSome(needed)} ${be(needed)} required`,
    known.length > 0 && `${isClosed ? 'only ' : ''}${first} ${be(known)} ${isClosed ? 'known' : 'described'}`,
    !isClosed && breaks.includes('code') && 'older code that passes others does not compile',
  ].filter((clause) => clause !== false);
  const as = types === '' ? '' : ` as ${quote(String(types))}`;
  return `inputs are checked from now on${as}${clauses.length === 0 ? '' : `: ${clauses.join('; ')}`}`;
}

/** The parts of an example that changed, as code names them. */
function describeExample({ before, after }: SchemaChange, quote: Quote): string {
  if (before === undefined || after === undefined) return `example ${before === undefined ? 'added' : 'removed'}`;
  const unwrap = (value: JsonValue): JsonValue =>
    Array.isArray(value) && value.length === 1 ? (value[0] ?? null) : value;
  const paths = listDifferences(unwrap(before), unwrap(after), '').filter((path) => path !== '');
  return `example changed${paths.length === 0 ? '' : ` in ${listSome(paths.map(quote), 4)}`}`;
}

/** False for an integer of `JSON.rawJSON`. */
function isBranch(value: JsonValue | undefined): value is JsonObject {
  return isJsonObject(value) && !('rawJSON' in value);
}

function listDifferences(before: JsonValue | undefined, after: JsonValue | undefined, path: string): string[] {
  if (isSameJson(before, after)) return [];
  if (isBranch(before) && isBranch(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => listDifferences(before[name], after[name], path === '' ? name : `${path}.${name}`));
  }
  if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) return [path];
  return before.flatMap((one, index) => listDifferences(one, after[index], `${path}[${index}]`));
}

/** The words of a description around the change, in quotes. */
function describeText({ before = '', after = '' }: SchemaChange, quote: Quote): string {
  const [old, now] = [before, after].map((value) => [value].flat().join(' ').replace(/\s+/g, ' ').trim());
  const [was, is] = citeDifference(old ?? '', now ?? '').map((text) => quote(`"${text}"`));
  const nothing = quote('""');
  if (old === '') return `description added: ${is}`;
  if (now === '') return `description removed: ${was}`;
  if (was === is) return 'description changed in white space only';
  if (was === nothing) return `description now adds ${is}`;
  return is === nothing ? `description no longer has ${was}` : `description changed from ${was} to ${is}`;
}

const citedAtMost = 80;
const around = 24;

/** The whole words that differ; of a replacement in a long text, with the words around them. */
function citeDifference(before: string, after: string): readonly [string, string] {
  const [old, now] = [[...before], [...after]];
  const isLetter = (one = ''): boolean => /[\p{L}\p{N}]/u.test(one);
  const most = Math.min(old.length, now.length);
  const steps = Array.from({ length: most }, (_, index) => index);
  const first = steps.find((index) => old[index] !== now[index]) ?? most;
  let start = first;
  if (isLetter(old[start]) || isLetter(now[start])) while (first - start < around && isLetter(old[start - 1])) start--;
  const last = steps.find((index) => index >= most - start || old.at(-1 - index) !== now.at(-1 - index)) ?? most;
  let end = last;
  if (isLetter(old.at(-1 - end)) || isLetter(now.at(-1 - end)))
    while (last - end < around && end > 0 && isLetter(old.at(-end))) end--;
  const changed = (text: readonly string[]): string =>
    text
      .slice(start, text.length - end)
      .join('')
      .trim();
  const [lost, added] = [changed(old), changed(now)];
  if (lost === '' && isLetter(added)) return ['', shortenText(added)];
  if (added === '' && isLetter(lost)) return [shortenText(lost), ''];
  if (Math.max(old.length, now.length) <= citedAtMost) return [before, after];
  const cite = (text: readonly string[]): string => {
    let [from, to] = [Math.max(0, start - around), Math.min(text.length, text.length - end + around)];
    while (from > 0 && from < start && isLetter(text[from - 1])) from++;
    while (to < text.length && to > text.length - end && isLetter(text[to])) to--;
    const part = text.slice(from, to).join('').trim();
    const cut = part.length <= citedAtMost ? part : `${part.slice(0, 60)} … ${part.slice(-17)}`;
    return `${from === 0 ? '' : '… '}${cut}${to === text.length ? '' : ' …'}`;
  };
  return [cite(old), cite(now)];
}

function shorten(rule: ChangeRuleId, value: JsonValue): string {
  return shortenText(typeof value === 'string' && changeRules[rule].isJson !== true ? value : JSON.stringify(value));
}

/** The start and the end of a long text. */
function shortenText(text: string): string {
  const half = (citedAtMost - 3) / 2;
  return text.length <= citedAtMost ? text : `${text.slice(0, half)} … ${text.slice(-half)}`;
}

/** `bearer token` and `API key in header X-API-Key` */
function printWays(security: JsonValue | undefined): readonly string[] {
  const ways = Array.isArray(security) ? security.filter(isJsonObject) : [];
  return ways.map((way) => {
    const schemes = Object.entries(way).map((scheme) => scheme.flat().join(' '));
    const names = schemes.map((one) => one.replace(/^apiKey /, 'API key in ').replace(/^http bearer/, 'bearer token'));
    return names.join(' with ') || 'no credential';
  });
}

function listOthers(ways: readonly string[], known: readonly string[], quote: Quote): string {
  const others = ways.filter((way) => !known.includes(way));
  return others.map(quote).join(', ') || 'none';
}

/** A schema in the words of the types that are made from it: `list of Image`, `{ url, name }`, `"a" | "b"`. */
export function describeSchema(schema: JsonValue, root: JsonObject): string {
  if (schema === false) return 'nothing';
  if (!isJsonObject(schema)) return 'anything';
  const { $ref, const: fixed, enum: values, type, allOf, anyOf, oneOf, properties, items = true } = schema;
  const describeAll = (parts: readonly JsonValue[]): string[] => [
    ...new Set(parts.map((part) => describeSchema(part, root))),
  ];
  if (typeof $ref === 'string') {
    const { enum: listed } = asObject(resolvePointer(root, $ref.slice(1)));
    // The values of a short list are clearer than its name.
    const isShort = Array.isArray(listed) && listed.length <= listedAtMost;
    return isShort ? describeSchema({ enum: listed }, root) : $ref.slice($ref.lastIndexOf('/') + 1);
  }
  if (fixed !== undefined) return JSON.stringify(fixed);
  if (Array.isArray(values)) return showFirst(values.map((value) => JSON.stringify(value))).join(' | ');
  const branches = [anyOf, oneOf].find(Array.isArray);
  if (branches !== undefined) return describeAll(branches).join(' | ');
  if (type === undefined && Array.isArray(allOf)) return describeAll(allOf).join(' & ');
  const names = showFirst(Object.keys(asObject(properties)));
  const types = [type ?? (names.length === 0 ? 'anything' : 'object')].flat();
  const described = types.map((name) => {
    if (name === 'object' && names.length > 0) return `{ ${names.join(', ')} }`;
    if (name !== 'array') return typeof name === 'string' ? name : 'anything';
    const [item = ''] = describeAll([items]);
    if (item === 'anything' || item === 'nothing') return 'list';
    return / [|&] /.test(item) ? `list of (${item})` : `list of ${item}`;
  });
  return described.join(' | ');
}

const listedAtMost = 4;

function showFirst(texts: readonly string[]): string[] {
  return [...texts.slice(0, listedAtMost), ...(texts.length > listedAtMost ? ['…'] : [])];
}
