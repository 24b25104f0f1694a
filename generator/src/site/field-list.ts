import type { JsonValue } from '../../../specs/src/index.ts';
import { cut, listFirst } from '../diagnostics.ts';
import {
  type ArrayType,
  type Docs,
  type Field,
  namesIn,
  type ObjectType,
  type TypeModel,
} from '../typing/type-model.ts';
import { listMembers } from '../typing/unions.ts';

/** A type in one line for people; objects are written as `object`, since their fields are listed below it. */
function describeType(type: TypeModel): string {
  switch (type.kind) {
    case 'scalar':
      return type.scalar;
    case 'literal':
      return JSON.stringify(type.value);
    case 'reference':
      return type.name;
    case 'array':
      return describeArray(type);
    case 'union':
      return describeUnion(type.members);
    case 'intersection':
      return type.members.map(operand).join(' & ');
    default:
      return type.kind;
  }
}

function describeArray({ prefix, rest }: ArrayType): string {
  if (prefix.length === 0 && rest !== 'closed') return `${operand(rest)}[]`;
  const items = prefix.map(describeType);
  return `[${[...items, ...(rest === 'closed' ? [] : [`...${operand(rest)}[]`])].join(', ')}]`;
}

// The values of a list are shown apart.
function describeUnion(members: readonly TypeModel[]): string {
  const texts = members.map((member) => (isListed(member) ? typeof member.value : describeType(member)));
  return [...new Set(texts)].join(' | ');
}

function operand(type: TypeModel): string {
  const isList = type.kind === 'union' || type.kind === 'intersection';
  const text = describeType(type);
  return isList && / [|&] /.test(text) ? `(${text})` : text;
}

type Listed = Extract<TypeModel, { kind: 'literal' }>;

function isListed(type: TypeModel): type is Listed {
  return type.kind === 'literal' && type.value !== null;
}

/** The values that a type lists, as JSON, also those of an array's items. */
function listedValues(type: TypeModel): readonly string[] {
  return listMembers(type).flatMap((member) =>
    isListed(member) ? [JSON.stringify(member.value)] : listItem(member).flatMap(listedValues),
  );
}

/** The objects without a name in a type, each with what leads to it: `[]` for the items of an array. */
function inlineObjects(type: TypeModel, path = ''): readonly { path: string; object: ObjectType }[] {
  if (type.kind === 'object') return [{ path, object: type }];
  if (type.kind === 'union' || type.kind === 'intersection')
    return type.members.flatMap((member) => inlineObjects(member, path));
  return listItem(type).flatMap((item) => inlineObjects(item, `${path}[]`));
}

/** What an array repeats; nothing for other types. */
function listItem(type: TypeModel): readonly TypeModel[] {
  return type.kind === 'array' && type.prefix.length === 0 && type.rest !== 'closed' ? [type.rest] : [];
}

/** A field as a page shows it, with those within it; values are JSON. */
export type FieldRow = ReturnType<typeof describeField> & {
  /** What leads to it on the page. */
  readonly id: string;
  /** From the field around it; empty for a value that is no object. */
  readonly name: string;
  readonly children: FieldRow[];
};

/** How many rows a page may still show: a document may describe hundreds of thousands of fields. */
export type RowBudget = { left: number };
export const newRowBudget = (): RowBudget => ({ left: 2_000 });

const longestValue = 300;
const longestText = 4_000;
const longestBrief = 140;
const mostValues = 100;
const mostExamples = 3;
const mostNested = 20;

/**
 * The fields of a type, and of the objects within it below those; beyond twenty levels they are siblings. Of each object the
 * required ones come first, else they are in the order of the document. `prefix` begins their ids.
 */
export function listFields(type: TypeModel, docs: Docs, prefix: string, budget: RowBudget) {
  const walk: Walk = { prefix, seen: new Map(), omitted: 0, budget };
  const top: Level = { rows: [], path: '', depth: 0 };
  // The description stands above the rows.
  const { description: _, ...own } = docs;
  if (type.kind !== 'object') addRow(walk, { name: '', required: true, type, docs: own }, '', top);
  for (const { path, object } of inlineObjects(type)) addFields(walk, object, path, top);
  return { rows: top.rows as readonly FieldRow[], omitted: walk.omitted };
}

type Walk = {
  readonly prefix: string;
  /** How many rows have an id: alternatives may have members of the same name. */
  readonly seen: Map<string, number>;
  omitted: number;
  readonly budget: RowBudget;
};
/** Rows beside each other, and the path to the field around them. */
type Level = { readonly rows: FieldRow[]; readonly path: string; readonly depth: number };

/** Adds a row where the page has room for it; returns the level of what is within the field. */
function addRow(walk: Walk, field: Field, path: string, level: Level): Level {
  if (walk.budget.left-- <= 0) {
    walk.omitted++;
    return level;
  }
  const own = describeField(field, path);
  const id = `${walk.prefix}.${encodeURIComponent(own.path.toWellFormed())}`;
  const count = (walk.seen.get(id) ?? 0) + 1;
  walk.seen.set(id, count);
  const children: FieldRow[] = [];
  const name = cut(path.slice(level.path.length).replace(/^\./, ''), longestValue);
  level.rows.push({ ...own, id: count === 1 ? id : `${id}~${count}`, name, children });
  return level.depth < mostNested ? { rows: children, path, depth: level.depth + 1 } : level;
}

function addFields(walk: Walk, { fields, patterns, rest }: ObjectType, path: string, level: Level): void {
  const start = path === '' ? '' : `${path}.`;
  const named = patterns.map(({ starts, ends, type }) => ({ name: `${starts}*${ends}`, type }));
  const others = [...named, ...(typeof rest === 'string' ? [] : [{ name: '*', type: rest }])];
  const declared = [...fields.values()].toSorted((a, b) => Number(b.required) - Number(a.required));
  const all = [...declared, ...others.map((one): Field => ({ ...one, required: false, docs: {} }))];
  for (const field of all) {
    const own = `${start}${field.name}`;
    const within = addRow(walk, field, own, level);
    for (const inner of inlineObjects(field.type)) addFields(walk, inner.object, `${own}${inner.path}`, within);
  }
}

/** The rows and all within them, in their order. */
export function flattenRows(rows: readonly FieldRow[]): FieldRow[] {
  return rows.flatMap((row) => [row, ...flattenRows(row.children)]);
}

function describeField({ required, type, docs }: Field, path: string) {
  return {
    /** `images[].url`; empty for a value that is no object. */
    path: cut(path, longestValue),
    required,
    deprecated: docs.deprecated === true,
    type: splitType(type),
    bounds: joinBounds(docs),
    default: docs.default === undefined ? null : (docs.exactTexts?.get('default') ?? showValue(docs.default)),
    values: shortList(listedValues(type), mostValues),
    ...splitText(plainText(docs.description ?? '')),
    examples: (docs.examples ?? []).slice(0, mostExamples).map(showValue),
  };
}

const ranges = [
  ['minimum', 'maximum', ''],
  ['minLength', 'maxLength', ' characters'],
  ['minItems', 'maxItems', ' items'],
] as const;

/** Bounds as people write them: `256 to 2048`, `above 0`, `1 to 4 items`, `uri`; others as the schema has them. */
function joinBounds({ limits = new Map(), exactTexts }: Docs): readonly string[] {
  const texts = [...limits].map(([keyword, value]) => [keyword, exactTexts?.get(keyword) ?? showValue(value)] as const);
  const { format, ...left } = Object.fromEntries(texts);
  const joined = ranges.flatMap(([least, most, unit]) => {
    const { [least]: low, [most]: high } = left;
    delete left[least];
    delete left[most];
    if (high === undefined) return low === undefined ? [] : [`from ${low}${unit}`];
    return [`${low === undefined ? 'up' : low} to ${high}${unit}`];
  });
  const others = Object.entries(left).map(([keyword, value]) => {
    return `${{ exclusiveMinimum: 'above', exclusiveMaximum: 'below' }[keyword] ?? keyword} ${value}`;
  });
  return [...(format === undefined ? [] : [format.replace(/^"(.*)"$/, '$1')]), ...joined, ...others];
}

/** A field has one line; what follows its first sentence is folded. */
export function splitText(text: string): { readonly brief: string; readonly more: string } {
  if (text.length <= longestBrief) return { brief: text, more: '' };
  const [sentence] = /^[^\n]{20,}?[.!?](?=\s)/.exec(text) ?? [];
  const end =
    sentence !== undefined && sentence.length <= longestBrief ? sentence.length : text.lastIndexOf(' ', longestBrief);
  const at = end > 0 ? end : longestBrief;
  return { brief: text.slice(0, at), more: text.slice(at).trim() };
}

// In pieces, of which the names of types lead to them. Names are identifiers, and the values that a type lists are not in its text.
function splitType(type: TypeModel): { text: string; isName: boolean }[] {
  const names = new Set<string>(namesIn(type));
  const words = cut(describeType(type), longestValue).split(/([\w$]+)/);
  return words.filter((text) => text !== '').map((text) => ({ text, isName: names.has(text) }));
}

function shortList(list: readonly string[], most: number): readonly string[] {
  return listFirst(
    [...new Set(list)].map((one) => cut(one, longestValue)),
    most,
  );
}

/** Text of a document in paragraphs and items of lists: other line ends are those of its source. */
export function plainText(text: string): string {
  const lines = cut(text, longestText)
    .split(/\r\n?|\n/)
    .map((line) => line.trim());
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/(?<!\n)\n(?!\n|[-*•#|>] ?|\d+[.)] )/g, ' ')
    .trim();
}

/** JSON on one line, shortened. */
function showValue(value: JsonValue): string {
  return cut(JSON.stringify(value), longestValue);
}
