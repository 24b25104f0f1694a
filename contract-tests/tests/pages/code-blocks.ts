import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../specs/src/index.ts';

/** A fenced block of a page. `name` is the file or script that its first line names in a comment, else empty. */
export type CodeBlock = { readonly language: string; readonly name: string; readonly text: string };

/** The fenced blocks of a page of this repository, in order. */
export function codeBlocks(page: string): CodeBlock[] {
  const text = readFileSync(join(packageRoot(), page), 'utf8');
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', body = '']) => ({
    language,
    name: /^(?:#|\/\/|<!--) ([\w./-]+)/.exec(body)?.[1] ?? '',
    text: body,
  }));
}

/** The one block with this name. Throws when the page has none, or two. */
export function namedBlock(page: string, name: string): CodeBlock {
  const [found, second] = codeBlocks(page).filter((block) => block.name === name);
  if (found === undefined || second !== undefined)
    throw new Error(
      `${page} has ${found === undefined ? 'no' : 'more than one'} block that begins with its name ${name}`,
    );
  return found;
}
