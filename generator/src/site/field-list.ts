import { type JsonValue, parseWithExactIntegers } from '../../../specs/src/index.ts';
import { listFirst, truncate } from '../diagnostics.ts';
import { type Docs, type Field, listMembers, listTypeNames, type ObjectType, type TsType } from '../typing/ts-type.ts';

/** Describes a type in one line. Objects become `object`, because the page lists their fields below. */
function describeType(type: TsType): string {
  switch (type.kind) {
    case 'scalar':
      return type.scalar;
    case 'literal':
      return JSON.stringify(type.value);
    case 'reference':
      return type.name;
    case 'array': {
      const { prefix, rest } = type;
      if (prefix.length === 0 && rest.kind !== 'never') return `${describeOperand(rest)}[]`;
      const items = prefix.map(describeType);
      return `[${[...items, ...(rest.kind === 'never' ? [] : [`...${describeOperand(rest)}[]`])].join(', ')}]`;
    }
    case 'union': {
      // The page lists the values of an enum separately. If there are only a few next to a scalar, they are part of the
      // type: `-1 | integer`.
      const isSpecial = listSpecialValues(type.members).length > 0;
      const texts = type.members.map((one) => (isListed(one) && !isSpecial ? typeof one.value : describeType(one)));
      return [...new Set(texts)].join(' | ');
    }
    case 'intersection':
      return type.members.map(describeOperand).join(' & ');
    default:
      return type.kind;
  }
}

const maxSpecialValues = 3;

function listSpecialValues(members: readonly TsType[]): readonly TsType[] {
  const listed = members.filter(isListed);
  return listed.length <= maxSpecialValues && members.some(({ kind }) => kind === 'scalar') ? listed : [];
}

function describeOperand(type: TsType): string {
  const isList = type.kind === 'union' || type.kind === 'intersection';
  const text = describeType(type);
  return isList && / [|&] /.test(text) ? `(${text})` : text;
}

type LiteralType = Extract<TsType, { kind: 'literal' }>;

function isListed(type: TsType): type is LiteralType {
  return type.kind === 'literal' && type.value !== null;
}

/** Returns the enum values of a type or of an array's items as JSON, without special values, which the type shows. */
function listEnumValues(type: TsType): readonly string[] {
  const members = listMembers(type);
  const special = listSpecialValues(members);
  return members.flatMap((member) => {
    if (isListed(member)) return special.includes(member) ? [] : [JSON.stringify(member.value)];
    return listItemTypes(member).flatMap(listEnumValues);
  });
}

/** An alternative of an object. */
type Alternative = { readonly title?: string | undefined; readonly fields: readonly Field[] };
/** The unnamed objects at one path: all of `fields` apply, and one alternative of each entry of `choices`. */
type InlineObject = { title?: string | undefined; readonly fields: Field[]; readonly choices: Alternative[][] };

/** Finds the unnamed objects in a type by the path to them; `[]` stands for the items of an array. */
function findInlineObjects(type: TsType): ReadonlyMap<string, InlineObject> {
  if (type.kind === 'object') return new Map([['', { title: type.title, fields: listFieldsOf(type), choices: [] }]]);
  const found = new Map<string, InlineObject>();
  const at = (path: string): InlineObject => {
    const objects = found.get(path) ?? { fields: [], choices: [] };
    found.set(path, objects);
    return objects;
  };
  const add = (path: string, { title, fields, choices }: InlineObject): void => {
    const objects = at(path);
    objects.title ??= title;
    objects.fields.push(...fields);
    objects.choices.push(...choices);
  };
  if (type.kind === 'intersection')
    for (const [path, one] of type.members.flatMap((member) => [...findInlineObjects(member)])) add(path, one);
  if (type.kind === 'union') {
    const members = type.members.flatMap((member) => [...findInlineObjects(member)]);
    for (const [path, all] of Map.groupBy(members, ([one]) => one)) {
      const [first, ...others] = all.map(([, objects]) => objects);
      if (first !== undefined && others.length === 0) add(path, first);
      // The fields of nested alternatives are merged into those of the outer alternative.
      else at(path).choices.push(all.map(([, one]) => mergeAlternatives([one, ...one.choices.flat()])));
    }
  }
  for (const [path, one] of listItemTypes(type).flatMap((item) => [...findInlineObjects(item)])) add(`[]${path}`, one);
  return found;
}

function mergeAlternatives(all: readonly Alternative[]): Alternative {
  return { title: all.find(({ title }) => title !== undefined)?.title, fields: all.flatMap(({ fields }) => fields) };
}

/** Returns the item type of an array as a list with one entry; an empty list for other types. */
function listItemTypes(type: TsType): readonly TsType[] {
  return type.kind === 'array' && type.prefix.length === 0 && type.rest.kind !== 'never' ? [type.rest] : [];
}

/** A piece of a printed type. `isName`: the piece is the name of a type, which the page may link. */
type TypePiece = { readonly text: string; readonly isName: boolean };

/** A field on a page, with the fields inside it. Values are JSON. */
export type FieldRow = {
  /** Id of the row on the page. */
  readonly id: string;
  /** Path such as `images[].url`; empty for a value that isn't an object. */
  readonly path: string;
  /** Path relative to the enclosing field. */
  readonly name: string;
  readonly required: boolean;
  readonly deprecated: boolean;
  readonly type: readonly TypePiece[];
  readonly bounds: readonly string[];
  readonly default: string | null;
  readonly values: readonly string[];
  readonly description: string;
  readonly examples: readonly string[];
  readonly children: FieldRow[];
  /** Name of the objects that contain the children, such as `images[]`. */
  readonly inner: string;
  /** Alternatives with further fields, one of which applies in addition to the children. */
  readonly choices: Choice[];
};
/** An alternative of an object; the heading describes how it differs from the others. */
type Choice = { readonly heading: readonly HeadingPiece[]; readonly rows: FieldRow[] };
type HeadingPiece = { readonly text: string; readonly isCode: boolean };

/** The fields of a type on a page. */
export type FieldList = {
  readonly rows: readonly FieldRow[];
  readonly choices: readonly Choice[];
  /** Number of fields that are not shown, because the page has too many rows. */
  readonly omitted: number;
};

/** Number of rows that a page can still show. A limit is needed, because a document may describe 100,000 fields or more. */
export type RowBudget = { left: number };
export const newRowBudget = (): RowBudget => ({ left: 2_000 });

const longestValue = 300;
const longestText = 4_000;
const maxValues = 100;
const maxExamples = 3;
const maxNested = 20;

/** The rows of one object and the path of its parent field. */
type Level = { readonly rows: FieldRow[]; readonly choices: Choice[]; readonly path: string; readonly depth: number };

/**
 * Lists the fields of a type and, below each field, the fields of its objects. Fields beyond twenty levels become siblings
 * of their parent. Required fields come first, otherwise the order of the document is kept. `prefix`: start of the row ids.
 */
export function listFields(type: TsType, docs: Docs, prefix: string, budget: RowBudget): FieldList {
  // Counts the rows with each id, because alternatives may have members with the same name.
  const seen = new Map<string, number>();
  let omitted = 0;

  /** Adds a row unless the budget is used up. Returns the level to which the fields inside this row are added. */
  const addRow = (field: Field, path: string, level: Level): Level => {
    if (budget.left-- <= 0) {
      omitted++;
      return level;
    }
    const id = `${prefix}.${encodeURIComponent(truncate(path, longestValue).toWellFormed())}`;
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    const row = { ...describeField(field, path, level.path), id: count === 1 ? id : `${id}~${count}` };
    level.rows.push(row);
    if (level.depth >= maxNested) return level;
    return { rows: row.children, choices: row.choices, path, depth: level.depth + 1 };
  };

  const addFields = (fields: readonly Field[], path: string, level: Level): void => {
    for (const field of fields) {
      const own = path === '' ? field.name : `${path}.${field.name}`;
      addObjects(field.type, own, addRow(field, own, level));
    }
  };

  /** Adds the fields of the objects in a type. Fields that all alternatives share are listed once, before the alternatives. */
  const addObjects = (type: TsType, path: string, outer: Level): void => {
    const objects = findInlineObjects(type);
    for (const [step, { fields, choices }] of objects) {
      const own = `${path}${step}`;
      // If there is only one kind of object, its heading already has the path of the items, so fields omit this path.
      const level = objects.size === 1 && outer.path === path ? { ...outer, path: own } : outer;
      addFields(fields, own, level);
      for (const alternatives of choices) {
        const texts = alternatives.map((one) => new Map(one.fields.map((field) => [field.name, printField(field)])));
        const isCommon = ({ name }: Field): boolean =>
          texts.every((one) => one.has(name) && one.get(name) === texts[0]?.get(name));
        const isRequired = ({ name }: Field): boolean =>
          alternatives.every((one) => listRequiredNames(one).includes(name));
        const common = (alternatives[0]?.fields ?? []).filter(isCommon);
        const shared = common.map((field) => ({ ...field, required: isRequired(field) }));
        addFields(shared, own, level);
        for (const [index, one] of alternatives.entries()) {
          const choice: Choice = { heading: nameChoice(alternatives, index), rows: [] };
          const separate = one.fields.filter((field) => field.type.kind !== 'never' && !isCommon(field));
          addFields(separate, own, { ...level, rows: choice.rows });
          level.choices.push(choice);
        }
      }
    }
  };

  const top: Level = { rows: [], choices: [], path: '', depth: 0 };
  // The page shows the description of the type above the rows.
  const { description: _, ...ownDocs } = docs;
  // For an unnamed object, only its fields are shown.
  if (describeType(type) !== 'object') addRow({ name: '', required: true, type, docs: ownDocs }, '', top);
  addObjects(type, '', top);
  return { rows: top.rows, choices: top.choices, omitted };
}

/** Prints a field without `required`, because the heading of an alternative mentions it. */
function printField({ required, ...field }: Field): string {
  return JSON.stringify(field, (_, value: unknown) => (value instanceof Map ? [...value] : value));
}

function listRequiredNames({ fields }: Alternative): string[] {
  return fields.flatMap(({ name, required, type }) => (required && type.kind !== 'never' ? [name] : []));
}

/**
 * Describes an alternative by a field whose value is different in each alternative, by its title, or by the fields that
 * not all alternatives require.
 */
function nameChoice(all: readonly Alternative[], index: number): readonly HeadingPiece[] {
  const words = (text: string): HeadingPiece => ({ text, isCode: false });
  const code = (text: string): HeadingPiece => ({ text: truncate(text, longestValue), isCode: true });
  const { title, fields } = all[index] ?? { fields: [] };
  const tag = fields.find(({ name }) => {
    const values = all.map((one) => listTagValues(one.fields.find((field) => field.name === name)));
    return values.every(({ length }) => length > 0) && new Set(values.flat()).size === values.flat().length;
  });
  if (tag === undefined && title !== undefined && all.filter((one) => one.title === title).length === 1)
    return [words(truncate(title, longestValue))];
  const needed = listRequiredNames({ fields }).filter(
    (name) => name !== tag?.name && !all.every((one) => listRequiredNames(one).includes(name)),
  );
  const pieces: HeadingPiece[] = [];
  if (tag !== undefined) pieces.push(code(`${tag.name}: ${listTagValues(tag).join(' or ')}`));
  for (const [at, name] of needed.entries()) {
    const last = at === needed.length - 1 ? ' and ' : ', ';
    pieces.push(words(at === 0 ? `${tag === undefined ? '' : ' '}with ` : last), code(name));
  }
  return pieces.length > 0 ? pieces : [words(`alternative ${index + 1}`)];
}

function listTagValues(field: Field | undefined): readonly string[] {
  const isTag = field !== undefined && listMembers(field.type).every(isListed);
  return isTag ? listEnumValues(field.type) : [];
}

/** Lists the fields of an object, required ones first. */
function listFieldsOf({ fields, patterns, rest }: ObjectType): Field[] {
  const named = patterns.map(({ starts, ends, type }) => ({ name: `${starts}*${ends}`, type }));
  const others = [...named, ...(['unknown', 'never'].includes(rest.kind) ? [] : [{ name: '*', type: rest }])];
  const declared = [...fields.values()].toSorted((a, b) => Number(b.required) - Number(a.required));
  return [...declared, ...others.map((one): Field => ({ ...one, required: false, docs: {} }))];
}

/** Returns all rows in order, with the rows inside them. */
export function flattenRows({ rows, choices }: Pick<FieldList, 'rows' | 'choices'>): FieldRow[] {
  const own = [...rows, ...choices.flatMap((one) => one.rows)];
  return own.flatMap((row) => [row, ...flattenRows({ rows: row.children, choices: row.choices })]);
}

function describeField({ required, type, docs }: Field, path: string, outerPath: string): Omit<FieldRow, 'id'> {
  const name = truncate(path.slice(outerPath.length).replace(/^\./, ''), longestValue);
  const steps = [...findInlineObjects(type).keys()];
  // Integers beyond 2^53 in an enum are shown as written in the document.
  const exact = docs.exactTexts?.has('enum') ? parseWithExactIntegers(docs.exactTexts.get('enum') ?? '') : undefined;
  const exactValues = Array.isArray(exact) ? exact.map((value) => JSON.stringify(value)) : undefined;
  const [only] = exactValues?.length === 1 ? exactValues : [];
  const values = (exactValues ?? listEnumValues(type)).map((one) => truncate(one, longestValue));
  return {
    path: truncate(path, longestValue),
    name,
    required,
    deprecated: docs.deprecated === true,
    type: only === undefined ? splitType(type) : [{ text: only, isName: false }],
    bounds: joinBounds(docs),
    default: docs.default === undefined ? null : (docs.exactTexts?.get('default') ?? showValue(docs.default)),
    // If the type is a single literal, it already shows the value.
    values: type.kind === 'literal' ? [] : listFirst([...new Set(values)], maxValues),
    description: readDescription(docs.description),
    examples: (docs.examples ?? []).slice(0, maxExamples).map(showValue),
    inner: steps.length === 1 ? `${name}${steps[0]}` : name,
    children: [],
    choices: [],
  };
}

const ranges = [
  ['minimum', 'maximum', ''],
  ['minLength', 'maxLength', 'character'],
  ['minItems', 'maxItems', 'item'],
  ['minProperties', 'maxProperties', 'field'],
] as const;
/** Words that precede the value of a bound that isn't printed as a range. */
const boundWords: Readonly<Record<string, string>> = {
  exclusiveMaximum: 'below',
  multipleOf: 'a multiple of',
  pattern: 'matches',
};

/** Prints bounds in words, such as `256 to 2048`, `above 0` or `1 to 4 items`. Unknown bounds keep their keyword. */
function joinBounds({ limits = new Map(), exactTexts }: Docs): readonly string[] {
  const texts = [...limits].map(([keyword, value]) => [keyword, exactTexts?.get(keyword) ?? showValue(value)] as const);
  const { format, exclusiveMinimum: above, ...left } = Object.fromEntries(texts);
  const joined = ranges.flatMap(([least, most, unit]) => {
    const { [least]: low, [most]: high } = left;
    delete left[least];
    delete left[most];
    const count = (value: string): string => `${value}${unit === '' ? '' : ` ${unit}${value === '1' ? '' : 's'}`}`;
    if (low === undefined) return high === undefined ? [] : [`at most ${count(high)}`];
    if (high === undefined) return [`at least ${count(low)}`];
    return [low === high && unit !== '' ? count(low) : `${low} to ${count(high)}`];
  });
  const others = Object.entries(left).map(([keyword, value]) => {
    if (keyword === 'uniqueItems') return value === 'true' ? 'no duplicate items' : '';
    return `${boundWords[keyword] ?? keyword} ${value}`;
  });
  const all = [
    format?.replace(/^"(.*)"$/, '$1') ?? '',
    above === undefined ? '' : `above ${above}`,
    ...joined,
    ...others,
  ];
  return all.filter((text) => text !== '');
}

// A described type contains no string values, so every word in it is an identifier or a number.
function splitType(type: TsType): TypePiece[] {
  const names = new Set<string>(listTypeNames(type));
  const words = truncate(describeType(type), longestValue).split(/([\w$]+)/);
  return words.filter((text) => text !== '').map((text) => ({ text, isName: names.has(text) }));
}

/** Returns a description with `\n` line ends. A text without letters, such as `-` or `…`, counts as empty. */
export function readDescription(value: JsonValue | undefined): string {
  return typeof value === 'string' && /\p{L}/u.test(value) ? truncate(value.replace(/\r\n?/g, '\n'), longestText) : '';
}

/** Prints a value as JSON on one line, shortened. */
function showValue(value: JsonValue): string {
  return truncate(JSON.stringify(value), longestValue);
}
