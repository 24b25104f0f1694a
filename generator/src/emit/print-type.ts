import {
  type ArrayType,
  type Docs,
  type Field,
  listMembers,
  matchesPattern,
  type NamePattern,
  type ObjectType,
  printLimits,
  type TsType,
  unevaluatedType,
} from '../typing/ts-type.ts';
import {
  type Code,
  type CommentLine,
  code,
  comment,
  identifier,
  indent,
  join,
  literal,
  propertyName,
  templateType,
} from './source.ts';

const anyText = code`unknown`;
const noneText = code`never`;
/** Maximum length of a union that is printed on one line. */
const maxUnionLine = 110;
/** Maximum length of an object that is printed on one line. */
const maxObjectLine = 60;

/** Prints a type as TypeScript. Types that JSON cannot distinguish, such as integer and number, are printed the same. */
export function printType(type: TsType): Code {
  switch (type.kind) {
    case 'unknown':
      return anyText;
    case 'never':
      return noneText;
    case 'scalar':
      return scalars[type.scalar];
    case 'literal':
      return literal(type.value);
    case 'reference':
      return identifier(type.name);
    case 'bytes':
      return code`Uint8Array`;
    case 'array':
      return printArray(type);
    case 'union':
      return printUnion(type.members);
    case 'intersection':
      return join(type.members.map(printOperand), code` & `);
    case 'object':
      return printObject(type);
  }
}

const scalars = { string: code`string`, number: code`number`, integer: code`number`, boolean: code`boolean` };

function printOperand(type: TsType): Code {
  const text = printType(type);
  return type.kind === 'union' || type.kind === 'intersection' ? code`(${text})` : text;
}

function printArray({ prefix, required, rest }: ArrayType): Code {
  if (prefix.length === 0 && rest.kind !== 'never') return code`${printOperand(rest)}[]`;
  const items = prefix.map((item, index) => (index < required ? printType(item) : code`${printOperand(item)}?`));
  return code`[${join(rest.kind === 'never' ? items : [...items, code`...${printOperand(rest)}[]`], code`, `)}]`;
}

function printUnion(members: readonly TsType[]): Code {
  const factored = factorUnion(members);
  if (factored !== undefined) {
    const alternatives = factored.alternatives.map((fields) => code`{ ${join(fields.map(printMember), code`; `)} }`);
    return code`${printObject(factored.shared)} & (${joinAlternatives(alternatives)})`;
  }
  const literals = new Set(members.map((member) => (member.kind === 'literal' ? typeof member.value : undefined)));
  const texts = new Map<string, Code>();
  for (const member of members) {
    const text = printUnionMember(member, literals);
    if (!texts.has(text.text)) texts.set(text.text, text);
  }
  return joinAlternatives([...texts.values()]);
}

function joinAlternatives(parts: readonly Code[]): Code {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const line = join(parts, code` | `);
  if (line.text.length <= maxUnionLine && !line.text.includes('\n')) return line;
  return code`
  | ${join(
    parts.map((part) => indent(part, 4)),
    code`\n  | `,
  )}`;
}

/** A union of objects, split into the shared members and the differences of each alternative. */
type FactoredUnion = { readonly shared: ObjectType; readonly alternatives: readonly (readonly Field[])[] };

/**
 * Factors a union of objects that only differ in which members are required or absent. The result is one object with all
 * members and a small object for each alternative, so that the members and their comments are printed only once.
 */
function factorUnion(members: readonly TsType[]): FactoredUnion | undefined {
  const objects = members.filter((member) => member.kind === 'object');
  const [first] = objects;
  if (first === undefined || objects.length < 2 || objects.length < members.length) return undefined;
  const isPlain = ({ fields, patterns, rest }: ObjectType): boolean =>
    patterns.length === 0 && (rest === unevaluatedType || rest.kind === 'never') && fields.size === first.fields.size;
  if (!objects.every((object) => isPlain(object) && object.rest === first.rest)) return undefined;
  const shared = new Map<string, Field>();
  const alternatives: Field[][] = objects.map(() => []);
  let [factoredLines, repeatedLines] = [0, 0];
  for (const name of first.fields.keys()) {
    const fields = objects.map((object) => object.fields.get(name));
    const present = fields.find((field) => field !== undefined && field.type.kind !== 'never');
    const isRequired = fields.every((field) => field?.required === true);
    for (const [index, field] of fields.entries()) {
      if (field === undefined || present === undefined) return undefined;
      const isAbsent = field.type.kind === 'never';
      if (!isAbsent && (field.type !== present.type || field.docs !== present.docs)) return undefined;
      if (isAbsent || field.required !== isRequired) alternatives[index]?.push(field);
    }
    if (present === undefined) return undefined;
    shared.set(name, { ...present, required: isRequired });
    const lines = Object.keys(present.docs).length > 0 ? 3 : 1;
    factoredLines += lines;
    repeatedLines += lines * objects.length;
  }
  const isShorter = factoredLines + alternatives.flat().length < repeatedLines;
  if (!isShorter || alternatives.some((fields) => fields.length === 0)) return undefined;
  return { shared: { ...first, fields: shared }, alternatives };
}

// In `string | 'a'`, TypeScript drops the literal, so editors could not suggest it. `string & {}` keeps it.
function printUnionMember(member: TsType, literals: ReadonlySet<string | undefined>): Code {
  if (member.kind === 'scalar' && member.scalar === 'string' && literals.has('string')) return code`(string & {})`;
  if (member.kind === 'scalar' && scalars[member.scalar].text === 'number' && literals.has('number'))
    return code`(number & {})`;
  return member.kind === 'intersection' ? printOperand(member) : printType(member);
}

function printObject(type: ObjectType): Code {
  const rest = printRest(type);
  if (type.fields.size === 0 && type.patterns.length === 0) {
    return code`{ [key: string]: ${rest ?? printType(type.rest)} }`;
  }
  const lines = [...[...type.fields.values()].map(printField), ...type.patterns.map((one) => printPattern(one, type))];
  if (rest === undefined && mayAcceptIterables(type)) lines.push(code`[Symbol.iterator]?: never`);
  if (rest !== undefined) lines.push(code`[key: string]:${withLeadingSpace(rest)}`);
  const line = lines.length <= 2 ? code`{ ${join(lines, code`; `)} }` : undefined;
  if (line !== undefined && line.text.length <= maxObjectLine && !line.text.includes('\n')) return line;
  return code`{
  ${indent(join(lines, code`;\n`), 2)};
}`;
}

/** Puts a space before the text, unless it starts on a new line. */
export function withLeadingSpace(text: Code): Code {
  return text.text.startsWith('\n') ? text : code` ${text}`;
}

function printField(field: Field): Code {
  return code`${printDocs(field.docs, { type: field.type })}${printMember(field)}`;
}

function printMember({ name, required, type }: Field): Code {
  const mark = required ? code`` : code`?`;
  const printed = isInherited({ name, required }) ? printInherited(name, type) : printType(type);
  return code`${propertyName(name)}${mark}:${withLeadingSpace(printed)}`;
}

/** Names of members that every object has in TypeScript. */
const objectMembers: ReadonlySet<string> = new Set([
  'constructor',
  'toString',
  'toLocaleString',
  'valueOf',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
]);

function isInherited({ name, required }: Pick<Field, 'name' | 'required'>): boolean {
  return objectMembers.has(name) && !required;
}

// Every object inherits these members, so TypeScript would check the inherited member against the field's type. The type
// of the inherited member is added to the field.
function printInherited(name: string, type: TsType): Code {
  if (type.kind === 'unknown') return anyText;
  const inherited = code`Object[${literal(name)}]`;
  return type.kind === 'never' ? inherited : code`${printOperand(type)} | ${inherited}`;
}

// TypeScript also applies an index signature to listed members with matching names.
function printPattern(pattern: NamePattern, { fields }: ObjectType): Code {
  const covered = [...fields.values()].filter(({ name }) => matchesPattern(pattern, name));
  const key = templateType(pattern.starts, pattern.ends);
  return code`[key: ${key}]:${withLeadingSpace(printUnionOf([pattern.type], covered))}`;
}

// An index signature also applies to the listed members, so it has to include their types.
function printRest({ fields, patterns, rest }: ObjectType): Code | undefined {
  if (rest === unevaluatedType || rest.kind === 'never') return undefined;
  return printUnionOf([rest, ...patterns.map(({ type }) => type)], [...fields.values()]);
}

function printUnionOf(own: readonly TsType[], covered: readonly Field[]): Code {
  const types = [...own, ...covered.map((field) => field.type)].flatMap(listMembers);
  if (types.some((type) => type.kind === 'unknown')) return anyText;
  const printed = printUnion(types.filter((type, _, all) => type.kind !== 'never' || all.length === 1));
  const inherited = covered.filter(isInherited).map(({ name }) => code` | Object[${literal(name)}]`);
  return code`${printed}${inherited}${covered.some((field) => !field.required) ? code` | undefined` : code``}`;
}

// TypeScript accepts a string or an array for an object type that requires at most a numeric `length`.
function mayAcceptIterables({ fields }: ObjectType): boolean {
  const isNumeric = (type: TsType): boolean =>
    type.kind === 'unknown' || (type.kind === 'scalar' && (type.scalar === 'number' || type.scalar === 'integer'));
  const length = fields.get('length');
  if (length === undefined || !listMembers(length.type).some(isNumeric)) return false;
  return [...fields.values()].every((field) => !field.required || field === length);
}

const longestValue = 200;
const longestExample = 2_000;
const maxExamples = 2;

/** Returns a note for the comment if the type, a member of a union or an array item is an integer. */
function integerNote(type: TsType): string[] {
  const members = listMembers(type);
  if (members.some((one) => one.kind === 'scalar' && one.scalar === 'integer')) return ['integer'];
  const lists = members.filter((one) => one.kind === 'array');
  const items = lists.flatMap(({ prefix, rest }) => [...prefix, rest]);
  return items.some((item) => integerNote(item).length > 0) ? ['of integers'] : [];
}

/** Prints a doc comment with the annotations of a schema and the constraints that its type can't express. */
export function printDocs(docs: Docs, { heading, type }: { heading?: string; type?: TsType } = {}): Code {
  const lines: CommentLine[] = [];
  if (heading !== undefined) lines.push(heading);
  if (docs.description !== undefined) lines.push(docs.description);
  const bounds = printLimits(docs);
  const limits = [...(type === undefined ? [] : integerNote(type)), ...(bounds === '' ? [] : [bounds])];
  if (limits.length > 0) lines.push(`(${shorten(limits.join(', '))})`);
  if (docs.default !== undefined)
    lines.push({ tag: 'default', text: shorten(docs.exactTexts?.get('default') ?? JSON.stringify(docs.default)) });
  for (const example of (docs.examples ?? []).slice(0, maxExamples)) {
    const text = JSON.stringify(example);
    if (text.length <= longestExample) lines.push({ tag: 'example', text });
  }
  if (docs.deprecated) lines.push({ tag: 'deprecated', text: '' });
  return comment(lines);
}

function shorten(text: string): string {
  return text.length <= longestValue ? text : `${text.slice(0, longestValue)} …`;
}
