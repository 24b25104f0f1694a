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
import { fileSettings, type Setting, setting } from './cli/settings.ts';
import { choice, data, globs, omitUndefined } from './cli/values.ts';

export { type ConformanceReport, exitCodeOf, type FetchHandler, type ListedRule, reasonOf };

export type TargetOptions = Omit<Target, 'kind'> & {
  /** The server itself, called without a socket: `(request: Request) => Response`. Without it the addresses are called. */
  readonly fetch?: FetchHandler;
  /**
   * `free`: a run costs nothing, every rule that applies is checked, and a rule that cannot be makes the check incomplete.
   * `billed`, the default: as for a live target, nothing is sent that could start a run unless a budget allows it.
   */
  readonly runs?: 'free' | 'billed';
  /** The word in header names and extension keys; default `Service`. */
  readonly brand?: string;
  /** The two queue statuses other than COMPLETED. */
  readonly queueStatuses?: readonly [waiting: string, running: string];
};

const { brand, queueStatuses, 'conform.readings': readings } = fileSettings;
// Their types describe these options.
const described = setting(data, '');
const targetSettings: Readonly<Record<Exclude<keyof TargetOptions, 'fetch'>, Setting>> = {
  ...{ router: described, workflow: described, headers: described, tls: described, hooks: described },
  ...{ stated: described, budget: described, capabilities: described, secrets: described, redact: described },
  ...{ runs: setting(choice('free', 'billed'), ''), brand, queueStatuses, readings, variables: described },
};
const conformSettings: Readonly<Record<keyof ConformOptions, Setting>> = {
  rules: setting(globs, ''),
  limits: described,
};

/** A target with the specifications that it is checked by. */
export type OpenTarget = {
  readonly target: Target;
  readonly specs: EffectiveSpecs;
  readonly fetch: FetchHandler | undefined;
};

export type ConformOptions = {
  /** Globs over rule ids; what a chosen rule needs comes along. Default: all. */
  readonly rules?: readonly string[];
  /** Deadlines in milliseconds; by default 10 s for a response, 60 s for a rule and 10 min for a check. */
  readonly limits?: { readonly requestMs?: number; readonly ruleMs?: number; readonly runMs?: number };
};

/** Every rule, in the order of the families. */
export const rules: readonly ListedRule[] = listRules();

/** Prepares a target; sends nothing. Throws `SpecError` for a brand or status that cannot be one, `UsageError` for an unknown option. */
export async function openTarget(options: TargetOptions): Promise<OpenTarget> {
  const { fetch, ...stated } = options;
  checkOptions('openTarget()', stated, targetSettings);
  const { runs = 'billed', brand, queueStatuses, ...target } = stated;
  const specs = buildEffectiveSpecs(omitUndefined({ brand, queueStatuses }));
  return { target: { ...target, kind: runs === 'free' ? 'sandbox' : 'live' }, specs, fetch };
}

/**
 * Checks a target by the rules, in this process: unlike the command it cannot end a computation that a hostile response
 * causes. The report holds no credential of the target.
 */
export async function conform(
  { target, specs, fetch }: OpenTarget,
  options: ConformOptions = {},
): Promise<ConformanceReport> {
  checkOptions('conform()', options, conformSettings);
  const ports = fetch === undefined ? httpPorts(target) : fetchPorts(target, fetch);
  return runConformance({ target, specs, ...options }, ports);
}
