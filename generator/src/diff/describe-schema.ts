import { isJsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { type SchemaChange, schemaRules } from './schema-change.ts';

/** Marks text of a document in a line. */
export type Quote = (text: string) => string;

/** `input size: a value was removed from the list: "4K"`; a call is named by its place in the document. */
export function describeChange(change: SchemaChange, quote: Quote): string {
  const { rule, direction, field, pointer, code } = change;
  const isOfCall = field === undefined || /^\/(?:paths|components)\//.test(pointer);
  const place = isOfCall && pointer !== '' ? ` at ${quote(pointer)}` : '';
  const name = field === undefined || field === '' ? '' : ` ${quote(field)}`;
  // Where a member went, its name is all that code says.
  const isPlain = code === undefined || code === `${direction}.${field}`;
  const broken = isPlain ? '' : `; breaks code such as ${quote(code)}`;
  const values = describeValues(change, quote);
  // Of types, both are the message.
  const message = /^type-/.test(rule) && values !== '' ? values.slice(2) : describeRule(change, values, quote);
  return `${direction}${name}: ${message}${place}${broken}`;
}

function describeRule({ rule, subject, note, field }: SchemaChange, values: string, quote: Quote): string {
  const isTold = field !== undefined && (rule.startsWith('property-') || values.includes(subject ?? ''));
  const what = subject === undefined || isTold ? '' : `: ${quote(subject)}`;
  return `${schemaRules[rule].message}${what}${note === undefined ? '' : ` (${note})`}${values}`;
}

function describeValues({ before, after, rule }: SchemaChange, quote: Quote): string {
  const print = (value: JsonValue): string =>
    shorten(isOfWords.test(rule) && typeof value === 'string' ? value : JSON.stringify(value));
  if (before === undefined) return after === undefined ? '' : `, ${quote(print(after))}`;
  const now = after === undefined ? 'nothing' : quote(print(after));
  return `, ${quote(print(before))} → ${now}`;
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
  return types.map((name) => (name === 'array' ? describeList(schema['items']) : String(name))).join(' | ');
}

function describeList(items: JsonValue | undefined): string {
  const inner = describeSchema(items ?? true);
  if (inner === 'anything' || inner === 'nothing') return 'list';
  return inner.includes(' ') && !inner.startsWith('list of') ? `list of (${inner})` : `list of ${inner}`;
}
