import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sandboxCredentials } from '../../../sandbox/src/index.ts';
import type { Manager } from './managers.ts';
import { type Shell, serveInShell } from './shell.ts';

const compiler = 'typescript@5.9.3';
const rules = "'model.detail.*'";
const fault = { id: 'model.detail.of-another-model', rule: /model\.detail\.[a-z.-]+/ };
/** Lines that a package manager prints if a package does not suit the project. */
const complaints = /^.*(?:EBADENGINE|deprecated|peer dep|incorrectly met|build scripts|incompatible).*$/im;

const app = `import { createModelRouter } from '@acme/model-router';
import { model } from '@acme/models/image-provider/still-2.1';

const router = createModelRouter(); // reads MODEL_ROUTER_URL and MODEL_ROUTER_API_KEY
const { data } = await router.run(model, { prompt: 'a harbour' });
console.log(data.images[0]?.url);
`;
const compilerOptions = { module: 'nodenext', target: 'es2023', strict: true, rootDir: 'src', outDir: 'dist' };

/**
 * Follows the steps of a user from an empty folder to a checked server with one package manager.
 * @throws an error for the first step that fails
 */
export async function travel(manager: Manager, shell: Shell): Promise<string> {
  const { add, exec, node = 'node' } = manager;
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(shell.folder, path)), { recursive: true });
    writeFileSync(join(shell.folder, path), text);
  };
  write('package.json', '{ "name": "app", "private": true, "type": "module" }\n');
  for (const [path, text] of Object.entries(manager.files ?? {})) write(path, text);
  expectNoComplaint(await shell.run(`${add} openapi-switchyard ${compiler}`));

  const key = sandboxCredentials.router.main;
  const { address, env } = await withServed(shell, `${exec} openapi-switchyard sandbox --port 0`, async (address) => {
    const printed = await shell.run(`${exec} openapi-switchyard init --router-url ${address} --scope @acme --yes`);
    const env = { SWITCHYARD_API_KEY: key, MODEL_ROUTER_API_KEY: key, MODEL_ROUTER_URL: address };
    for (const step of nextSteps(printed)) expectNoComplaint(await shell.run(step, { env }));
    return { address, env };
  });
  write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['src'] }));
  write('src/app.ts', app.replace('prompt:', 'promt:'));
  await shell.run(`${exec} tsc`, { code: [1, 2], shows: /'promt' does not exist/ });
  write('src/app.ts', app);
  await shell.run(`${exec} tsc`);

  // Start a new sandbox, because an install may have replaced files that the running sandbox has not loaded yet.
  await withServed(shell, `${exec} openapi-switchyard sandbox --port ${new URL(address).port}`, async () => {
    await shell.run(`${node} dist/app.js`, { env, shows: /^http:\/\/127\.0\.0\.1:\d+\/\S+/m });
    await shell.run(`${exec} openapi-switchyard verify`);
    await shell.run(`${exec} openapi-switchyard generate --check`, { env });
    await shell.run(`${exec} openapi-switchyard conform --rule ${rules}`, { env, shows: /passed/ });
  });
  await withServed(shell, `${exec} openapi-switchyard sandbox --port 0 --fault ${fault.id}`, (faulty) =>
    shell.run(`${exec} openapi-switchyard conform --router-url ${faulty} --rule ${rules}`, {
      env,
      code: [1],
      shows: fault.rule,
    }),
  );
  return 'installed, set up, generated, compiled and ran; conform passed a healthy server and failed a faulty one';
}

async function withServed<T>(shell: Shell, line: string, use: (address: string) => Promise<T>): Promise<T> {
  const { url, close } = await serveInShell(shell, line);
  try {
    return await use(url);
  } finally {
    await close();
  }
}

/** Lists the commands that `init` prints, without the variable for the credential, which is in the environment. */
function nextSteps(printed: string): string[] {
  const steps = [...printed.matchAll(/^ {2}\d+\. (?:SWITCHYARD_API_KEY=… )?(.+)$/gm)].map(([, line = '']) => line);
  if (steps.length < 2) throw new Error(`init printed no next steps: ${printed}`);
  return steps.filter((line) => !line.startsWith('git add'));
}

/** Throws if a package manager printed that a package does not suit the project. */
export function expectNoComplaint(output: string): void {
  const [line] = complaints.exec(output) ?? [];
  if (line !== undefined) throw new Error(`the package manager complains: ${line}`);
}
