import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../specs/src/index.ts';

/** A fenced block of a page. `name` is the file that its first line names in a comment, else empty. */
export type CodeBlock = {
  readonly language: string;
  readonly name: string;
  /** Without the indentation of the block. */
  readonly text: string;
  /** Of the first line of the text, from 1. */
  readonly line: number;
  /** The text of a comment `<!-- test: … -->` on the line before the block; how run.ts runs it. */
  readonly note: string;
};

/** A line of a block of shell, with the exit code that its comment states, or 0. Lines that end with a backslash are joined. */
export type CommandLine = { readonly line: number; readonly text: string; readonly exitCode: number };

/** Every page that users read. */
export function listPages(): string[] {
  const docs = readdirSync(join(packageRoot(), 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('site/'))
    .map((name) => `docs/${name}`);
  return ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...docs.sort()];
}

export function readPage(page: string): string {
  return readFileSync(join(packageRoot(), page), 'utf8');
}

/** The fenced blocks of a page of this repository, in order. */
export function codeBlocks(page: string): CodeBlock[] {
  const text = readPage(page);
  return [...text.matchAll(/(?:^ *<!-- test: ([^\n]*) -->\n)?^( *)```(\w+)\n(.*?)^\2```$/gms)].map((match) => {
    const [whole, note = '', indent = '', language = '', body = ''] = match;
    const start = match.index + whole.indexOf('```');
    return {
      language,
      name: /^ *(?:#|\/\/|<!--) ([\w./-]+\.\w+)/.exec(body)?.[1] ?? '',
      text: indent === '' ? body : body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      line: text.slice(0, start).split('\n').length + 1,
      note,
    };
  });
}

/** The one block of some pages with this name. Throws when they have none, or two. */
export function namedBlock(pages: string | readonly string[], name: string): CodeBlock {
  const [found, second] = [pages]
    .flat()
    .flatMap(codeBlocks)
    .filter((block) => block.name === name);
  if (found === undefined || second !== undefined)
    throw new Error(
      `${pages} has ${found === undefined ? 'no' : 'more than one'} block that begins with its name ${name}`,
    );
  return found;
}

export function commandLines({ text, line }: CodeBlock): CommandLine[] {
  const found: CommandLine[] = [];
  let pending = '';
  for (const [index, raw] of text.split('\n').entries()) {
    const whole = `${pending}${raw}`;
    pending = whole.endsWith('\\') ? whole.slice(0, -1) : '';
    if (pending !== '') continue;
    // A comment begins at a `#` after a space, outside of quotes.
    const [command = ''] = /^(?:'[^']*'|"[^"]*"|(?<=\S)#|[^#'"]|(?<=\S)['"])*/.exec(whole) ?? [];
    const exitCode = Number(/\bexit code (\d+)/.exec(whole.slice(command.length))?.[1] ?? 0);
    if (command.trim() !== '') found.push({ line: line + index, text: command.trim(), exitCode });
  }
  return found;
}
