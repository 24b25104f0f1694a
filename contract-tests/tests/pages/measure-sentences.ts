import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../specs/src/index.ts';
import { pages } from './command-lines.ts';

// Prints how long the sentences of each page are, in words, with the longest ones: a report for those who write, and no gate.
// Names of pages limit it to those.

/** Paragraphs and items of lists; tables and programs have no sentences. */
function readSentences(page: string): string[] {
  return readFileSync(join(packageRoot(), page), 'utf8')
    .replaceAll(/^( *)```.*?^\1```$|<!--.*?-->/gms, '')
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/)
    .filter((text) => !/^\s*(?:#|\||!\[)/.test(text))
    .map((text) =>
      text
        .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replaceAll(/`[^`]*`/g, 'Code')
        .replaceAll(/\s+/g, ' '),
    )
    .flatMap((text) => text.split(/(?<=[.?!][)"]?) (?=[^\p{Ll}])/u))
    .filter((sentence) => countWords(sentence) > 1);
}

const countWords = (sentence: string): number => [...sentence.matchAll(/[\p{L}\p{N}][\p{L}\p{N}'’.-]*/gu)].length;

function summarise(name: string, sentences: readonly string[]): string {
  const lengths = sentences.map(countWords).sort((a, b) => a - b);
  const at = (part: number): number => lengths[Math.min(lengths.length - 1, Math.floor(lengths.length * part))] ?? 0;
  return `${String(at(0.5)).padStart(6)} ${String(at(0.95)).padStart(4)} ${String(lengths.length).padStart(9)}  ${name}`;
}

const names = process.argv.slice(2);
const measured = pages()
  .filter((page) => (names.length === 0 ? !/^docs\/adr\/|^CHANGELOG/.test(page) : names.includes(page)))
  .map((page) => ({ page, sentences: readSentences(page) }));
const all = measured.flatMap(({ page, sentences }) =>
  sentences.map((text) => ({ page, text, words: countWords(text) })),
);
const lines = measured.map(({ page, sentences }) => summarise(page, sentences));
const longest = all.sort((a, b) => b.words - a.words).slice(0, 10);
process.stdout.write(`median  p95 sentences  page
${lines.join('\n')}
${summarise(
  'all of them',
  all.map(({ text }) => text),
)}

The longest:
${longest.map(({ page, text, words }) => `${words} words, ${page}: ${text}`).join('\n')}
`);
