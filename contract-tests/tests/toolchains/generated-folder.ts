import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate, nodePorts } from '../../../generator/src/index.ts';
import { sandboxCredentials } from '../../../sandbox/src/index.ts';
import { runNode } from '../../../scripts/run-node.ts';
import { configureGeneration, type ServedSandbox } from '../../../scripts/tests/with-sandbox.ts';
import { application } from './application.ts';

/** Writes the application to a folder, and generates the files that it imports into `generated` there. */
export async function writeApplication(folder: string, served: ServedSandbox, name = 'application.ts'): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const places = { outDir: join(folder, 'generated'), cacheDir: join(folder, '.cache') };
  const config = configureGeneration(served, places, 'write');
  await generate({ ...config, outputLayout: { layout: 'folder', peers: 'any-version' } }, nodePorts());
  writeFileSync(join(folder, name), application);
}

/** Calls `use` of a built program in a separate Node process, from a folder and a script of this type. */
export async function callBuilt(file: string, cwd: string, served: ServedSandbox, type = 'module'): Promise<unknown> {
  const script = `import(${JSON.stringify(file)})
    .then(({ use }) => use(${JSON.stringify(credentialsOf(served))}))
    .then((answer) => process.stdout.write(JSON.stringify(answer)))`;
  const { out, err } = await runNode([`--input-type=${type}`, '--eval', script], { cwd });
  return JSON.parse(out || JSON.stringify(err));
}

/** Returns the arguments of the application for a sandbox. */
export function credentialsOf({ sandbox, url }: ServedSandbox) {
  const { router, workflow } = sandboxCredentials;
  return { url, apiKey: router.main, token: workflow.main, job: sandbox.jobs.save };
}
