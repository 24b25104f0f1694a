import type { EffectiveSpecs } from '../../../specs/src/index.ts';
import { createContext, type TargetContext } from '../contract/context.ts';
import type { Discovery } from '../contract/discovery.ts';
import type { Evidence, Exchange } from '../contract/exchange.ts';
import type { RuleOutcome } from '../contract/rule.ts';
import type { Target } from '../contract/target.ts';
import type { Values } from '../contract/values.ts';
import type { Capability } from '../requires.ts';
import type { RunRecord } from '../wire/call.ts';
import type { Sender } from '../wire/send.ts';

/** Time limits in milliseconds, which bound every wait of a check. */
export type Deadlines = {
  readonly requestMs: number;
  /** Timeout of a call that may start a run on a live target, which may delay the response (MR-LIM-01). */
  readonly heldMs: number;
  readonly ruleMs: number;
  readonly runMs: number;
};

/** Catalog models to apply the per-model rules to: all, the matches of a glob, or this number, evenly spread. */
export type ModelChoice = 'all' | number | string;

export type ConformanceInput = {
  readonly target: Target;
  readonly specs: EffectiveSpecs;
  /** Globs over rule ids. Rules that a selected rule needs are added. Default: all. */
  readonly rules?: readonly string[];
  /** URLs of modules that export custom rules as `rules`. */
  readonly ownRules?: readonly string[];
  readonly limits?: Partial<Deadlines>;
  /** Exchanges to include in the results. Default: the exchanges of failed rules. */
  readonly evidence?: 'none' | 'all';
  /** Maximum number of requests per second. Default: no limit. */
  readonly maxRps?: number;
  /** Only sends discovery requests; the report then lists the calls that could start a run. */
  readonly planOnly?: true;
  /** Models to apply the per-model rules to. Default: a sample. */
  readonly models?: ModelChoice;
  /** Seed for the values that scenarios choose and for the order of independent scenarios. */
  readonly seed?: number;
  /** Recorded exchanges: sends nothing, and only applies passive rules. */
  readonly recorded?: Evidence;
};

export const defaultLimits: Deadlines = { requestMs: 10_000, heldMs: 600_000, ruleMs: 60_000, runMs: 600_000 };

type CheckParts = Omit<Sender, 'sharedRuns'> & {
  readonly specs: EffectiveSpecs;
  readonly discovery: Discovery;
  readonly limits: Deadlines;
  readonly record: Recorder;
  readonly values: Values;
  /** True if the check only reads exchanges that were recorded earlier, and sends nothing. */
  readonly isRecorded: boolean;
};

/** Everything that the calls and rules of a check share. */
export type Check = CheckParts & Sender & { readonly context: TargetContext };

export function buildCheck(parts: CheckParts): Check {
  const { target, specs, discovery, values } = parts;
  return { ...parts, sharedRuns: new Map(), context: createContext(target, specs, discovery, values) };
}

export type Reachability = { readonly kind: 'reachable' } | { readonly kind: 'unreachable'; readonly because: string };

export type DiscoveryResult = {
  readonly reachability: Reachability;
  readonly discovery: Discovery;
  readonly capabilities: readonly Capability[];
  readonly plan?: readonly RunRecord[];
};

export type Recorder = {
  /** Returns the reason to skip a rule or a discovery response, if any. `at`: id of the rule, or path of the response. */
  findSkipReason(at: string): string | undefined;
  addStart(at: string): void;
  addDiscovery(found: DiscoveryResult): void;
  /** Records a request that could start a run: before it is sent, and again after its response. */
  addRun(index: number, record: RunRecord): void;
  addExchange(exchange: Exchange): void;
  /** Records the outcome of a rule. An outcome for other models is combined with the earlier one. */
  addDecision(outcome: RuleOutcome): void;
  /** Records the end of the check. `lost`: reason why the check stopped calling the target. */
  addStop(nowMs: number, lost: string | undefined): void;
};
