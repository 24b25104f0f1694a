import {
  asObject,
  codeSpan,
  escapeAll,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  resolvePointer,
} from '../../../specs/src/index.ts';

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
export function describeTurn(
  noun: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  show: (value: JsonValue) => string = quoteValue,
): string {
  if (before === undefined) return `${noun} ${show(after ?? null)} added`;
  return `${noun} ${after === undefined ? `${show(before)} removed` : `changed from ${show(before)} to ${show(after)}`}`;
}

/** Lists the first names or texts, and counts the others. */
export function listSome(texts: readonly string[], atMost = 12): string {
  const more = texts.length - atMost;
  return `${texts.slice(0, atMost).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Number of words and spaces that are shown before and after a difference. */
const around = 8;
const maxCited = 113;
const maxCompared = 20_000;
const words = new Intl.Segmenter('en', { granularity: 'word' });

/** Quotes the words of a description that differ. For replaced words, also quotes some words before and after them. */
export function describeTextChange(before: JsonValue = '', after: JsonValue = ''): string {
  const [old = [], now = []] = [before, after].map((value) => {
    const line = [value].flat().join(' ').slice(0, maxCompared).replace(/\s+/g, ' ').trim();
    return [...words.segment(line)].map(({ segment }) => segment);
  });
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start++;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const cite = (text: readonly string[], extra: number): string => {
    const cited = text
      .slice(Math.max(0, start - extra), text.length - end + extra)
      .join('')
      .trim();
    const [isCut, isCutAfter] = [extra > 0 && start > extra, extra > 0 && end > extra];
    return quote(`"${isCut ? '… ' : ''}${cited}${isCutAfter ? ' …' : ''}"`, maxCited);
  };
  if (start === old.length - end && start === now.length - end)
    return 'description changed only in white space or at the end of a long text';
  if (old.length === 0) return `description added: ${cite(now, 0)}`;
  if (now.length === 0) return `description removed: ${cite(old, 0)}`;
  if (start === old.length - end) return `description now adds ${cite(now, 0)}`;
  if (start === now.length - end) return `description no longer has ${cite(old, 0)}`;
  return `description changed from ${cite(old, around)} to ${cite(now, around)}`;
}

/** Returns the names that a schema requires; undefined if the schema has any other constraint. */
export function readBareRequired(schema: JsonValue): readonly string[] | undefined {
  const { required, type: _, title, description, ...others } = asObject(schema);
  const isOnly = Array.isArray(required) && required.length > 0 && Object.keys(others).length === 0;
  return isOnly ? required.map(String) : undefined;
}

const maxListed = 4;

function joinFirst(texts: readonly string[], separator: string): string {
  return [...texts.slice(0, maxListed), ...(texts.length > maxListed ? ['…'] : [])].join(separator);
}

/** Describes a schema like its TypeScript type: `list of Image`, `{ url, name? }`, `"a" | "b"`. */
export function describeSchema(schema: JsonValue, root: JsonObject): string {
  if (schema === false) return 'nothing';
  if (!isJsonObject(schema)) return 'anything';
  const {
    $ref,
    const: fixed,
    enum: values,
    type,
    allOf,
    anyOf,
    oneOf,
    properties,
    required = [],
    items = true,
  } = schema;
  const describeAll = (parts: readonly JsonValue[], separator: string): string =>
    [...new Set(parts.map((part) => describeSchema(part, root)))].join(separator);
  if (typeof $ref === 'string') {
    const { enum: listed } = asObject(resolvePointer(root, $ref.slice(1)));
    // The values of a short enum are clearer than the name of its definition.
    const isShort = Array.isArray(listed) && listed.length <= maxListed;
    return isShort ? describeSchema({ enum: listed }, root) : $ref.slice($ref.lastIndexOf('/') + 1);
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
    const isOptional = tag === undefined && ![required].flat().includes(name);
    const type = tag === undefined ? inner && describeSchema(part, root) : JSON.stringify(tag);
    return { text: `${name}${isOptional ? '?' : type === undefined ? '' : `: ${type}`}`, isOptional };
  });
  members.sort((one, other) => Number(one.isOptional) - Number(other.isOptional));
  const names = properties === undefined ? (readBareRequired(schema) ?? []) : members.map(({ text }) => text);
  const types = [type ?? (names.length === 0 ? 'anything' : 'object')].flat();
  const described = types.map((name) => {
    if (name === 'object' && names.length > 0) return `{ ${joinFirst(names, ', ')} }`;
    if (name !== 'array') return typeof name === 'string' ? name : 'anything';
    const item = describeSchema(items, root);
    if (item === 'anything' || item === 'nothing') return 'list';
    return / [|&] /.test(item) ? `list of (${item})` : `list of ${item}`;
  });
  return described.join(' | ');
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
