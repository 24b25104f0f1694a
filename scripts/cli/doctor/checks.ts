import type { CommandIo } from '../io.ts';
import type { LoadedConfig } from '../load-settings.ts';
import type { Flags } from '../settings.ts';

export type Result = {
  /** `bad` keeps a command from working; `warn` may. */
  readonly status: 'ok' | 'warn' | 'bad' | 'skipped';
  readonly message: string;
  /** What to do; every result that is not `ok` has it. */
  readonly help?: string;
  /** The exit code of a result that is `bad`: 2 for what is set wrongly, 3 for a service that cannot be used. */
  readonly code?: 2 | 3;
};

/** One line of the report. What `run` throws is `failure`, by default `bad`, with `help` after the help of the error. */
export type Check = {
  readonly name: string;
  run(): Result | Promise<Result>;
  readonly help?: string;
  readonly failure?: 'warn' | 'bad';
};

/** What the checks work with. A configuration that cannot be read counts as empty. */
export type Surroundings = LoadedConfig & {
  readonly flags: Flags<'doctor'>;
  readonly io: CommandIo;
};

export const ok = (message: string): Result => ({ status: 'ok', message });
export const skipped = (message: string, help: string): Result => ({ status: 'skipped', message, help });
export const warn = (message: string, help: string): Result => ({ status: 'warn', message, help });
export const bad = (message: string, help: string, code: 2 | 3): Result => ({ status: 'bad', message, help, code });
