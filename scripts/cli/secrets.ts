import { UsageError } from './errors.ts';
import type { CommandIo } from './io.ts';

const commandMs = 10_000;
const longestSecret = 16_384;

/**
 * The secret that a setting names: `env:NAME` is an environment variable, `command:PROGRAM ARGUMENT…` what a program prints,
 * without a shell and for at most ten seconds. `setting` is its place in the configuration. Throws `UsageError` without ever
 * showing a value; undefined for a variable that is not set.
 */
export async function readSecret(source: string, setting: string, io: CommandIo): Promise<string | undefined> {
  const [, kind, rest = ''] = /^(env|command):(.+)$/s.exec(source) ?? [];
  if (kind === undefined)
    throw new UsageError(`${setting}: a secret is named by env:NAME or command:PROGRAM, and never written down`);
  const value = kind === 'env' ? io.env[rest] : await printedBy(rest, setting, io);
  if (value === undefined || value === '') return undefined;
  // A header cannot carry other characters.
  if (!/^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/.test(value) || value.length > longestSecret)
    throw new UsageError(`${setting}: the value holds characters that a header cannot carry, or too many`);
  return value;
}

/** The same for a secret that nothing works without. Throws `UsageError` also for a variable that is not set. */
export async function neededSecret(source: string, setting: string, io: CommandIo): Promise<string> {
  const value = await readSecret(source, setting, io);
  if (value !== undefined) return value;
  throw new UsageError(`${setting}: the environment variable ${source.slice('env:'.length)} is not set`);
}

async function printedBy(command: string, setting: string, io: CommandIo): Promise<string> {
  // Loaded here: `generate` reads few secrets, and seldom this kind.
  const [{ execFile }, { promisify }] = await Promise.all([import('node:child_process'), import('node:util')]);
  const [program = '', ...args] = command.trim().split(/\s+/);
  try {
    const { stdout } = await promisify(execFile)(program, args, {
      cwd: io.workingFolder,
      env: { ...io.env },
      timeout: commandMs,
      killSignal: 'SIGKILL',
      maxBuffer: longestSecret,
      windowsHide: true,
      shell: false,
    });
    if (stdout.trim() === '') throw new UsageError(`${setting}: ${program} printed nothing`);
    return stdout.trim();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    // What the program printed may be the secret, and so may its arguments: neither is repeated.
    throw new UsageError(`${setting}: ${program} ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  const { killed, code } = error instanceof Error ? (error as Error & { killed?: boolean; code?: unknown }) : {};
  if (code === 'ENOENT') return 'was not found';
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `printed more than ${longestSecret} bytes`;
  if (killed === true) return `took more than ${commandMs / 1000} s`;
  return `failed with ${typeof code === 'number' || typeof code === 'string' ? code : 'an error'}`;
}
