import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../specs/src/index.ts';

/** A program of a page, and what it prints, where the page says so. */
export type Recipe = { readonly name: string; readonly code: string; readonly prints: string };

/** The recipes of a page, as it has them. */
export function readRecipes(page: 'docs/client.md' | 'docs/integrations.md'): Recipe[] {
  const [, section = ''] = readFileSync(join(packageRoot(), page), 'utf8').split(/^## Recipes$/m);
  return section
    .split(/^### /m)
    .slice(1)
    .map((text) => {
      const [name = ''] = text.split('\n', 1);
      const code = block(text, 'ts');
      if (code === undefined) throw new Error(`${page} has no program below ${name}`);
      return { name, code, prints: block(text, 'text') ?? '' };
    });
}

/** The first program of the README. */
export function readFirstCall(): string {
  return block(readFileSync(join(packageRoot(), 'README.md'), 'utf8'), 'ts') ?? '';
}

function block(text: string, language: string): string | undefined {
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].find(([, one]) => one === language)?.[2];
}

/** The ids of the models that recipes import. */
export function listRecipeModels(recipes: readonly Recipe[]): string[] {
  return [
    ...new Set(recipes.flatMap(({ code }) => [...code.matchAll(/'@acme\/models\/([^']+)'/g)].map(([, id = '']) => id))),
  ];
}
