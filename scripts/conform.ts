// The entry point of `import … from 'openapi-switchyard/conform'`: the rules of the gate, for tests of your own.
import {
  type ConformanceReport,
  exitCodeOf,
  type FetchHandler,
  fetchPorts,
  httpPorts,
  type ListedRule,
  listRules,
  reasonOf,
  runConformance,
  type Target,
} from '../contract-tests/src/index.ts';
import { buildEffectiveSpecs, type EffectiveSpecs } from '../specs/src/index.ts';
import { checkOptions } from './cli/load-settings.ts';
import { choice, data, globs, omitUndefined, readings, type Schema, statusPair, text } from './cli/values.ts';

export { type ConformanceReport, exitCodeOf, type FetchHandler, type ListedRule, reasonOf };

export type TargetOptions = Omit<Target, 'kind'> & {
  /**
   * The server as a function, `(request: Request) => Response`, which is called without a socket. Default: call the URLs.
   */
  readonly fetch?: FetchHandler;
  /**
   * `free`: runs cost nothing, so every applicable rule is checked, and an unchecked rule makes the check incomplete.
   * `billed` (default): as for a live target, no request that could start a run is sent without a budget.
   */
  readonly runs?: 'free' | 'billed';
  /** Word in header names and extension keys. Default: `Service`. */
  readonly brand?: string;
  /** The two queue statuses other than COMPLETED. */
  readonly queueStatuses?: readonly [waiting: string, running: string];
};

/** A target, and the specifications to check it with. */
export type OpenTarget = {
  readonly target: Target;
  readonly specs: EffectiveSpecs;
  readonly fetch: FetchHandler | undefined;
};

export type ConformOptions = {
  /** Globs over rule ids. Rules that a selected rule needs are added. Default: all. */
  readonly rules?: readonly string[];
  /** Deadlines in milliseconds. Default: 10 s for a response, 60 s for a rule and 10 min for a check. */
  readonly limits?: { readonly requestMs?: number; readonly ruleMs?: number; readonly runMs?: number };
};

// `data` accepts any object or array; only TypeScript checks the contents of these options.
const targetSchemas: Readonly<Record<Exclude<keyof TargetOptions, 'fetch'>, Schema>> = {
  ...{ router: data, workflow: data, headers: data, tls: data, hooks: data, stated: data, budget: data },
  ...{ capabilities: data, secrets: data, redact: data, variables: data },
  runs: choice('free', 'billed'),
  brand: text,
  queueStatuses: statusPair,
  readings,
};

/** All rules, ordered by family. */
export const rules: readonly ListedRule[] = listRules();

/**
 * Prepares a target; sends nothing. Throws `SpecError` for an invalid brand or status, `UsageError` for an unknown
 * option.
 */
export async function openTarget(options: TargetOptions): Promise<OpenTarget> {
  const { fetch, ...stated } = options;
  checkOptions('openTarget()', stated, targetSchemas);
  const { runs = 'billed', brand, queueStatuses, ...target } = stated;
  const specs = buildEffectiveSpecs(omitUndefined({ brand, queueStatuses }));
  return { target: { ...target, kind: runs === 'free' ? 'sandbox' : 'live' }, specs, fetch };
}

/**
 * Checks a target in this process. Unlike the command, it cannot stop a computation that a hostile response causes. The
 * report contains no credential of the target. Throws `BrandMismatch` if the target uses a different `brand`.
 */
export async function conform(
  { target, specs, fetch }: OpenTarget,
  options: ConformOptions = {},
): Promise<ConformanceReport> {
  checkOptions('conform()', options, { rules: globs, limits: data });
  const ports = fetch === undefined ? httpPorts(target) : fetchPorts(target, fetch);
  return runConformance({ target, specs, ...options }, ports);
}
