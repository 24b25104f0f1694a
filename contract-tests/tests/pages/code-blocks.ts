import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../specs/src/index.ts';

/** A fenced block of a page. `name` is the file name in a comment on its first line, or empty. */
export type CodeBlock = {
  readonly language: string;
  readonly name: string;
  /** Without the indentation of the block. */
  readonly text: string;
  /** Line number of the first line of the text, counted from 1. */
  readonly line: number;
  /** Text of a comment `<!-- test: … -->` on the line before the block, which sets how run.ts runs the block. */
  readonly note: string;
};

/** A command in a shell block, with the exit code in its comment, or 0. Lines that end with a backslash are joined. */
export type CommandLine = { readonly line: number; readonly text: string; readonly exitCode: number };

/** Lists all pages for users. */
export function listPages(): string[] {
  const docs = readdirSync(join(packageRoot(), 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('site/'))
    .map((name) => `docs/${name}`);
  return ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...docs.sort()];
}

export function readPage(page: string): string {
  return readFileSync(join(packageRoot(), page), 'utf8');
}

/** Lists the fenced blocks of a page of this repository, in order. */
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

/** Returns the only block with this name on these pages. Throws if no block or more than one has the name. */
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
