import { type ChildProcess, spawn } from 'node:child_process';

export type Child = { /** Its first line of output. */ said: string; process: ChildProcess; stop(): Promise<void> };

/** Starts a script of the bench and waits for the line that reports it ready. */
export function startChild(script: string, args: readonly string[]): Promise<Child> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const stop = (): Promise<void> =>
    new Promise((done) => {
      if (child.exitCode !== null) done();
      child.once('exit', () => done());
      child.kill();
    });
  return new Promise((done, fail) => {
    let text = '';
    child.once('error', fail);
    child.once('exit', (code) => fail(new Error(`${script} ended with ${code} before it was ready`)));
    child.stdout.on('data', (part: Buffer) => {
      text += part;
      const [line, rest] = text.split('\n', 2);
      if (line !== undefined && rest !== undefined) done({ said: line, process: child, stop });
    });
  });
}
