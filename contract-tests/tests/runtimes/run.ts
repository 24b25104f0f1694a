import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, transformSync } from 'esbuild';
import { installPackages } from '../packed/install-packages.ts';
import { clientPages, listRecipeModels, type Recipe, readRecipes } from '../packed/recipes.ts';
import { runRecipe } from '../packed/run-recipe.ts';
import { installRuntime, type Runtime, runtimes } from './runtimes.ts';
import { runWorker, workerd } from './workerd.ts';

// Runs the recipes of the client's pages with the packed packages on every runtime, and says so in a line each. A runtime
// that cannot be installed here is named; it fails the run where it is required.

type Verdict = { readonly passed: boolean; readonly text: string };
/** Writes the file that a runtime is given. */
type Prepare = (recipe: Recipe, file: string) => Promise<void>;

const recipes = readRecipes(clientPages);
const installed = await installPackages(listRecipeModels(recipes));
const verdicts: Verdict[] = [];
try {
  for (const runtime of runtimes) tell(runtime.name, await tryRuntime(runtime));
  tell('Node, bundled by esbuild', await runAll('esbuild', [process.execPath], bundled));
  tell(workerd.name, await tryWorker());
} finally {
  await installed.close();
}
process.exitCode = verdicts.every(({ passed }) => passed) ? 0 : 1;

function tell(name: string, verdict: Verdict): void {
  verdicts.push(verdict);
  process.stdout.write(`${verdict.passed ? 'ok  ' : 'FAIL'} ${name}: ${verdict.text}\n`);
}

async function tryWorker(): Promise<Verdict> {
  const found = await installRuntime(workerd, join(installed.folder, 'runtimes'));
  if ('problem' in found) return { passed: true, text: `not tried: ${found.problem}` };
  const answer = await runWorker(found.executable, installed);
  const passed = answer === '[true,"validation","application/json"]';
  return {
    passed,
    text: `${found.version}, a worker ${passed ? 'runs, is refused and collects' : `answered ${answer}`}`,
  };
}

async function tryRuntime(runtime: Runtime): Promise<Verdict> {
  const found = await installRuntime(runtime, join(installed.folder, 'runtimes'));
  if ('problem' in found) return { passed: !runtime.isRequired, text: `not tried: ${found.problem}` };
  const { passed, text } = await runAll(runtime.name, [found.executable, ...runtime.args], withoutTypes);
  return { passed, text: `${found.version}, ${text}` };
}

/** Each recipe has a folder of its own, since recipes write files. */
async function runAll(name: string, command: readonly string[], prepare: Prepare): Promise<Verdict> {
  const wrong: string[] = [];
  for (const recipe of recipes) {
    const folder = join(installed.project, name, recipe.name);
    mkdirSync(folder, { recursive: true });
    await prepare(recipe, join(folder, 'recipe.js'));
    const printed = await runRecipe(recipe, { command: [...command, 'recipe.js'], folder }, installed);
    if (printed !== recipe.prints) wrong.push(`${recipe.name} printed ${JSON.stringify(printed.slice(0, 500))}`);
  }
  const text = `${recipes.length - wrong.length} of ${recipes.length} recipes print what the page says`;
  return { passed: wrong.length === 0, text: [text, ...wrong].join('\n     ') };
}

async function withoutTypes({ code }: Recipe, file: string): Promise<void> {
  writeFileSync(file, transformSync(code, { loader: 'ts', format: 'esm', target: 'es2022' }).code);
}

async function bundled({ code }: Recipe, outfile: string): Promise<void> {
  const stdin = { contents: code, loader: 'ts', resolveDir: installed.project } as const;
  await build({ stdin, outfile, bundle: true, platform: 'node', format: 'esm', target: 'node20', logLevel: 'warning' });
}
