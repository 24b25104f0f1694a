import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../specs/src/index.ts';

/** A fenced block of a page. `name` is the file or script that its first line names in a comment, else empty. */
export type CodeBlock = {
  readonly language: string;
  readonly name: string;
  /** Without the indentation of the block. */
  readonly text: string;
  /** Of the first line of the text, from 1. */
  readonly line: number;
};

/** The fenced blocks of a page of this repository, in order. */
export function codeBlocks(page: string): CodeBlock[] {
  const text = readFileSync(join(packageRoot(), page), 'utf8');
  return [...text.matchAll(/^( *)```(\w+)\n(.*?)^\1```$/gms)].map((match) => {
    const [, indent = '', language = '', body = ''] = match;
    return {
      language,
      name: /^ *(?:#|\/\/|<!--) ([\w./-]+\.\w+)/.exec(body)?.[1] ?? '',
      text: indent === '' ? body : body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      line: text.slice(0, match.index).split('\n').length + 1,
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
