import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build, transformSync } from 'esbuild';
import { withSandbox } from '../../../scripts/tests/with-sandbox.ts';
import { attempt } from '../attempt.ts';
import { installPackages } from '../packed/install-packages.ts';
import { clientPages, listRecipeModels, type Recipe, readRecipes } from '../packed/recipes.ts';
import { runRecipe } from '../packed/run-recipe.ts';
import { application } from '../toolchains/application.ts';
import { writeApplication } from '../toolchains/generated-folder.ts';
import { deno, installProgram, leaveOut, type Runtime, runtimes } from './runtimes.ts';
import { runWorker, workerd } from './workerd.ts';

// Runs the recipes of the client's pages with the packed packages on every runtime, and prints a line for each runtime. A runtime
// that cannot be installed is only a failure if it is not optional.

/** Writes a recipe to the file that a runtime runs. */
type Prepare = (recipe: Recipe, file: string) => Promise<void>;

const recipes = readRecipes(clientPages);
const installed = await installPackages(listRecipeModels(recipes));
const failed: string[] = [];
const run = async (name: string, work: () => Promise<string>): Promise<void> => {
  failed.push(...(await attempt(name, work)));
};
try {
  for (const runtime of runtimes)
    await run(runtime.name, () =>
      withRuntime(runtime, (executable) => runAll(runtime.name, [executable, ...runtime.args], withoutTypes)),
    );
  await run('deno check', () => withRuntime(deno, checkTypes));
  await run('Node, bundled by esbuild', () => runAll('esbuild', [process.execPath], bundled));
  await run(workerd.name, () => withRuntime(workerd, tryWorker));
} finally {
  await installed.close();
}
process.exitCode = failed.length === 0 ? 0 : 1;

/** Installs a runtime and calls `use`. Throws if a required runtime cannot be installed. */
async function withRuntime(runtime: Runtime, use: (executable: string) => Promise<string>): Promise<string> {
  const found = await installProgram(runtime, join(installed.folder, 'runtimes'));
  if (!('problem' in found)) return `${found.version}, ${await use(found.executable)}`;
  return leaveOut(runtime, found.problem);
}

async function tryWorker(executable: string): Promise<string> {
  const answer = await runWorker(executable, installed);
  if (answer !== '[true,"validation","application/json"]') throw new Error(`the worker returned ${answer}`);
  return 'a worker runs a model, gets a validation error and collects a queued request';
}

/** Checks the types of a folder of plain files in Deno, with the setting of the page about platforms. */
async function checkTypes(executable: string): Promise<string> {
  const folder = join(installed.folder, 'folder');
  await withSandbox((served) => writeApplication(folder, served));
  writeFileSync(join(folder, 'deno.json'), '{ "unstable": ["sloppy-imports"] }');
  writeFileSync(join(folder, 'mistake.ts'), application.replace("prompt: 'a boat'", "promt: 'a boat'"));
  const check = (file: string) => promisify(execFile)(executable, ['check', '--quiet', file], { cwd: folder });
  await check('application.ts');
  const output = await check('mistake.ts').then(
    () => 'no error',
    (error: { stderr: string }) => error.stderr,
  );
  if (!output.includes('promt')) throw new Error(`a misspelt input gives ${output}`);
  return 'Deno reads the types of a generated folder';
}

/** Runs all recipes, each in a separate folder because recipes write files. */
async function runAll(name: string, command: readonly string[], prepare: Prepare): Promise<string> {
  const wrong: string[] = [];
  for (const recipe of recipes) {
    const folder = join(installed.project, name, recipe.name);
    mkdirSync(folder, { recursive: true });
    await prepare(recipe, join(folder, 'recipe.js'));
    const printed = await runRecipe(recipe, { command: [...command, 'recipe.js'], folder }, installed);
    if (printed !== recipe.prints) wrong.push(`${recipe.name} printed ${JSON.stringify(printed.slice(0, 500))}`);
  }
  const text = `${recipes.length - wrong.length} of ${recipes.length} recipes print the output on their page`;
  if (wrong.length > 0) throw new Error([text, ...wrong].join('\n     '));
  return text;
}

async function withoutTypes({ code }: Recipe, file: string): Promise<void> {
  writeFileSync(file, transformSync(code, { loader: 'ts', format: 'esm', target: 'es2022' }).code);
}

async function bundled({ code }: Recipe, outfile: string): Promise<void> {
  const stdin = { contents: code, loader: 'ts', resolveDir: installed.project } as const;
  await build({ stdin, outfile, bundle: true, platform: 'node', format: 'esm', target: 'node20', logLevel: 'warning' });
}
