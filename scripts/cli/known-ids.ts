import { UsageError } from './command-error.ts';

/** Each id must be one of the sandbox's own; a typo is wrong usage. */
export function requireKnown(what: string, ids: readonly string[], known: readonly { id: string }[]): void {
  for (const id of ids) {
    if (!known.some((entry) => entry.id === id))
      throw new UsageError(`unknown ${what} ${JSON.stringify(id)}; switchyard sandbox --list-${what}s lists them`);
  }
}
