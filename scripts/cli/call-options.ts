import { UsageError } from './errors.ts';

export type OptionKind = { readonly takes: string; readonly is: (value: unknown) => boolean };

const text: OptionKind = { takes: 'a string', is: (value: unknown) => typeof value === 'string' };
const texts: OptionKind = {
  takes: 'an array of strings',
  is: (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
};
const flag: OptionKind = { takes: 'true or false', is: (value: unknown) => typeof value === 'boolean' };
const count: OptionKind = { takes: 'a number', is: (value: unknown) => typeof value === 'number' };

/** The options of `generate` as a call, and of the bundler plugin: callers without types would otherwise mistype one unnoticed. */
export const generateOptions = {
  ...{ folder: text, apiKey: text, token: text, config: text, brand: text, queueStatuses: text, overlay: texts },
  ...{ routerUrl: text, allowHttp: flag, out: text, cache: text, scope: text, layout: text, packageVersion: text },
  ...{ only: texts, concurrency: count, check: flag, frozen: flag, offline: flag, strict: flag, allowEmpty: flag },
  ...{ outputValidators: flag, typesOnly: flag },
};
export const diffOptions = { ...generateOptions, base: text };

/** Throws UsageError for an option that does not exist, or has a value of another type. */
export function checkOptions(options: object, known: Readonly<Record<string, OptionKind>>): void {
  for (const [name, value] of Object.entries(options)) {
    const kind = Object.hasOwn(known, name) ? known[name] : undefined;
    if (kind === undefined)
      throw new UsageError(`there is no option ${JSON.stringify(name)}; options are ${Object.keys(known).join(', ')}`);
    if (value !== undefined && !kind.is(value)) throw new UsageError(`the option ${name} takes ${kind.takes}`);
  }
}
