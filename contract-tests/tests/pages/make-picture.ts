import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { packageRoot } from '../../../specs/src/index.ts';
import { recordSession, type Session, type Step } from './session.ts';

// Draws docs/images/session.svg, the picture in the README, from a real session. With `--check`, only compares it with a new session.
const place = join(packageRoot(), 'docs/images/session.svg');
const columns = 104;
const cell = { width: 7.6, height: 19 };
const margin = 18;
const width = Math.ceil(columns * cell.width + 2 * margin);

/** A piece of text. `kind` is a class of the style sheet below. */
type Span = { readonly text: string; readonly kind?: string | undefined };
type Line = readonly Span[];

const style = `
  text { font: 12.6px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328; white-space: pre; }
  .back { fill: #f6f8fa; stroke: #d8dee4; } .bar { fill: #eaeef2; } .title { fill: #57606a; }
  .word { fill: #8250df; } .string { fill: #0a5c36; } .note { fill: #57606a; } .command { font-weight: 600; }
  .bad { fill: #b42318; } .good { fill: #1a7f37; } .wave { stroke: #b42318; fill: none; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .back { fill: #0d1117; stroke: #30363d; } .bar { fill: #161b22; } .title, .note { fill: #9da7b3; }
    .word { fill: #d2a8ff; } .string { fill: #7ee2a8; } .bad { fill: #ff7b72; } .good { fill: #3fb950; } .wave { stroke: #ff7b72; }
  }`;

const escapeText = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Splits a program into lines of tokens with their colours. */
function highlight(program: string): Line[] {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, program);
  const lines: Span[][] = [[]];
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    const kind = colour(token);
    for (const [index, text] of scanner.getTokenText().split('\n').entries()) {
      if (index > 0) lines.push([]);
      if (text !== '') lines.at(-1)?.push({ text, kind });
    }
  }
  return lines;
}

function colour(token: ts.SyntaxKind): string | undefined {
  if (token === ts.SyntaxKind.StringLiteral) return 'string';
  if (token === ts.SyntaxKind.SingleLineCommentTrivia) return 'note';
  return token >= ts.SyntaxKind.FirstKeyword && token <= ts.SyntaxKind.LastKeyword ? 'word' : undefined;
}

/** Breaks a text into lines at spaces, and indents all lines but the first. */
function wrap(text: string, indent: string): string[] {
  if (text.length <= columns) return [text];
  const end = text.lastIndexOf(' ', columns);
  const cut = end <= indent.length ? columns : end;
  return [text.slice(0, cut), ...wrap(`${indent}${text.slice(cut).trimStart()}`, indent)];
}

function colourOutput(text: string): string | undefined {
  if (/^\s*failed |checked rules failed|^\s*actual/.test(text)) return 'bad';
  if (/ 0 failed|^\s*expected/.test(text)) return 'good';
  return /^\s*(?:…|MR-|curl|report:)/.test(text) ? 'note' : undefined;
}

function printStep({ command, output }: Step): Line[] {
  const printed = output.flatMap((text): Line[] => {
    const indent = `${/^ */.exec(text)?.[0] ?? ''}  `;
    return wrap(text, indent).map((part) => [{ text: part, kind: colourOutput(text) }]);
  });
  const prompt = { text: '$ ', kind: 'note' };
  return [[prompt, { text: command, kind: 'command' }], ...printed, []];
}

type Panel = {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly wave?: { line: number; from: number; to: number };
};

function drawPanel({ title, lines, wave }: Panel, top: number): { svg: string; height: number } {
  const first = top + 30 + cell.height;
  const rows = lines.map((line, index) => {
    const length = line.reduce((sum, { text }) => sum + text.length, 0);
    const spans = line.map(({ text, kind }) =>
      kind === undefined ? escapeText(text) : `<tspan class="${kind}">${escapeText(text)}</tspan>`,
    );
    const y = first + index * cell.height;
    const size = (length * cell.width).toFixed(1);
    return length === 0
      ? ''
      : `<text xml:space="preserve" x="${margin}" y="${y}" textLength="${size}">${spans.join('')}</text>\n`;
  });
  const height = 42 + lines.length * cell.height;
  return {
    svg: `<rect class="back" x="0.5" y="${top + 0.5}" width="${width - 1}" height="${height}" rx="8"/>
<path class="bar" d="M1 ${top + 27}v-18a8 8 0 0 1 8 -8h${width - 18}a8 8 0 0 1 8 8v18z"/>
<text class="title" x="${margin}" y="${top + 19}">${escapeText(title)}</text>
${rows.join('')}${wave === undefined ? '' : drawWave(wave, first)}`,
    height,
  };
}

function drawWave({ line, from, to }: { line: number; from: number; to: number }, first: number): string {
  const step = cell.width / 2;
  const turns = Array.from({ length: (to - from) * 2 }, (_, index) => `l${step} ${index % 2 === 0 ? 3 : -3}`);
  return `<path class="wave" d="M${margin + from * cell.width} ${first + line * cell.height + 3}${turns.join('')}"/>\n`;
}

function draw({ file, program, mistake, steps }: Session): string {
  const code = highlight(program.trimEnd());
  const at = mistake.line - 1;
  const from = mistake.column - 1;
  const word = /^\w+/.exec((program.split('\n')[at] ?? '').slice(from))?.[0] ?? '';
  const words = wrap(`${' '.repeat(4)}${mistake.says}`, ' '.repeat(6)).map((text): Line => [{ text, kind: 'bad' }]);
  const lines = [...code.slice(0, at + 1), ...words, ...code.slice(at + 1)];
  const editor = drawPanel({ title: file, lines, wave: { line: at, from, to: from + word.length } }, 0);
  const terminal = drawPanel({ title: 'terminal', lines: steps.flatMap(printStep).slice(0, -1) }, editor.height + 14);
  const height = editor.height + terminal.height + 15;
  const label =
    'A misspelt input in the editor, refused by the types of its model; below, a check that finds a price in the catalog';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${label}">
<style>${style}
</style>
${editor.svg}${terminal.svg}</svg>\n`;
}

/** Removes request ids and durations, which differ between sessions. */
const withoutVaryingParts = (text: string): string =>
  text.replaceAll(/<[^>]+>/g, '').replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+\.\d+ s/g, '…');

const picture = draw(await recordSession());
if (!process.argv.includes('--check')) writeFileSync(place, picture);
else if (withoutVaryingParts(readFileSync(place, 'utf8')) !== withoutVaryingParts(picture)) {
  process.stdout.write(
    'docs/images/session.svg shows another session: run node scripts/set-up.mjs contract-tests/tests/pages/make-picture.ts\n',
  );
  process.exitCode = 1;
}
