import { isJsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { type SchemaChange, schemaRules } from './schema-change.ts';

/** Marks text of a document in a line. */
export type Quote = (text: string) => string;

/** `input size: a value was removed from the list: "4K"`; a call is named by its place in the document. */
export function describeChange(change: SchemaChange, quote: Quote): string {
  const { direction, field, pointer, code } = change;
  const isOfCall = field === undefined || /^\/(?:paths|components)\//.test(pointer);
  const place = isOfCall && pointer !== '' ? ` at ${quote(pointer)}` : '';
  const name = field === undefined || field === '' ? '' : ` ${quote(field)}`;
  const isAllCode = change.rule === 'code-broken';
  const use = code === undefined ? '' : `such as ${/^\w+$/.test(code) ? 'uses of the type ' : ''}${quote(code)}`;
  const broken = use && `${isAllCode ? ',' : '; breaks code'} ${use}`;
  return `${direction}${name}: ${describeRule(change, quote)}${place}${broken}`;
}

function describeRule(change: SchemaChange, quote: Quote): string {
  const { rule, subject, note, field } = change;
  const values = describeValues(change, quote);
  // Of types and bounds, both values are the message.
  if (/^type-/.test(rule) && values !== '') return values;
  if (/^bound-/.test(rule)) return `${quote(subject ?? '')} ${values}`;
  const isOfMember = /^property-/.test(rule);
  const isSaid = field !== undefined && (/^(?:property|pattern|format)-/.test(rule) || values.includes(subject ?? ''));
  const what = subject === undefined || isSaid ? '' : `: ${quote(subject)}`;
  const was = rule === 'property-removed' ? 'it was ' : '';
  const more = values && (isOfMember ? ` (${was}${values})` : `${what === '' ? ':' : ','} ${values}`);
  return `${schemaRules[rule].message}${what}${more}${note === undefined ? '' : `: ${note}`}`;
}

function describeValues({ before, after, rule }: SchemaChange, quote: Quote): string {
  const isInWords = isOfWords.test(rule);
  const print = (value: JsonValue | undefined): string => {
    if (value === undefined) return 'none';
    return quote(shorten(isInWords && typeof value === 'string' ? value : JSON.stringify(value)));
  };
  // What came or went is one value.
  const isOne = /-(?:added|removed|unlisted|added-\w+)$/.test(rule);
  if (before === undefined && after === undefined) return '';
  return isOne && (before === undefined || after === undefined)
    ? print(before ?? after)
    : `${print(before)} → ${print(after)}`;
}

/** Rules whose values are schemas in words, or numbers with a word. */
const isOfWords = /^(?:type|property|union|bound|media-type|body-form)-/;
const longest = 60;

/** Both ends of a text say what it is. */
function shorten(text: string): string {
  const half = (longest - 3) / 2;
  return text.length <= longest ? text : `${text.slice(0, half)} … ${text.slice(-half)}`;
}

const listedAtMost = 6;

/** A schema in the words of the types that are made from it: `list of Image`, `"a" | "b"`, `integer | null`. */
export function describeSchema(schema: JsonValue): string {
  if (schema === false) return 'nothing';
  if (!isJsonObject(schema)) return 'anything';
  const { $ref, const: fixed, enum: values, type, allOf } = schema;
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1);
  if (fixed !== undefined) return JSON.stringify(fixed);
  if (Array.isArray(values)) {
    const shown = values.slice(0, listedAtMost).map((value) => JSON.stringify(value));
    return [...shown, ...(values.length > listedAtMost ? ['…'] : [])].join(' | ');
  }
  const branches = [schema['anyOf'], schema['oneOf']].find(Array.isArray);
  if (branches !== undefined) return [...new Set(branches.map(describeSchema))].join(' | ');
  if (type === undefined && Array.isArray(allOf)) return [...new Set(allOf.map(describeSchema))].join(' & ');
  const types = Array.isArray(type) ? type : [type ?? (schema['properties'] === undefined ? 'anything' : 'object')];
  return types
    .map((name) => (name === 'array' ? describeList(schema['items']) : typeof name === 'string' ? name : 'anything'))
    .join(' | ');
}

function describeList(items: JsonValue | undefined): string {
  const inner = describeSchema(items ?? true);
  if (inner === 'anything' || inner === 'nothing') return 'list';
  return inner.includes(' ') && !inner.startsWith('list of') ? `list of (${inner})` : `list of ${inner}`;
}
