import { codeSpan, escapeAll, type JsonValue } from '../../../specs/src/index.ts';

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

/** Quotes the words of a description that differ, with some words around them unless they begin a sentence. */
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
  const [lost, added] = [old, now].map((text) =>
    text
      .slice(start, text.length - end)
      .join('')
      .trim(),
  );
  const cite = (text: readonly string[], other: string | undefined): string => {
    const isSentence = other === '' && /^\p{Lu}/u.test(text.slice(start).join('').trim());
    const [first, last] = isSentence ? [start, end] : [Math.max(0, start - around), Math.max(0, end - around)];
    const cited = text
      .slice(first, text.length - last)
      .join('')
      .trim();
    const [isCut, isCutAfter] = [!isSentence && first > 0, !isSentence && last > 0];
    return quote(`"${isCut ? '… ' : ''}${cited}${isCutAfter ? ' …' : ''}"`, maxCited);
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
