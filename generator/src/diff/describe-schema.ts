import { asObject, isJsonObject, type JsonObject, type JsonValue, parsePointer } from '../../../specs/src/index.ts';
import { type ChangeRuleId, type SchemaChange, schemaRules } from './schema-change.ts';

/** Marks text of a document in a line. */
export type Quote = (text: string) => string;

/** `input.size: value "4K" removed; calls with it are refused`: the member as code names it, what changed, and what breaks. */
export function describeChange(change: SchemaChange, quote: Quote): string {
  const { rule, direction, field, subject, pointer, note } = change;
  // `header x-wait` is no member.
  const isMember = field !== undefined && !/^\w+ /.test(field);
  const name = isMember ? `${direction}${/^(?:$|\[)/.test(field) ? '' : '.'}${field}` : field;
  // An API has many calls, a model has one.
  const [holder, path = '', part = ''] = parsePointer(pointer);
  const call = `${part.toUpperCase()} ${path}`;
  const ofCall = holder === 'paths' && subject !== call ? ` in ${quote(call)}` : '';
  const parts = [
    name === undefined ? '' : `${quote(name)}: `,
    describeRule(change, quote),
    note === undefined ? '' : `: ${note}`,
    holder === 'components' ? ` in component ${quote(part)}` : ofCall,
    rule === 'schema-uncompared' ? '; counts as breaking' : describeBroken(change, quote),
  ];
  return parts.join('');
}

/** What becomes of calls and code that worked; a changed default breaks neither, and is easily missed. */
function describeBroken(change: SchemaChange, quote: Quote): string {
  const { rule, direction, breaks } = change;
  if (rule === 'default-changed' && direction === 'input') return '; results may differ where calls leave it out';
  if (breaks.length === 0) return '';
  const code = describeCode(change, quote);
  const holders = rule.endsWith('removed') ? 'calls with it' : 'calls';
  if (!breaks.includes('calls'))
    return `; ${direction === 'input' ? `${holders} are still accepted, but ` : ''}${code}`;
  const calls = refusedCalls.find(([rules]) => rules.test(rule))?.[1] ?? 'some calls are refused now';
  return `; ${calls}${breaks.includes('code') ? `, and ${code}` : ''}`;
}

const refusedCalls: readonly (readonly [rules: RegExp, calls: string])[] = [
  [/required$/, 'calls without it are refused'],
  [/^security-changed$/, 'calls with others are refused'],
  [/^(?:enum-value|union-member)-removed$/, 'calls with it are refused'],
  [/^bound-tightened$/, 'calls outside it are refused'],
];

function describeCode({ rule, direction, code }: SchemaChange, quote: Quote): string {
  if (direction === 'input' && rule.endsWith('required')) return 'older code does not compile';
  // A type that gained a value has the same name.
  const isVague = /^const /.test(code ?? '') && /^(?:enum-value-added|enum-removed|union-member-added)$/.test(rule);
  if (code !== undefined && !isVague)
    return `older code ${/^\w+$/.test(code) ? 'with the type' : 'such as'} ${quote(code)} does not compile`;
  return 'code' in schemaRules[rule] ? 'older code that uses it may not compile' : 'older code may not handle it';
}

/** The sentence of the rule without its article, with the name and the values that changed in it. */
function describeRule(change: SchemaChange, quote: Quote): string {
  const { rule, before, after } = change;
  const { message } = schemaRules[rule];
  const values = [before, after].flatMap((value) => (value === undefined ? [] : quote(shorten(rule, value))));
  const own = ownWords[rule]?.(change, values, quote);
  if (own !== undefined) return own;
  const [, kind, turn = '', more = ''] =
    /^(?:an?|the) (.+?) (?:was )?(added|removed|changed|became \w+)(.*)$/.exec(message) ?? [];
  if (kind === undefined) return message + addValues(change, values);
  if (rule.startsWith('property-')) return `${kind} ${turn}${addValues(change, values)}`;
  const noun = nameChanged(change, kind, quote);
  // Both types say which of them is wider.
  if (values.length > 1) return `${noun} changed from ${values.join(' to ')}${rule.startsWith('type-') ? '' : more}`;
  const turned = turn !== 'changed' || values.length === 0 ? turn : after === undefined ? 'removed' : 'added';
  return `${[noun, ...values, turned].join(' ')}${more}`;
}

type Words = (change: SchemaChange, values: readonly string[], quote: Quote) => string | undefined;

/** Sentences that are not those of their rules. */
const ownWords: Partial<Record<ChangeRuleId, Words>> = {
  'deprecation-changed': ({ after }) => (after === true ? 'deprecated now' : 'no longer deprecated'),
  'default-changed': ({ after }, values) =>
    after === undefined ? `no longer has a default (was ${values})` : undefined,
  'union-member-added': ({ direction }, values) => `${direction === 'input' ? 'also takes' : 'may also be'} ${values}`,
  'union-member-removed': ({ direction }, values) =>
    `${direction === 'input' ? 'no longer takes' : 'is no longer'} ${values}`,
  'security-changed': (change, _, quote) => describeWays(change, quote),
  'security-loosened': (change, _, quote) => describeWays(change, quote),
};

/** What a member was or is; whether a keyword is true says nothing more. */
function addValues({ before, after }: SchemaChange, values: readonly string[]): string {
  if (values.length === 0 || typeof (before ?? after) === 'boolean') return '';
  return ` (${after === undefined ? 'was ' : ''}${values.join(' → ')})`;
}

function nameChanged({ rule, subject, before, after }: SchemaChange, kind: string, quote: Quote): string {
  if (subject === undefined || kind.endsWith(subject) || subject === JSON.stringify(before ?? after)) return kind;
  return rule.startsWith('bound-') ? nameBound(subject) : `${kind} ${quote(subject)}`;
}

/** `maxItems` as `maximum number of items`. */
function nameBound(keyword: string): string {
  const [, end = '', unit = ''] = /(min|max)(?:imum)?(\w*)$/i.exec(keyword) ?? [];
  if (end === '') return 'step size';
  const of = { '': '', Length: ' length' }[unit] ?? ` number of ${unit.toLowerCase()}`;
  return `${end.toLowerCase()}imum${of}`;
}

/** As JSON where a value of the wire is meant, else in words; both ends of a text say what it is. */
function shorten(rule: ChangeRuleId, value: JsonValue): string {
  const isText = typeof value === 'string' && !/^(?:enum|default)/.test(rule);
  const text = isText ? value : JSON.stringify(value);
  const half = (longest - 3) / 2;
  return text.length <= longest ? text : `${text.slice(0, half)} … ${text.slice(-half)}`;
}
const longest = 80;

/** The credentials that are refused now, or those that are accepted beside the older ones. */
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
export function describeSchema(schema: JsonValue): string {
  if (schema === false) return 'nothing';
  if (!isJsonObject(schema)) return 'anything';
  const { $ref, const: fixed, enum: values, type, allOf } = schema;
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1);
  if (fixed !== undefined) return JSON.stringify(fixed);
  if (Array.isArray(values)) return showFirst(values.map((value) => JSON.stringify(value))).join(' | ');
  const branches = [schema['anyOf'], schema['oneOf']].find(Array.isArray);
  if (branches !== undefined) return [...new Set(branches.map(describeSchema))].join(' | ');
  if (type === undefined && Array.isArray(allOf)) return [...new Set(allOf.map(describeSchema))].join(' & ');
  const names = showFirst(Object.keys(asObject(schema['properties'])));
  const types = Array.isArray(type) ? type : [type ?? (names.length === 0 ? 'anything' : 'object')];
  const describeType = (name: JsonValue): string => {
    if (name === 'array') return describeList(schema['items']);
    if (name === 'object' && names.length > 0) return `{ ${names.join(', ')} }`;
    return typeof name === 'string' ? name : 'anything';
  };
  return types.map(describeType).join(' | ');
}

function showFirst(texts: readonly string[]): string[] {
  return [...texts.slice(0, listedAtMost), ...(texts.length > listedAtMost ? ['…'] : [])];
}

function describeList(items: JsonValue | undefined): string {
  const inner = describeSchema(items ?? true);
  if (inner === 'anything' || inner === 'nothing') return 'list';
  return / [|&] /.test(inner) ? `list of (${inner})` : `list of ${inner}`;
}
