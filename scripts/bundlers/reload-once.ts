import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findAbove } from '../cli/find-above.ts';

/** What Vite passes to `hotUpdate`, and what `this` is there. */
type Update = { readonly file: string; readonly modules: readonly unknown[] };
type Context = { readonly environment: { readonly hot: { send(payload: { type: 'full-reload' }): void } } };

/** A generation writes its files within milliseconds, and a watcher reports them one after the other. */
const quietMs = 300;

/** The hook `hotUpdate` of Vite: one reload for all files of a generation, where Vite would reload for each. */
export function reloadOnce(): (this: Context, update: Update) => [] | undefined {
  const timers = new Map<Context['environment'], NodeJS.Timeout>();
  return function (this: Context, { file, modules }) {
    if (modules.length === 0 || !isGenerated(file)) return undefined;
    const { environment } = this;
    clearTimeout(timers.get(environment));
    timers.set(
      environment,
      setTimeout(() => environment.hot.send({ type: 'full-reload' }), quietMs),
    );
    return [];
  };
}

/** Whether a folder above the file holds the lockfile of a generation: the configuration may name another one by now. */
function isGenerated(file: string): boolean {
  return findAbove(dirname(file), (folder) => existsSync(join(folder, 'switchyard.lock.json'))) !== undefined;
}
