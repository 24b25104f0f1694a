import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { isJsonObject } from '../../specs/src/index.ts';

export type SandboxChild = {
  url: string;
  /** From the start of the process until it listened. */
  readyMs: number;
  /** What the process holds now. */
  /** Resident in the process, and what its heap holds: with `--expose-gc`, once garbage is collected. */
  memoryMb(): Promise<{ resident: number; held: number }>;
  stop(): Promise<void>;
};
export type SandboxSettings = { product: string; catalog?: string; options?: object; execArgv?: string[] };

/** The sandbox in a process of its own, so that the client's work does not count as its. */
export async function startSandbox({
  product,
  catalog = '',
  options = {},
  execArgv = [],
}: SandboxSettings): Promise<SandboxChild> {
  const start = performance.now();
  const args = [product, catalog, JSON.stringify(options)];
  const child = fork(join(import.meta.dirname, 'serve-sandbox.mjs'), args, { execArgv });
  const { url } = await messageFrom(child);
  return {
    url: String(url),
    readyMs: performance.now() - start,
    async memoryMb() {
      child.send('memory');
      const { residentMb, heldMb } = await messageFrom(child);
      return { resident: Number(residentMb), held: Number(heldMb) };
    },
    async stop() {
      const ended = new Promise((done) => child.once('exit', done));
      child.kill();
      await ended;
    },
  };
}

function messageFrom(child: ChildProcess): Promise<Record<string, unknown>> {
  return new Promise((done, fail) => {
    const ended = (code: number | null): void => fail(new Error(`the sandbox ended with ${code}`));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      done(isJsonObject(message) ? message : {});
    });
  });
}
