import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate, nodePorts } from '../../../generator/src/index.ts';
import { sandboxCredentials } from '../../../sandbox/src/index.ts';
import { configureGeneration, type ServedSandbox } from '../../../scripts/tests/with-sandbox.ts';
import { application } from './application.ts';

/** Writes the application to a folder, and generates the files that it imports into `generated` there. */
export async function writeApplication(folder: string, served: ServedSandbox, name = 'application.ts'): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const places = { outDir: join(folder, 'generated'), cacheDir: join(folder, '.cache') };
  const config = configureGeneration(served, places, 'write');
  await generate({ ...config, arrangement: { layout: 'folder', peers: 'any-version' } }, nodePorts());
  writeFileSync(join(folder, name), application);
}

/** Returns the arguments of the application for a sandbox. */
export function credentialsOf({ sandbox, url }: ServedSandbox) {
  const { router, workflow } = sandboxCredentials;
  return { url, apiKey: router.main, token: workflow.main, job: sandbox.jobs.save };
}
