import {
  asObject,
  codeSpan,
  escapeAll,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  resolvePointer,
} from '../../../specs/src/index.ts';

/** Escapes control characters of a document's text, so that it can't start a new line. */
export function plainText(text: string): string {
  return text.replace(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu, escapeAll);
}

/** Returns text of a document as a Markdown code span. The middle of a text longer than `atMost` characters is cut. */
export function quote(text: string, atMost = 80): string {
  const half = (atMost - 3) / 2;
  return codeSpan(plainText(text.length <= atMost ? text : `${text.slice(0, half)} … ${text.slice(-half)}`));
}

/** Returns a string unchanged, and any other value as JSON. */
function quoteValue(value: JsonValue): string {
  return quote(typeof value === 'string' ? value : JSON.stringify(value));
}

export function quoteJson(value: JsonValue): string {
  return quote(JSON.stringify(value));
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

export function listSome(texts: readonly string[], atMost = 12): string {
  const more = texts.length - atMost;
  return `${texts.slice(0, atMost).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Number of words and spaces to show around a difference. */
const around = 8;
const comparedAtMost = 20_000;
const words = new Intl.Segmenter('en', { granularity: 'word' });

/** Quotes the differing words of a description; a replacement also gets some words around it. */
export function describeTextChange(before: JsonValue = '', after: JsonValue = ''): string {
  const [old = [], now = []] = [before, after].map((value) => {
    const line = [value].flat().join(' ').slice(0, comparedAtMost).replace(/\s+/g, ' ').trim();
    return [...words.segment(line)].map(({ segment }) => segment);
  });
  const cite = (text: readonly string[], from: number, to: number): string => {
    const [start, end] = [Math.max(0, from), Math.min(text.length, to)];
    const cited = text.slice(start, end).join('').trim();
    return quote(`"${start === 0 ? '' : '… '}${cited}${end === text.length ? '' : ' …'}"`, 120);
  };
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start++;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const [oldEnd, nowEnd] = [old.length - end, now.length - end];
  if (start === oldEnd && start === nowEnd)
    return 'description changed only in white space or at the end of a long text';
  if (old.length === 0) return `description added: ${cite(now, 0, nowEnd)}`;
  if (now.length === 0) return `description removed: ${cite(old, 0, oldEnd)}`;
  const added = now.slice(start, nowEnd).join('').trim();
  const lost = old.slice(start, oldEnd).join('').trim();
  if (lost === '') return `description now adds ${quote(`"${added}"`, 120)}`;
  if (added === '') return `description no longer has ${quote(`"${lost}"`, 120)}`;
  return `description changed from ${cite(old, start - around, oldEnd + around)} to ${cite(now, start - around, nowEnd + around)}`;
}

const listedAtMost = 4;

function showFirst(texts: readonly string[]): string[] {
  return [...texts.slice(0, listedAtMost), ...(texts.length > listedAtMost ? ['…'] : [])];
}

/** Describes a schema like its TypeScript type: `list of Image`, `{ url, name }`, `"a" | "b"`. */
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

/** A member as code names it. */
export function joinField(field: string, name: string): string {
  if (name !== '*' && !/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)) return `${field}[${JSON.stringify(name)}]`;
  return field === '' ? name : `${field}.${name}`;
}
