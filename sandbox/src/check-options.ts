import { isModelId } from './catalog-folder.ts';
import { refuseUnknown, SandboxError } from './errors.ts';
import type { SandboxOptions } from './options.ts';

type Check = { holds(value: unknown): boolean; what: string };

const checks: { readonly [Name in keyof SandboxOptions]-?: Check } = {
  specs: { holds: (value) => hasMember(value, 'settings', isObject), what: 'what buildEffectiveSpecs gives' },
  catalog: { holds: isCatalog, what: 'a list of models with id, billing and bytes, each id once' },
  clock: { holds: isClock, what: 'real, manual or a clock with now and sleep' },
  seed: { holds: (value) => Number.isSafeInteger(value), what: 'a whole number' },
  faults: { holds: isListOfTexts, what: 'a list of ids' },
  variants: { holds: isListOfTexts, what: 'a list of ids' },
  workflowAuth: oneOf('required', 'accounts', 'none', 'static', 'optional'),
  workflowToken: { holds: isText, what: 'a text' },
  assetFamilies: { holds: (value) => Array.isArray(value) && value.every(isObject), what: 'a list of families' },
  db: { holds: isText, what: 'the path of a file' },
  timings: { holds: isObject, what: 'an object' },
  limits: { holds: isObject, what: 'an object' },
  statusOfFailed: oneOf('completed', 'gone'),
  bodyLimitBytes: {
    holds: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
    what: 'a whole number from 0 up',
  },
  adminRoutes: { holds: (value) => typeof value === 'boolean', what: 'true or false' },
  log: oneOf('off', 'text', 'json'),
  writeLog: { holds: isFunction, what: 'a function' },
};

/** Throws SandboxError for a mistyped option, which would otherwise be ignored; TypeScript users hear it from the compiler. */
export function checkOptions(options: SandboxOptions): void {
  if (!isObject(options)) throw new SandboxError('the options must be an object with specs');
  refuseUnknown(options, Object.keys(checks));
  for (const [name, { holds, what }] of Object.entries(checks)) {
    const value: unknown = Reflect.get(options, name);
    if (value === undefined && name !== 'specs') continue;
    if (!holds(value)) throw new SandboxError(`the option ${name} must be ${what}`);
  }
}

function oneOf(...words: string[]): Check {
  return { holds: (value) => typeof value === 'string' && words.includes(value), what: words.join(', ') };
}

function isCatalog(value: unknown): boolean {
  if (!Array.isArray(value) || !value.every(isModel)) return false;
  return new Set(value.map((model) => Reflect.get(model, 'id'))).size === value.length;
}

function isModel(value: unknown): boolean {
  return (
    hasMember(value, 'id', (id) => typeof id === 'string' && isModelId(id)) &&
    hasMember(value, 'billing', (billing) => typeof billing === 'string') &&
    hasMember(value, 'bytes', (bytes) => bytes instanceof Uint8Array)
  );
}

function isClock(value: unknown): boolean {
  return (
    value === 'real' ||
    value === 'manual' ||
    (hasMember(value, 'now', isFunction) && hasMember(value, 'sleep', isFunction))
  );
}

function hasMember(value: unknown, name: string, holds: Check['holds']): boolean {
  return isObject(value) && holds(Reflect.get(value, name));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}
