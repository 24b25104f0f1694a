import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../specs/src/index.ts';

/** A program of a page. `prints` is the output on the page; empty if the page has none. */
export type Recipe = { readonly name: string; readonly code: string; readonly prints: string };

/** Pages about calling models; each section begins with a complete program. */
export const clientPages = ['run-a-model', 'handle-errors', 'use-the-queue', 'resume-after-a-crash', 'save-files'];
export const integrationPages = ['give-models-to-agents', 'call-from-a-page', 'calls-for-many-users'];

/** Reads the recipes of pages: the first program of each section. */
export function readRecipes(pages: readonly string[]): Recipe[] {
  return pages.flatMap((page) => {
    const text = readFileSync(join(packageRoot(), `docs/how-to/${page}.md`), 'utf8');
    const recipes = text.split(/^#+ /m).flatMap((section) => {
      const [name = ''] = section.split('\n', 1);
      const code = block(section, 'ts');
      // A block without an import only shows a method or an option.
      return code !== undefined && /^import /m.test(code) ? [{ name, code, prints: block(section, 'text') ?? '' }] : [];
    });
    if (recipes.length === 0) throw new Error(`${page} has no program`);
    return recipes;
  });
}

function block(text: string, language: string): string | undefined {
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].find(([, one]) => one === language)?.[2];
}

/** Lists the ids of the models that recipes import. */
export function listRecipeModels(recipes: readonly Recipe[]): string[] {
  return [
    ...new Set(recipes.flatMap(({ code }) => [...code.matchAll(/'@acme\/models\/([^']+)'/g)].map(([, id = '']) => id))),
  ];
}
