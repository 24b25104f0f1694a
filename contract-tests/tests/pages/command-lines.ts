import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../specs/src/index.ts';
import { codeBlocks } from './code-blocks.ts';

/** A command line as a page has it. */
export type CommandLine = {
  readonly page: string;
  readonly line: number;
  /** Without its comment; lines that end with a backslash are joined. */
  readonly text: string;
  /** What the page says of its exit code in the comment; 0 otherwise. */
  readonly exitCode: number;
  /** The name of its block, or where the block has none whether it is in one. */
  readonly place: { readonly kind: 'block'; readonly name: string } | { readonly kind: 'sentence' };
};

const tools = ['switchyard', 'npx', 'npm', 'node', 'docker', 'git'];

/** Every page that people read, decisions and release notes included. */
export function pages(): string[] {
  const docs = readdirSync(join(packageRoot(), 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('site/'))
    .map((name) => `docs/${name}`);
  const others = ['CONTRIBUTING.md', 'SECURITY.md', 'contract-tests/tests/attack/README.md'];
  return ['README.md', ...docs.sort(), ...others];
}

/** The command lines of a page: each line of its blocks of shell, then those in backticks. */
export function commandLines(page: string): CommandLine[] {
  return [...blockLines(page), ...sentenceLines(page)];
}

function blockLines(page: string): CommandLine[] {
  return codeBlocks(page)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ name, text, line }) => {
      const joined = text.replaceAll(/ *\\\n */g, '\n\0').split('\n');
      return joined.flatMap((raw, index) => {
        if (raw.startsWith('\0')) return [];
        const rest = joined.slice(index + 1);
        const next = rest.findIndex((one) => !one.startsWith('\0'));
        const whole = [raw, ...rest.slice(0, next === -1 ? rest.length : next)].join(' ').replaceAll('\0', '');
        const { text: command, comment } = splitComment(whole);
        const exitCode = Number(/\bexit code (\d+)/.exec(comment)?.[1] ?? 0);
        return command === ''
          ? []
          : [{ page, line: line + index, text: command, exitCode, place: { kind: 'block' as const, name } }];
      });
    });
}

/** Names of commands alone, such as `npx openapi-switchyard generate`, count as well: they have to exist. */
function sentenceLines(page: string): CommandLine[] {
  const text = readFileSync(join(packageRoot(), page), 'utf8');
  const prose = text.replaceAll(/^( *)```.*?^\1```$/gms, (block) => block.replaceAll(/[^\n]/g, ' '));
  return [...prose.matchAll(/`([^`\n]+)`/g)]
    .filter(([, quoted = '']) => tools.includes(commandWords(quoted)[0] ?? '') && / [^ ]/.test(quoted))
    .map(({ index, 1: quoted = '' }) => {
      const line = text.slice(0, index).split('\n').length;
      return { page, line, text: quoted, exitCode: 0, place: { kind: 'sentence' } };
    });
}

/** The words of a command line without the variables that it sets, up to the first operator of the shell. */
export function commandWords(text: string): string[] {
  const words = [...text.matchAll(/(?:[^\s'"|;&<>]|'[^']*'|"[^"]*"|<[\w@| -]+>)+|[|;&<>]+/g)].map(([word]) => word);
  const end = words.findIndex((word) => /^[|;&<>]+$/.test(word));
  const command = end === -1 ? words : words.slice(0, end);
  const first = command.findIndex((word) => !/^\w+=/.test(word));
  return command.slice(first === -1 ? command.length : first).map((word) => word.replaceAll(/['"]/g, ''));
}

/** A comment begins at a `#` after a space, outside of quotes. */
function splitComment(line: string): { text: string; comment: string } {
  const [text = ''] = /^(?:'[^']*'|"[^"]*"|(?<=\S)#|[^#'"]|(?<=\S)['"])*/.exec(line) ?? [];
  return { text: text.trim(), comment: line.slice(text.length) };
}
