import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileSchema, type JsonObject } from '../../specs/src/index.ts';
import { UsageError } from './command-error.ts';
import type { SwitchyardConfig } from './config.ts';

export type LoadedConfig = { readonly config: SwitchyardConfig; readonly folder: string };

const text = { type: 'string', minLength: 1 };
const packageName = { ...text, maxLength: 214, pattern: '^(@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*$' };
const texts = { type: 'array', items: text };
const closed = (properties: JsonObject): JsonObject => ({ type: 'object', properties, additionalProperties: false });
const shape = closed({
  brand: text,
  queueStatuses: { ...texts, minItems: 2, maxItems: 2 },
  overlays: texts,
  routerUrl: text,
  workflowUrl: text,
  generate: closed({
    out: text,
    cache: text,
    scope: text,
    packages: closed({ modelRouter: packageName, workflowExecution: packageName, models: packageName }),
    only: texts,
    concurrency: { type: 'integer', minimum: 1 },
    allowEmpty: { type: 'boolean' },
    outputValidators: { type: 'boolean' },
    typesOnly: { type: 'boolean' },
    strict: { type: 'boolean' },
  }),
  conform: closed({ out: text, rules: texts, jobs: closed({ save: text, api: text, foreign: text, expired: text }) }),
});

/** Reads the named configuration file, or `switchyard.config.ts|mts|js|mjs` of the folder when there is one. */
export async function loadConfig(folder: string, named: string | undefined): Promise<LoadedConfig> {
  const file = named === undefined ? defaultFile(folder) : resolve(folder, named);
  if (file === undefined) return { config: {}, folder };
  if (!existsSync(file)) throw new UsageError(`configuration file ${file} does not exist`);
  const loaded = await importDefault(file);
  const [violation] = compileSchema(shape)(loaded);
  if (violation !== undefined) {
    throw new UsageError(
      `${file}: ${violation.pointer || 'the configuration'} ${violation.message} ${describeParams(violation.params)}`.trimEnd(),
    );
  }
  // The schema above states the type.
  return { config: loaded as SwitchyardConfig, folder: dirname(file) };
}

function defaultFile(folder: string): string | undefined {
  return ['ts', 'mts', 'js', 'mjs']
    .map((ending) => join(folder, `switchyard.config.${ending}`))
    .find((file) => existsSync(file));
}

async function importDefault(file: string): Promise<unknown> {
  try {
    const module: { default?: unknown } = await import(pathToFileURL(file).href);
    return module.default;
  } catch (error) {
    throw new UsageError(`${file} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

function describeParams(params: JsonObject): string {
  return 'additionalProperty' in params ? `(${String(params['additionalProperty'])})` : '';
}
