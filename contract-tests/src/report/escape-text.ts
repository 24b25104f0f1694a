// Reports quote what a target sent. Each format has one function here, and each text of a report goes through it.

/** Without characters that hide or reorder others, or that a reader takes as a command: each becomes U+FFFD. */
export function visibleText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\n\t]]/gv, '\uFFFD');
}

export function oneLine(text: string): string {
  return visibleText(text).replace(/\s+/g, ' ').trim();
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For HTML and SVG, between tags and within quoted attributes. */
export function htmlText(text: string): string {
  return visibleText(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** For XML 1.0, which cannot express most control characters and lone surrogates; the writer escapes the rest. */
export function xmlText(text: string): string {
  return text.toWellFormed().replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD');
}

/** A code span of Markdown: nothing in it is a link, a mention or a tag. */
export function markdownCode(text: string): string {
  const line = oneLine(text) || ' ';
  const fence = fenceFor(line, 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** A fenced block of Markdown: nothing in it ends the block. */
export function markdownBlock(text: string): readonly string[] {
  const fence = fenceFor(text, 3);
  return [`${fence}text`, ...visibleText(text).split('\n'), fence];
}

// A fence has to be longer than every run of backticks in the text.
function fenceFor(text: string, least: number): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  return '`'.repeat(Math.max(least, longest + 1));
}

/** The message of a SARIF result, where brackets make links and braces are placeholders. */
export function sarifText(text: string): string {
  return visibleText(text)
    .replace(/[\\[\]]/g, '\\$&')
    .replaceAll('{', '{{')
    .replaceAll('}', '}}');
}

/** The message of a command to GitHub Actions. */
export function annotationText(text: string): string {
  return visibleText(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** The value of a property of such a command. */
export function annotationProperty(text: string): string {
  return annotationText(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Lines for a terminal and for the log of a build: what a target sent controls neither. */
export function terminalText(lines: readonly string[]): string {
  return lines
    .map((line) => withoutCommand(line.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD')))
    .join('\n');
}

/** A line of a log in which GitHub Actions would find a command, made harmless. */
export function withoutCommand(line: string): string {
  return line.replace(/^(\s*)::/, '$1: :').replaceAll('##[', '## [');
}
