import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { isJsonObject } from '../../specs/src/index.ts';

export type SandboxChild = {
  url: string;
  /** From the start of the process until it listened. */
  readyMs: number;
  /** What the process holds now. */
  memoryMb(): Promise<number>;
  stop(): Promise<void>;
};
export type SandboxSettings = { product: string; catalog?: string; options?: object };

/** The sandbox in a process of its own, so that the client's work does not count as its. */
export async function startSandbox({ product, catalog = '', options = {} }: SandboxSettings): Promise<SandboxChild> {
  const start = performance.now();
  const child = fork(join(import.meta.dirname, 'serve-sandbox.mjs'), [product, catalog, JSON.stringify(options)]);
  const { url } = await messageFrom(child);
  return {
    url: String(url),
    readyMs: performance.now() - start,
    async memoryMb() {
      child.send('memory');
      return Number((await messageFrom(child))['rssMb']);
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
