import { type ChildProcess, spawn } from 'node:child_process';
import { sandboxCredentials } from '../../../sandbox/src/index.ts';
import type { InstalledPackages } from './install-packages.ts';
import type { Recipe } from './recipes.ts';

/** The command that runs a program in a runtime, and the folder to run it in. */
export type Program = { readonly command: readonly string[]; readonly folder: string };

const slow = { waitingMs: 1000, runningMs: 0, providerMs: 0 };
const usual = { waitingMs: 150, runningMs: 250, providerMs: 0 };
/** Durations of runs that a recipe expects, and optionally a failure of the first call. */
const situations: Readonly<Record<string, { timings: object; script?: object }>> = {
  Retries: {
    timings: usual,
    script: { operation: 'runModel', error_type: 'service_unavailable' },
  },
  'Show progress': { timings: slow },
  Cancel: { timings: slow },
  'Resume after a crash': { timings: { ...usual, providerMs: 700 } },
};

/** Runs a recipe against the sandbox in the situation that the recipe expects; resolves to its output. */
export async function runRecipe({ name }: Recipe, program: Program, installed: InstalledPackages): Promise<string> {
  const { timings, script } = situations[name] ?? { timings: usual };
  await admin(installed, 'POST', 'reset', {});
  await admin(installed, 'PUT', 'settings', { timings });
  if (script !== undefined) await admin(installed, 'POST', 'hooks/script', script);
  if (name !== 'Resume after a crash') return start(program, installed).printed;
  const first = start(program, installed);
  while (installed.sandbox.ledger().dispatches === 0 && first.child.exitCode === null)
    await new Promise((later) => setTimeout(later, 10));
  first.child.kill('SIGKILL');
  const printed = (await first.printed) + (await start(program, installed).printed);
  const billedTwice = installed.sandbox.ledger().keys.filter(({ billed }) => billed !== 1);
  return billedTwice.length === 0 ? printed : `${printed}keys not billed once: ${billedTwice.length}\n`;
}

async function admin({ url }: InstalledPackages, method: string, route: string, body: object): Promise<void> {
  const response = await fetch(`${url}/__sandbox/${route}`, { method, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${route} returned ${response.status}: ${await response.text()}`);
}

/** Starts a program. `printed` has the text of standard output and standard error, so that it shows errors. */
function start(
  { command, folder }: Program,
  { url }: InstalledPackages,
): { child: ChildProcess; printed: Promise<string> } {
  const [executable = '', ...args] = command;
  const { router, workflow } = sandboxCredentials;
  const env = {
    MODEL_ROUTER_URL: url,
    MODEL_ROUTER_API_KEY: router.main,
    WORKFLOW_EXECUTION_URL: url,
    WORKFLOW_EXECUTION_TOKEN: workflow.main,
    NO_COLOR: '1',
  };
  const child = spawn(executable, args, { cwd: folder, env: { ...process.env, ...env }, timeout: 60_000 });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  const printed = new Promise<string>((ended, failed) => {
    child.on('error', failed);
    child.on('close', () => ended(text));
  });
  return { child, printed };
}
