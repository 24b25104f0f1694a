import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { UsageError } from './errors.ts';

/** When a configuration file was last written at its first import, by path. */
const firstImported = new Map<string, number>();

/** A module is kept by its address, so a file that has changed since gets another one. */
function addressOf(file: string): string {
  const { mtimeMs } = statSync(file);
  const first = firstImported.get(file) ?? mtimeMs;
  firstImported.set(file, first);
  return `${pathToFileURL(file).href}${first === mtimeMs ? '' : `?${mtimeMs}`}`;
}

/** What a configuration file exports by default. Throws UsageError, with what to do about it, when it cannot be loaded. */
export async function importDefault(file: string): Promise<unknown> {
  try {
    const module: { default?: unknown } = await import(addressOf(file));
    return module.default;
  } catch (error) {
    const because = error instanceof Error ? error.message : String(error);
    const [, help] = loadHelp.find(([pattern]) => pattern.test(because)) ?? [];
    throw new UsageError(`${file} cannot be loaded: ${because}${help === undefined ? '' : `: ${help}`}`, {
      cause: error,
    });
  }
}

const loadHelp: readonly (readonly [RegExp, string])[] = [
  // As with npx, which installs elsewhere.
  [/find package 'openapi-switchyard'/, 'install it there as well, or import only the type SwitchyardConfig'],
  // The nearest package.json says CommonJS, as that of a new package does.
  [
    /outside a module|Unexpected token 'export'/,
    'end its name with .mts or .mjs, or set "type": "module" in package.json',
  ],
];
