import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A sandbox in a separate process, which can be killed and restarted with the same port and file. */
export type SandboxProcess = { readonly url: string; kill(): Promise<void>; restart(): Promise<void> };

export async function startSandboxProcess(db: string): Promise<SandboxProcess> {
  let { child, url } = await start('0', db);
  const { port } = new URL(url);
  const kill = async (): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL'); // No handler runs, so data that is not on disk is lost.
    await ended;
  };
  return {
    url,
    kill,
    restart: async () => {
      await kill();
      ({ child, url } = await start(port, db));
    },
  };
}

async function start(port: string, db: string): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(join(import.meta.dirname, 'sandbox-child.ts'), [port, db], { execArgv: [] });
  const [url] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('the sandbox did not start'))),
  ]);
  return { child, url: String(url) };
}
