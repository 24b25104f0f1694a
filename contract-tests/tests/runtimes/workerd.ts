import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { sandboxCredentials } from '../../../sandbox/src/index.ts';
import type { InstalledPackages } from '../packed/install-packages.ts';
import type { Runtime } from './runtimes.ts';

/** A runtime for workers. It has neither Node's modules nor files, so it runs a special program instead of the recipes. */
export const workerd: Runtime = {
  name: 'workerd',
  package: 'workerd@1.20261117.1',
  executable: '@cloudflare/*/bin/workerd',
  args: [],
  isOptional: true,
};

const program = `
import { createModelRouter, safe } from '@acme/model-router';
import { subscribe } from '@acme/model-router/queue';
import { model } from '@acme/models/image-provider/still-2.1';

export default {
  async fetch(request, { baseUrl, apiKey }) {
    const router = createModelRouter({ baseUrl, apiKey });
    const input = { prompt: 'a harbour' };
    const ran = await router.run(model, input);
    const rejected = await safe(router.run(model, { prompt: 7 }));
    const queued = await subscribe(router, model, input);
    return Response.json([ran.data.images.length > 0, rejected.error.kind, queued.mediaType]);
  },
};`;

/** Serves the program as a worker; resolves to the body of its response. */
export async function runWorker(executable: string, { project, url }: InstalledPackages): Promise<string> {
  const folder = join(project, 'worker');
  mkdirSync(folder, { recursive: true });
  const stdin = { contents: program, resolveDir: project };
  const outfile = join(folder, 'worker.js');
  await build({ stdin, outfile, bundle: true, platform: 'browser', format: 'esm', logLevel: 'warning' });
  writeFileSync(join(folder, 'config.capnp'), configFor({ baseUrl: url, apiKey: sandboxCredentials.router.main }));
  const serve = ['serve', 'config.capnp', '--control-fd=3', '--socket-addr=http=127.0.0.1:0'];
  const child = spawn(executable, serve, {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    timeout: 60_000,
  });
  try {
    const control = child.stdio[3];
    if (control === undefined || control === null) throw new Error('workerd was started without its control pipe');
    const [line] = await Promise.race([once(control, 'data'), once(child, 'exit')]);
    const { port }: { port: number } = JSON.parse(String(line));
    return await (await fetch(`http://127.0.0.1:${port}/`)).text();
  } finally {
    child.kill();
  }
}

function configFor(values: Readonly<Record<string, string>>): string {
  const bindings = Object.entries(values).map(([name, text]) => `(name = "${name}", text = ${JSON.stringify(text)})`);
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker", esModule = embed "worker.js")],
      compatibilityDate = "2026-01-01",
      bindings = [${bindings.join(', ')}],
      globalOutbound = "sandbox",
    )),
    (name = "sandbox", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;
}
