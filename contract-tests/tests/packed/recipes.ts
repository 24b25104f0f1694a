import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../specs/src/index.ts';

/** A program of a page, and what it prints. */
export type Recipe = { readonly name: string; readonly code: string; readonly prints: string };

/** The recipes of `docs/client.md`, as the page has them. */
export function readRecipes(): Recipe[] {
  const page = readFileSync(join(packageRoot(), 'docs/client.md'), 'utf8');
  const [, section = ''] = page.split(/^## Recipes$/m);
  return section
    .split(/^### /m)
    .slice(1)
    .map((text) => {
      const [name = ''] = text.split('\n', 1);
      return { name, code: block(text, 'ts', name), prints: block(text, 'text', name) };
    });
}

/** The first program of the README. */
export function readFirstCall(): string {
  return block(readFileSync(join(packageRoot(), 'README.md'), 'utf8'), 'ts', 'README.md');
}

function block(text: string, language: string, place: string): string {
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(([, one]) => one === language);
  const [, , found] = blocks[0] ?? [];
  if (found === undefined) throw new Error(`${place} has no block of ${language}`);
  return found;
}

/** The ids of the models that recipes import. */
export function listRecipeModels(recipes: readonly Recipe[]): string[] {
  return [
    ...new Set(recipes.flatMap(({ code }) => [...code.matchAll(/'@acme\/models\/([^']+)'/g)].map(([, id = '']) => id))),
  ];
}
