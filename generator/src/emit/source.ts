import { escapeAll, type JsonObject, type JsonValue, codeSpan as writeCodeSpan } from '../../../specs/src/index.ts';

declare const printed: unique symbol;

/** A piece of source text made by one of the functions below; a bare string is not one. */
export type Code = { readonly text: string; readonly imports: readonly Import[]; readonly [printed]: true };
type Import = { readonly name: string; readonly from: string };

const noImports: readonly Import[] = [];

function make(text: string, imports: readonly Import[] = noImports): Code {
  return { text, imports } as Code; // the only maker of Code
}

const nothing: Code = make('');

/** Source text with printed pieces in its gaps; lists are put one after the other. */
export function code(strings: TemplateStringsArray, ...pieces: readonly (Code | readonly Code[])[]): Code {
  let text = strings[0] ?? '';
  let imports = noImports;
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index] ?? nothing;
    const part = 'text' in piece ? piece : join(piece, nothing);
    text += part.text + strings[index + 1];
    if (part.imports.length > 0) imports = [...imports, ...part.imports];
  }
  return make(text, imports);
}

export function join(pieces: readonly Code[], separator: Code): Code {
  const importing = pieces.filter((piece) => piece.imports.length > 0);
  const imports = importing.length === 0 ? noImports : importing.flatMap((piece) => piece.imports);
  return make(pieces.map((piece) => piece.text).join(separator.text), imports);
}

/** Each line but the first moved in. */
export function indent(piece: Code, spaces: number): Code {
  return make(piece.text.replaceAll('\n', `\n${' '.repeat(spaces)}`), piece.imports);
}

// Characters that end lines for some readers, hide themselves, or reorder what is shown.
const unsafe = /[\u007f-\u009f]|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}/gu;

function quote(text: string): string {
  const quoted = JSON.stringify(text);
  return isPlain(quoted) ? quoted : quoted.replace(unsafe, escapeAll);
}

/** A JSON value as an expression; a string is also a literal type. An object longer than a line has a line per member. */
export function literal(value: JsonValue, longestLine = Number.POSITIVE_INFINITY): Code {
  const line = printValue(value);
  if (line.length <= longestLine || value === null || typeof value !== 'object' || Array.isArray(value))
    return make(line);
  return make(
    `{\n${printMembers(value)
      .map((member) => `  ${member},\n`)
      .join('')}}`,
  );
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

// Written plainly, this key would set the object's prototype.
function printKey(key: string): string {
  return key === '__proto__' ? '["__proto__"]' : propertyText(key);
}

function propertyText(name: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : quote(name);
}

/** A property's name within a type. */
export function propertyName(name: string): Code {
  return make(propertyText(name));
}

/** The type of texts that start and end so. */
export function templateType(starts: string, ends: string): Code {
  const inTemplate = (text: string): string => quote(text).slice(1, -1).replaceAll('\\"', '"').replace(/[`$]/g, '\\$&');
  return make(`\`${inTemplate(starts)}\${string}${inTemplate(ends)}\``);
}

/** A name of our own making; anything that is not a plain ASCII identifier is a mistake of the caller. */
export function identifier(name: string): Code {
  if (!/^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name)) throw new TypeError(`not an identifier: ${JSON.stringify(name)}`);
  return make(name);
}

/** A doc comment; it ends where we end it, and nothing in it becomes a tag of its own. Nothing for no lines. */
export function comment(lines: readonly CommentLine[]): Code {
  const texts = lines.flatMap((line) => commentTexts(line));
  if (texts.length === 0) return nothing;
  const [only] = texts;
  if (texts.length === 1 && only !== undefined) return make(`/** ${only} */\n`);
  return make(`/**\n${texts.map((text) => (text === '' ? ' *\n' : ` * ${text}\n`)).join('')} */\n`);
}

/** Marks a file as generated, for people, review tools and linters; the lines say what it is made from. */
export function generatedHead(lines: readonly string[]): Code {
  const linters = ['lint', 'assist', 'format'].map((what) => `// biome-ignore-all ${what}: generated\n`);
  return make(`/* eslint-disable */\n${linters.join('')}${comment([{ tag: 'generated', text: '' }, ...lines]).text}`);
}

/** Text of a document, or a tag of ours with such text behind it. */
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
  const visible = isPlain(line) ? line : line.replace(/\p{Cc}/gu, ' ').replace(unsafe, '');
  const text = (visible.includes('*/') ? visible.replaceAll('*/', '*\\/') : visible).trim();
  return text.startsWith('@') ? `\\${text}` : text;
}

// Nearly every line; the general way takes ten times as long.
function isPlain(line: string): boolean {
  return /^[ -~]*$/.test(line);
}

/** A type from another module; the file's import block collects it. */
export function importType(from: string, name: string): Code {
  return make(name, [{ name, from }]);
}

/** The import block for every type that a piece refers to. */
export function printImports(piece: Code): Code {
  const byModule = Map.groupBy(piece.imports, ({ from }) => from);
  const lines = [...byModule.keys()].sort().map((from) => {
    const names = [...new Set(byModule.get(from)?.map(({ name }) => name))].sort();
    return `import type { ${names.join(', ')} } from ${quote(from)};\n`;
  });
  return make(lines.join(''));
}

/** A JSON value as JSON, for files that are JSON. */
export function denseJson(value: JsonValue): Code {
  const text = JSON.stringify(value);
  return make(isPlain(text) ? text : text.replace(unsafe, escapeAll));
}

/** A JSON value as an expression, as JSON has it; for data that people do not read. */
export function jsonLiteral(value: JsonValue): Code {
  const dense = denseJson(value);
  return dense.text.includes('__proto__') ? literal(value) : dense;
}

/** Text for a Markdown code span. */
export function codeSpan(text: string): Code {
  return make(writeCodeSpan(text));
}

/** A word of our own, printed as it is: a package name, a version, a factory. */
export function word(text: string): Code {
  if (!/^[A-Za-z0-9@/._ ~-]*$/.test(text)) throw new TypeError(`not a plain word: ${JSON.stringify(text)}`);
  return make(text);
}
