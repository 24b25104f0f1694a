import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sandboxCredentials } from '../../sandbox/src/index.ts';
import { packageRoot } from '../../specs/src/index.ts';
import { openBrowser } from './browser/open-browser.ts';
import { openPage } from './browser/open-page.ts';
import { type InstalledPackages, installPackages } from './packed/install-packages.ts';
import { listRecipeModels, type Recipe, readFirstCall, readRecipes } from './packed/recipes.ts';
import { runRecipe } from './packed/run-recipe.ts';

const recipes = readRecipes();
const firstCall: Recipe = { name: 'README', code: readFirstCall(), prints: '' };
const modules = join(packageRoot(), 'node_modules');

let installed: InstalledPackages;

/** Each recipe is a file of a user's project, in a folder of its own. */
beforeAll(async () => {
  installed = await installPackages(listRecipeModels(recipes));

  for (const recipe of [...recipes, firstCall]) {
    mkdirSync(nameFolder(recipe));
    writeFileSync(join(nameFolder(recipe), 'recipe.ts'), recipe.code);
  }
}, 60_000);
afterAll(() => installed.close());

const nameFolder = ({ name }: Recipe): string => join(installed.project, name.toLowerCase().replaceAll(' ', '-'));
const run = (recipe: Recipe): Promise<string> =>
  runRecipe(recipe, { command: [process.execPath, 'recipe.ts'], folder: nameFolder(recipe) }, installed);

describe('the recipes of docs/client.md', () => {
  test('are ten, and compile as they stand', { timeout: 60_000 }, async () => {
    expect(recipes.map(({ name }) => name)).toEqual([
      'Run',
      'Errors',
      'Retries',
      'Queue',
      'Progress',
      'Cancel',
      'Resume after a crash',
      'Binary',
      'Assets',
      'Browser',
    ]);
    const options = ['--strict', '--noEmit', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
    const target = ['--target', 'es2024', '--module', 'nodenext', '--lib', 'es2024,dom,dom.iterable,dom.asynciterable'];
    const types = ['--types', 'node', '--typeRoots', join(modules, '@types')];
    const files = [...recipes, firstCall].map((recipe) => join(nameFolder(recipe), 'recipe.ts'));
    const tsc = [join(modules, 'typescript-7/bin/tsc'), ...options, ...target, ...types, ...files];
    const compiled = promisify(execFile)(process.execPath, tsc, { cwd: installed.project });
    expect(
      await compiled.then(
        ({ stdout }) => stdout,
        ({ stdout }) => stdout,
      ),
    ).toBe('');
  });

  const inNode = recipes.filter(({ name }) => name !== 'Browser');
  test.each(inNode)('$name prints what the page says', { timeout: 60_000 }, async (recipe) => {
    expect(await run(recipe)).toBe(recipe.prints);
  });

  const inBrowser = recipes.filter(({ name }) => name === 'Browser');
  test.each(inBrowser)('$name prints in Chromium what the page says', { timeout: 60_000 }, async (recipe) => {
    const entryPoints = [join(nameFolder(recipe), 'recipe.ts')];
    const { outputFiles } = await build({ entryPoints, bundle: true, format: 'esm', write: false });
    const browser = await openBrowser();
    try {
      const head = `<meta name="session" content="${sandboxCredentials.router.main}">`;
      const printed = await new Promise((print, refuse) => {
        const page = { origin: installed.url, module: outputFiles[0]?.text ?? '', head };
        openPage(browser, page, print).catch(refuse);
      });
      expect(`${printed}\n`).toBe(recipe.prints);
    } finally {
      await browser.close();
    }
  });
});

test('the first call of the README runs as it stands', { timeout: 60_000 }, async () => {
  expect(firstCall.code.trim().split('\n')).toHaveLength(5);
  expect(await run(firstCall)).toMatch(/^http:\S+\n$/);
});
