import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../specs/src/index.ts';

/** Runs a JavaScript tool of an installed package; its output is shown only when it fails. */
export function runTool(
  tool: { packageName: string; file: string },
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<boolean> {
  const file = join(packageRoot(), 'node_modules', tool.packageName, tool.file);
  return new Promise((done) => {
    let output = '';
    const child = spawn(process.execPath, [file, ...args], {
      cwd: packageRoot(),
      env: { ...process.env, NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.on('close', (code) => {
      if (code !== 0) process.stdout.write(output);
      done(code === 0);
    });
  });
}
