import { escapeAll, type JsonObject, type JsonValue, codeSpan as writeCodeSpan } from '../../../specs/src/index.ts';

declare const printed: unique symbol;

/** A piece of source text that was created by a function of this module. Functions that expect it reject plain strings. */
export type Code = { readonly text: string; readonly imports: readonly Import[]; readonly [printed]: true };
type Import = { readonly name: string; readonly from: string };

const noImports: readonly Import[] = [];

function makeCode(text: string, imports: readonly Import[] = noImports): Code {
  return { text, imports } as Code; // The only place that creates Code.
}

const nothing: Code = makeCode('');

/** Template tag for source text; accepts only printed pieces and lists of them as values. */
export function code(strings: TemplateStringsArray, ...pieces: readonly (Code | readonly Code[])[]): Code {
  let text = strings[0] ?? '';
  let imports = noImports;
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index] ?? nothing;
    const part = 'text' in piece ? piece : join(piece, nothing);
    text += part.text + strings[index + 1];
    if (part.imports.length > 0) imports = [...imports, ...part.imports];
  }
  return makeCode(text, imports);
}

export function join(pieces: readonly Code[], separator: Code): Code {
  const importing = pieces.filter((piece) => piece.imports.length > 0);
  const imports = importing.length === 0 ? noImports : importing.flatMap((piece) => piece.imports);
  return makeCode(pieces.map((piece) => piece.text).join(separator.text), imports);
}

/** Indents all lines except the first one. */
export function indent(piece: Code, spaces: number): Code {
  return makeCode(piece.text.replaceAll('\n', `\n${' '.repeat(spaces)}`), piece.imports);
}

// Characters that some programs treat as line ends, invisible characters, and characters that change the text direction.
const unsafeCharacters = /[\u007f-\u009f]|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}/gu;

function quote(text: string): string {
  const quoted = JSON.stringify(text);
  return isPlain(quoted) ? quoted : quoted.replace(unsafeCharacters, escapeAll);
}

/**
 * Prints a JSON value as an expression. The result for a string can also be used as a literal type. Objects and arrays
 * that exceed the width are printed with one member per line.
 */
export function literal(value: JsonValue, layout: Layout = { width: Number.POSITIVE_INFINITY }): Code {
  return makeCode(printWithin(value, layout));
}

/** `width`: maximum length of a line. `column`: where the first line starts. `indent`: indentation of the other lines. */
type Layout = { readonly width: number; readonly column?: number; readonly indent?: string };

function printWithin(value: JsonValue, { width, column = 0, indent = '' }: Layout): string {
  const line = printValue(value);
  if (column + line.length <= width || value === null || typeof value !== 'object') return line;
  const inner = `${indent}  `;
  const print = (member: JsonValue, start: string): string => {
    const column = inner.length + start.length + 1; // 1 for the comma at the end
    return `${inner}${start}${printWithin(member, { width, column, indent: inner })},\n`;
  };
  if (Array.isArray(value)) return `[\n${value.map((item) => print(item, '')).join('')}${indent}]`;
  const members = Object.entries(value).map(([key, member]) => print(member, `${printKey(key)}: `));
  return `{\n${members.join('')}${indent}}`;
}

function printValue(value: JsonValue): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null';
  if (Array.isArray(value)) return `[${value.map(printValue).join(', ')}]`;
  if (value === null || typeof value !== 'object') return String(value);
  const members = printMembers(value);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function printMembers(value: JsonObject): string[] {
  return Object.entries(value).map(([key, member]) => `${printKey(key)}: ${printValue(member)}`);
}

// A plain `__proto__` key would set the object's prototype.
function printKey(key: string): string {
  return key === '__proto__' ? '["__proto__"]' : printPropertyText(key);
}

function printPropertyText(name: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : quote(name);
}

/** Prints the name of a property in a type. */
export function propertyName(name: string): Code {
  return makeCode(printPropertyText(name));
}

/** Prints the template literal type of strings that start and end with these texts. */
export function templateType(starts: string, ends: string): Code {
  const inTemplate = (text: string): string => quote(text).slice(1, -1).replaceAll('\\"', '"').replace(/[`$]/g, '\\$&');
  return makeCode(`\`${inTemplate(starts)}\${string}${inTemplate(ends)}\``);
}

/** Prints an identifier chosen by the generator. Throws if it isn't a plain ASCII identifier. */
export function identifier(name: string): Code {
  if (!/^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name)) throw new TypeError(`not an identifier: ${JSON.stringify(name)}`);
  return makeCode(name);
}

/** Prints a doc comment; prints nothing for an empty list. Escapes text that would end the comment or add a tag. */
export function comment(lines: readonly CommentLine[]): Code {
  const texts = lines.flatMap((line) => commentTexts(line));
  if (texts.length === 0) return nothing;
  const [only] = texts;
  if (texts.length === 1 && only !== undefined) return makeCode(`/** ${only} */\n`);
  return makeCode(`/**\n${texts.map((text) => (text === '' ? ' *\n' : ` * ${text}\n`)).join('')} */\n`);
}

/** Prints the header of a generated file, which also disables linters. `lines`: describe what the file was made from. */
export function generatedHead(lines: readonly string[]): Code {
  const linters = ['lint', 'assist', 'format'].map((what) => `// biome-ignore-all ${what}: generated\n`);
  return makeCode(
    `/* eslint-disable */\n${linters.join('')}${comment([{ tag: 'generated', text: '' }, ...lines]).text}`,
  );
}

/** A line of a comment: text from a document, or a tag of the generator followed by text. */
export type CommentLine =
  | string
  | { readonly tag: 'default' | 'example' | 'deprecated' | 'generated'; readonly text: string };

function commentTexts(line: CommentLine): string[] {
  if (typeof line === 'string') return cleanLines(line);
  const [first = '', ...others] = cleanLines(line.text);
  return [`@${line.tag} ${first}`.trimEnd(), ...others];
}

function cleanLines(text: string): string[] {
  const lines = text.replace(/\r\n?/g, '\n').split('\n').map(cleanLine);
  while (lines.length > 0 && lines[0] === '') lines.shift();
  while (lines.length > 0 && lines.at(-1) === '') lines.pop();
  return lines.filter((line, index) => line !== '' || lines[index - 1] !== '');
}

function cleanLine(line: string): string {
  const visible = isPlain(line) ? line : line.replace(/\p{Cc}/gu, ' ').replace(unsafeCharacters, '');
  const text = (visible.includes('*/') ? visible.replaceAll('*/', '*\\/') : visible).trim();
  return text.startsWith('@') ? `\\${text}` : text;
}

// A fast check that is true for nearly every line; replacing characters takes ten times as long.
function isPlain(line: string): boolean {
  return /^[ -~]*$/.test(line);
}

/** Prints a reference to a type of another module. `printImports` prints the import that it needs. */
export function importType(from: string, name: string): Code {
  return makeCode(name, [{ name, from }]);
}

/** Prints the imports of all types that a piece of code refers to. */
export function printImports(piece: Code): Code {
  const byModule = Map.groupBy(piece.imports, ({ from }) => from);
  const lines = [...byModule.keys()].sort().map((from) => {
    const names = [...new Set(byModule.get(from)?.map(({ name }) => name))].sort();
    return `import type { ${names.join(', ')} } from ${quote(from)};\n`;
  });
  return makeCode(lines.join(''));
}

/** Prints a JSON value for JSON files. */
export function denseJson(value: JsonValue): Code {
  const text = JSON.stringify(value);
  return makeCode(isPlain(text) ? text : text.replace(unsafeCharacters, escapeAll));
}

/** Prints a JSON value as a compact expression, for data that isn't meant to be read. */
export function jsonLiteral(value: JsonValue): Code {
  const dense = denseJson(value);
  return dense.text.includes('__proto__') ? literal(value) : dense;
}

/** Prints text as a Markdown code span. */
export function codeSpan(text: string): Code {
  return makeCode(writeCodeSpan(text));
}

/** Prints a trusted word without change, such as a package name or a version. */
export function word(text: string): Code {
  if (!/^[A-Za-z0-9@/._ ~-]*$/.test(text)) throw new TypeError(`not a plain word: ${JSON.stringify(text)}`);
  return makeCode(text);
}
