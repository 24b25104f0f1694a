import { mapTexts } from '../json.ts';
import { listEscapeLayers, listLayers, shortestCredential } from './layers.ts';

/** Replaces credentials in a text, in every form in which a response may repeat them. */
export type Redactor = (text: string) => string;
/** True when the text holds a credential, as it is or encoded. */
export type CredentialDetector = (text: string) => boolean;

/** What stands in place of a credential. */
export const replacement = '[redacted]';

/** Looks for whole credentials in what text decodes to. Letter case does not count, nor spaces and characters that nobody sees. */
export function createCredentialDetector(credentials: readonly string[]): CredentialDetector {
  const forms = listForms(credentials);
  return (text) => holds(text, forms);
}

/** Each as it is and with what looks like escapes in it decoded, as `fold` writes it. */
function listForms(credentials: readonly string[]): readonly string[] {
  const all = credentials.flatMap((credential) => [...listEscapeLayers(credential)].map(fold));
  return [...new Set(all)].filter(({ length }) => length >= shortestCredential);
}

const fold = (layer: string): string => layer.replace(/[ \n]/g, '').toLowerCase();

function holds(text: string, forms: readonly string[]): boolean {
  if (forms.length === 0 || text.length < shortestCredential) return false;
  for (const layer of listLayers(text)) {
    // Nothing says that it is not in what was not unwrapped.
    if (layer === undefined) return true;
    const folded = fold(layer);
    if (forms.some((form) => folded.includes(form))) return true;
  }
  return false;
}

/**
 * Replaces whole credentials, and three quarters of one: a server may have cut it. What the layers show is narrowed down to the shortest
 * part of the text that still shows it. Texts are redacted before they are cut.
 */
export function createRedactor(credentials: readonly string[]): Redactor {
  const whole = listForms(credentials);
  if (whole.length === 0) return (text) => text;
  const written = new RegExp(`\\\\*(?:${credentials.flatMap(listWritten).join('|')})`, 'gi');
  const shortened = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((eighths) => whole.map((form) => shorten(form, eighths)));
  return (text) => {
    if (!holds(text, shortened.at(-1) ?? [])) return text;
    let shown = text.replace(written, replacement);
    for (const forms of shortened) shown = replaceHeld(shown, (part) => holds(part, forms));
    // What is left of the next character where it was cut.
    return shown.replace(/(?<=\[redacted\])[%\\&][\w#{]{0,6}(?=(?:…|\.{3})?$)/, '');
  };
}

function replaceHeld(text: string, isHeld: CredentialDetector): string {
  let shown = text;
  for (let left = replacementsAtMost; isHeld(shown); left--) {
    if (left === 0) return replacement;
    const [found, end] = narrow(shown, isHeld);
    // A backslash left before it would escape what stands in its place.
    let start = found;
    while (shown[start - 1] === '\\') start--;
    shown = shown.slice(0, start) + replacement + shown.slice(end);
  }
  return shown;
}

/** Of forms that only a decoder finds; more of them cost the whole text. */
const replacementsAtMost = 50;

/** How texts usually hold a credential, as a pattern: found without a decoder, also a thousand times. */
function listWritten(credential: string): readonly string[] {
  if (credential.length < shortestCredential) return [];
  const json = JSON.stringify(credential).slice(1, -1);
  const all = [
    json,
    credential,
    encodeURIComponent(credential.toWellFormed()),
    Buffer.from(credential).toString('hex'),
  ];
  return [...new Set(all)].map((form) => form.replace(/[^\w]/g, '\\$&'));
}

function shorten(form: string, eighths: number): string {
  const cut = Math.floor((form.length / 4) * (eighths / 8));
  return form.slice(0, Math.max(shortestCredential, form.length - cut));
}

/** Longer parts are halved: looking into all of a text for each step would cost too much. */
const searchedAtOnce = 4_096;

/** Start and end of the shortest part that is held; one of the text is. */
function narrow(text: string, isHeld: CredentialDetector): readonly [start: number, end: number] {
  let [start, end] = [0, text.length];
  for (let isFound = true; isFound && end - start > searchedAtOnce; ) {
    const half = Math.ceil((end - start) / 2);
    const found = [start, start + Math.floor(half / 2), end - half].find((at) => isHeld(text.slice(at, at + half)));
    isFound = found !== undefined;
    if (found !== undefined) [start, end] = [found, found + half];
  }
  end = start + findLeast(end - start, (length) => isHeld(text.slice(start, start + length)));
  start = end - findLeast(end - start, (length) => isHeld(text.slice(end - length, end)));
  return [start, end];
}

/** The least number for which this is so; it is for the greatest. */
function findLeast(greatest: number, isSo: (number: number) => boolean): number {
  let [low, high] = [0, greatest];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isSo(middle)) high = middle;
    else low = middle + 1;
  }
  return high;
}

/** Every string of a value redacted, keys included. The value is plain JSON. */
export function redactTree<T>(value: T, redact: Redactor): T {
  // Rules share their exchanges, so most strings are there several times.
  const known = new Map<string, string>();
  return mapTexts(value, (text) => {
    const redacted = known.get(text) ?? redact(text);
    known.set(text, redacted);
    return redacted;
  });
}

/** A text in whose lines no build service finds a command; where it is JSON it still means the same. */
export function disarmCommands(text: string): string {
  return text.replace(/^(\s*):(?=:)/gm, '$1\\u003a').replace(/##(?=[\w.-]*\[)/g, '#\\u0023');
}

/** Without characters that hide or reorder others, or that a reader takes as a command: each becomes U+FFFD. */
export function visibleText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\n\t]]/gv, '\uFFFD');
}
