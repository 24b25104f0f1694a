import {
  asObject,
  codeSpan,
  escapeAll,
  isJsonObject,
  isNull,
  type JsonObject,
  type JsonValue,
  resolvePointer,
} from '../../../specs/src/index.ts';
import { isClosed, type LocatedSchema, listParts, locateChild, rawSchema } from './documents.ts';
import { locateOtherMembers, type Members, readMembers, type Shape } from './shape.ts';

/**
 * Returns text of a document as a Markdown code span on one line. The middle of a text longer than `atMost` characters
 * is cut, if possible between words.
 */
export function quote(text: string, atMost = 80): string {
  const half = (atMost - 3) / 2;
  const [start, end] = [text.slice(0, half).replace(/\s\S{0,20}$/, ''), text.slice(-half).replace(/^\S{0,20}\s/, '')];
  const short = text.length <= atMost ? text : `${start} … ${end}`;
  return codeSpan(short.replace(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu, escapeAll));
}

export function quoteJson(value: JsonValue): string {
  return quote(JSON.stringify(value));
}

export function quoteValue(value: JsonValue): string {
  return typeof value === 'string' ? quote(value) : quoteJson(value);
}

/** Describes that a value was added, removed or changed. */
export function describeValueChange(
  noun: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  show: (value: JsonValue) => string = quoteValue,
): string {
  if (before === undefined) return `${noun} ${show(after ?? null)} added`;
  return `${noun} ${after === undefined ? `${show(before)} removed` : `changed from ${show(before)} to ${show(after)}`}`;
}

/** Lists the first names or texts, and counts the others. */
export function joinSome(texts: readonly string[], atMost = 12): string {
  const more = texts.length - atMost;
  return `${texts.slice(0, atMost).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Number of words and spaces that are shown before and after a difference. */
const contextWords = 8;
const maxQuotedLength = 140;
const maxCompared = 20_000;
const wordSegmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** Quotes the words of a description that differ. Unless they are a whole sentence, some words around them are quoted too. */
export function describeTextChange(before: JsonValue = '', after: JsonValue = ''): string {
  const [old = [], now = []] = [before, after].map((value) => {
    const line = [value].flat().join(' ').slice(0, maxCompared).replace(/\s+/g, ' ').trim();
    return [...wordSegmenter.segment(line)].map(({ segment }) => segment);
  });
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start++;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const [lost, added] = [old, now].map((text) =>
    text
      .slice(start, text.length - end)
      .join('')
      .trim(),
  );
  const cite = (text: readonly string[], other: string | undefined): string => {
    const isSentence = other === '' && /^\p{Lu}/u.test(text.slice(start).join('').trim());
    let [first, last] = isSentence
      ? [start, end]
      : [Math.max(0, start - contextWords), Math.max(0, end - contextWords)];
    // Cut between words.
    while (!isSentence && first > 0 && text[first - 1]?.trim() !== '') first--;
    while (!isSentence && last > 0 && text.at(-last)?.trim() !== '') last--;
    const cited = text
      .slice(first, text.length - last)
      .join('')
      .trim();
    const [isCut, isCutAfter] = [!isSentence && first > 0, !isSentence && last > 0];
    return quote(`"${isCut ? '… ' : ''}${cited}${isCutAfter ? ' …' : ''}"`, maxQuotedLength);
  };
  if (old.length === 0) return `description added: ${cite(now, lost)}`;
  if (now.length === 0) return `description removed: ${cite(old, added)}`;
  if (lost === '' && added === '') return 'description changed only in white space or at the end of a long text';
  if (lost === '') return `description now says ${cite(now, lost)}`;
  if (added === '') return `description no longer says ${cite(old, added)}`;
  return `description changed from ${cite(old, added)} to ${cite(now, lost)}`;
}

/** Returns the path of a member in code, such as `images[0].url`. */
export function joinField(field: string, name: string): string {
  if (name !== '*' && !/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)) return `${field}[${JSON.stringify(name)}]`;
  return field === '' ? name : `${field}.${name}`;
}

/** Appends a relative path, with or without a leading dot, to the path of an object. */
export function joinPath(object: string, rest: string): string {
  return object === '' || rest === '' || /^[.[]/.test(rest) ? object + rest : `${object}.${rest}`;
}

/** Splits the path of a member into the path of its object and the name of the member. */
export function splitField(field: string): { readonly object: string; readonly name: string } {
  const start = Math.max(0, field.endsWith('"]') ? field.lastIndexOf('["') : field.lastIndexOf('.'));
  return { object: field.slice(0, start), name: field.slice(start).replace(/^(?:\.|\[")|"\]$/g, '') };
}

/** True if the path or pointer `inner` is equal to `outer` or leads to a part of it. */
export function isPathWithin(inner: string, outer: string): boolean {
  return inner.startsWith(outer) && (outer === '' || /^(?:[.[/]|$)/.test(inner.slice(outer.length)));
}

/**
 * Describes the located schema in words, or another schema from the same document. `expandedLevels`: number of nested references
 * that are described by their contents instead of their names.
 */
export function describeLocatedSchema(located: LocatedSchema, schema = rawSchema(located), expandedLevels = 0): string {
  return describeSchema(schema, located.document.exact, expandedLevels);
}

const maxListed = 4;

function joinFirst(texts: readonly string[], separator: string): string {
  return [...texts.slice(0, maxListed), ...(texts.length > maxListed ? ['…'] : [])].join(separator);
}

/** Describes a schema like its TypeScript type: `list of Image`, `{ url, name? }`, `"a" | "b"`. */
function describeSchema(schema: JsonValue, root: JsonObject, expandedLevels: number): string {
  if (schema === false) return 'nothing';
  if (!isJsonObject(schema)) return 'anything';
  const { $ref, const: fixed, enum: values, type, allOf, anyOf, oneOf, properties, required = [], items } = schema;
  const describeAll = (parts: readonly JsonValue[], separator: string): string =>
    [...new Set(parts.map((part) => describeSchema(part, root, expandedLevels)))].join(separator);
  if (typeof $ref === 'string') {
    const target = asObject(resolvePointer(root, $ref.slice(1)));
    // The values of a short enum are clearer than the name of its definition.
    const isShort = Array.isArray(target['enum']) && target['enum'].length <= maxListed;
    return isShort || expandedLevels > 0
      ? describeSchema(target, root, expandedLevels - 1)
      : $ref.slice($ref.lastIndexOf('/') + 1);
  }
  if (fixed !== undefined) return JSON.stringify(fixed);
  if (Array.isArray(values))
    return joinFirst(
      values.map((value) => JSON.stringify(value)),
      ' | ',
    );
  const branches = [anyOf, oneOf].find(Array.isArray);
  if (branches?.some((branch) => readBareRequired(branch) === undefined)) {
    // Alternatives without a type have the type of the schema that contains the union.
    const inherit = (branch: JsonValue): JsonValue =>
      type !== undefined && isJsonObject(branch) && branch['$ref'] === undefined ? { type, ...branch } : branch;
    return describeAll(branches.map(inherit), ' | ');
  }
  if (type === undefined && Array.isArray(allOf)) return describeAll(allOf, ' & ');
  const members = Object.entries(asObject(properties)).map(([name, part]) => {
    const { const: only, enum: listed = [only], properties: inner } = asObject(part);
    const tag = [listed].flat().length === 1 ? [listed].flat()[0] : undefined;
    const isOptional = ![required].flat().includes(name);
    const type =
      tag === undefined ? !isOptional && inner && describeSchema(part, root, expandedLevels) : JSON.stringify(tag);
    return {
      text: `${name}${isOptional ? '?' : ''}${type ? `: ${type}` : ''}`,
      isLast: isOptional && tag === undefined,
    };
  });
  members.sort((one, other) => Number(one.isLast) - Number(other.isLast));
  const names = properties === undefined ? (readBareRequired(schema) ?? []) : members.map(({ text }) => text);
  const types = [type ?? (names.length === 0 ? 'anything' : 'object')].flat();
  const described = types.map((name) => {
    if (name === 'object' && names.length > 0) return `{ ${joinFirst(names, ', ')} }`;
    if (name !== 'array') return typeof name === 'string' ? name : 'anything';
    const item = describeSchema(items ?? true, root, expandedLevels);
    if (item === 'anything' || item === 'nothing') return 'list';
    return / [|&] /.test(item) ? `list of (${item})` : `list of ${item}`;
  });
  return described.join(' | ');
}

/** Returns the names that a schema requires; undefined if the schema has any other constraint. */
function readBareRequired(schema: JsonValue): readonly string[] | undefined {
  const { required, type: _, title, description, ...others } = asObject(schema);
  const isOnly = Array.isArray(required) && required.length > 0 && Object.keys(others).length === 0;
  return isOnly ? required.map(String) : undefined;
}

/** Describes an alternative by its name or its members, including required members that only outer schemas describe. */
export function describeAlternative(shape: Shape, origin: LocatedSchema): string {
  const [described, { properties }] = [describeLocatedSchema(origin), asObject(rawSchema(origin))];
  const { named, required } = readMembers(shape);
  if (shape.type !== 'object' || required.size === 0) return quote(described);
  const needed = [...required].map((name) => [name, named.get(name)?.map(rawSchema).at(-1) ?? true] as const);
  const members = { ...asObject(properties), ...Object.fromEntries(needed) };
  const text = quote(describeLocatedSchema(origin, { properties: members, required: [...required] }));
  return properties === undefined ? `${quote(described)} (${text})` : text;
}

/** Names the members that an alternative requires; undefined if it has any other keyword. */
export function nameRequired(origin: LocatedSchema): string | undefined {
  return readBareRequired(rawSchema(origin))
    ?.map((name) => quote(name))
    .join(' with ');
}

/** Describes that one of several alternatives must apply. */
export function describeChoice(shapes: readonly Shape[], required = '', other = ''): string {
  const origins = shapes.flatMap(({ origin }) => origin ?? []);
  const listed = origins.map(nameRequired);
  const names = new Set(listed.filter((one) => one !== undefined));
  if (listed.length === shapes.length && !listed.includes(undefined))
    return `one of ${joinSome([...names])} ${required}`;
  const described = [...new Set(origins.map((origin) => quote(describeLocatedSchema(origin))))];
  return `${other} one of ${described.length === 1 ? `${origins.length} kinds of ` : ''}${joinSome(described)}`;
}

/** Bounds of a value by their keywords: the lower and the upper one, and what they count. */
const bounds = [
  ['minimum', 'maximum', ''],
  ['exclusiveMinimum', 'exclusiveMaximum', ''],
  ['minLength', 'maxLength', ' characters'],
  ['minItems', 'maxItems', ' items'],
  ['minProperties', 'maxProperties', ' properties'],
] as const;
const maxLimit = 20;

/** Describes the type of a member, its short limits and its default. */
export function describeMember(member: LocatedSchema): string {
  const parts = listParts([member]);
  // The only alternative that is not null or a list of values has limits of its own.
  const alternatives = parts.flatMap((part) =>
    (['anyOf', 'oneOf'] as const).flatMap((word) =>
      (part.schema[word] ?? []).map((one, at) => locateChild(part, one, word, at)),
    ),
  );
  const [only, ...others] = alternatives.filter(({ schema }) => schema.enum === undefined && !isNull(schema));
  const limited = [...parts, ...(only === undefined || others.length > 0 ? [] : listParts([only]))];
  return [quote(describeLocatedSchema(member, rawSchema(member), 2), 120), ...describeLimits(limited)].join(', ');
}

/** Describes the limits and the default in these schemas, which apply to the same value. */
function describeLimits(parts: readonly LocatedSchema[]): string[] {
  const read = (word: string): string | undefined => {
    const value = parts.map((part) => asObject(rawSchema(part))[word]).find((one) => one !== undefined);
    const text = value === undefined ? '' : JSON.stringify(value);
    return text === '' || text.length > maxLimit ? undefined : quote(text);
  };
  const ranges = bounds.flatMap(([lower, upper, unit]): string[] => {
    const [least, most] = [read(lower), read(upper)];
    const [over, under] = unit === '' && lower !== 'minimum' ? ['more than', 'less than'] : ['at least', 'at most'];
    const units = (count: string): string => (count === '`1`' ? unit.replace(/ies$/, 'y').replace(/s$/, '') : unit);
    if (least !== undefined && most !== undefined && over === 'at least')
      return [least === most ? `exactly ${most}${units(most)}` : `${least} to ${most}${unit}`];
    return [...(least ? [`${over} ${least}${units(least)}`] : []), ...(most ? [`${under} ${most}${units(most)}`] : [])];
  });
  const [step, pattern, fallback] = ['multipleOf', 'pattern', 'default'].map(read);
  return [
    ...ranges,
    ...(step ? [`in steps of ${step}`] : []),
    ...(pattern ? [`pattern ${pattern}`] : []),
    ...(read('uniqueItems') === '`true`' ? ['no equal items'] : []),
    ...(fallback ? [`default ${fallback}`] : []),
  ];
}

/** Describes what the `not`, conditions and dependents in these schemas exclude. */
function describeExclusions(parts: readonly LocatedSchema[]): string[] {
  return parts.flatMap((part) => {
    const { not = false, if: test, then: yes, else: no, dependentRequired } = asObject(rawSchema(part));
    const show = (schema: JsonValue): string => quote(describeLocatedSchema(part, schema));
    const { anyOf: excluded = [not] } = asObject(not);
    const rejected = [excluded].flat().flatMap((schema) => {
      const names = readBareRequired(schema)?.map((name) => quote(name));
      if (names === undefined) return schema === false ? [] : [`not ${show(schema)}`];
      return [names.length === 1 ? `not ${names[0]}` : `not ${names.join(' together with ')}`];
    });
    const needed = Object.entries(asObject(dependentRequired)).map(
      ([name, others]) =>
        `${quote(name)} only with ${[others]
          .flat()
          .map((one) => quote(String(one)))
          .join(' and ')}`,
    );
    const chosen = [
      yes === undefined ? [] : [`if ${show(test ?? true)}, then ${show(yes)}`],
      no === undefined ? [] : [`if not ${show(test ?? true)}, then ${show(no)}`],
    ];
    return [...rejected, ...needed, ...(test === undefined ? [] : chosen.flat())];
  });
}

/** Maximum number of alternatives that are described by their members. */
const maxChoices = 4;

/** Describes which inputs are accepted: the properties, those of each alternative, and what is excluded. */
export function describeInput(input: LocatedSchema, shapes: readonly Shape[]): string[] {
  const alternatives = shapes.map(readMembers);
  const describeIn = (some: readonly Members[], name: string): string => {
    const texts = new Set(some.flatMap(({ named }) => named.get(name)?.map(describeMember) ?? []));
    texts.delete('`anything`');
    return texts.size === 0 ? quote(name) : `${quote(name)} (${[...texts].slice(0, 3).join(' or ')})`;
  };
  const names = [...new Set(alternatives.flatMap(({ required, named }) => [...required, ...named.keys()]))];
  // A member that alternatives describe differently, or that only some of them have or require.
  const isOwn = (name: string): boolean => {
    const print = (one: Members) => one.named.has(name) && `${one.required.has(name)} ${describeIn([one], name)}`;
    return new Set(alternatives.map(print)).size > 1;
  };
  const choices = alternatives.map((one) => {
    const own = names.filter((name) => isOwn(name) && (one.named.has(name) || one.required.has(name)));
    const list = (isRequired: boolean): string[] =>
      own.filter((name) => one.required.has(name) === isRequired).map((name) => describeIn([one], name));
    const [needed, optional] = [list(true).join(' with '), joinSome(list(false))];
    return { needed, text: `${needed}${optional === '' ? '' : ` and optionally ${optional}`}` };
  });
  const isChoice = choices.length > 1 && choices.length <= maxChoices && choices.every(({ needed }) => needed !== '');
  const shared = names.filter((name) => !isChoice || !isOwn(name));
  const required = shared.filter((name) => alternatives.every((one) => one.required.has(name)));
  const optional = shared.filter((name) => !required.includes(name));
  const list = (label: string, listed: readonly string[]): string[] =>
    listed.length === 0 ? [] : [`${label}: ${joinSome(listed.map((name) => describeIn(alternatives, name)))}`];
  const chosen = [...new Set(choices.map(({ text }) => text))].join(', or ');
  const choice = isChoice
    ? `one of these is required: ${chosen}`
    : describeChoice(shapes, 'is required too', 'the input must be');
  const isOpen = !shapes.every((shape) => isClosed(locateOtherMembers(shape)));
  return [
    ...list('required', required),
    ...(shapes.length > 1 ? [choice] : []),
    ...list('optional', optional),
    ...describeExclusions(listParts([input, ...shapes.flatMap(({ origin }) => origin ?? [])])),
    ...(isOpen ? ['other properties are still accepted'] : []),
  ];
}
