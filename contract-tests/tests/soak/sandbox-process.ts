import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A sandbox in a process of its own, which can be killed and started again on the same port and file. */
export type SandboxProcess = { url: string; kill(): Promise<void>; restart(): Promise<void> };

export async function startSandboxProcess(db: string): Promise<SandboxProcess> {
  let { child, url } = await spawn('0', db);
  const port = new URL(url).port;
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL'); // no handler runs: whatever was not on disk is lost
    await gone;
  };
  return {
    url,
    kill,
    restart: async () => {
      await kill();
      ({ child, url } = await spawn(port, db));
    },
  };
}

async function spawn(port: string, db: string): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(fileURLToPath(new URL('sandbox-child.ts', import.meta.url)), [port, db], { execArgv: [] });
  const first = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('the sandbox did not start'))),
  ]);
  const message: unknown = first[0];
  if (typeof message !== 'object' || message === null || !('url' in message))
    throw new Error('the sandbox sent no address');
  return { child, url: String(message.url) };
}
