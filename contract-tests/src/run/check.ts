import type { Brand, EffectiveSpecs } from '../../../specs/src/index.ts';
import type { ProbeContext } from '../contract/context.ts';
import type { Discovery } from '../contract/discovery.ts';
import type { Evidence, Exchange, Ports } from '../contract/probe.ts';
import type { RuleOutcome } from '../contract/rule.ts';
import type { Target } from '../contract/target.ts';
import type { Capability } from '../requires.ts';
import type { RunBudget, RunRecord } from '../wire/budget.ts';
import type { ExchangeLog } from '../wire/recording.ts';
import type { Wire } from '../wire/wire.ts';
import type { Substitute } from './substitutes.ts';

/** Declared deadlines in milliseconds; nothing in a check waits longer. */
export type Deadlines = {
  readonly requestMs: number;
  /** Timeout of a call that may start a run of a live target, which may hold the response (MR-LIM-01). */
  readonly heldMs: number;
  readonly ruleMs: number;
  readonly runMs: number;
};

/** The models of the catalog that each rule on single models is applied to: all, those of a glob, or this number, evenly spread. */
export type ModelChoice = 'all' | number | string;

export type ConformanceInput = {
  readonly target: Target;
  readonly specs: EffectiveSpecs;
  /** Globs over rule ids; what a chosen rule needs comes along. Default: all. */
  readonly rules?: readonly string[];
  /** Addresses of modules that export further rules, those of the owner, as `rules`. */
  readonly ownRules?: readonly string[];
  readonly limits?: Partial<Deadlines>;
  /** The exchanges that the results hold; default: those of rules that failed. */
  readonly evidence?: 'none' | 'all';
  /** The most requests per second; default: no limit. */
  readonly maxRps?: number;
  /** Sends what discovery needs and nothing else; the report holds the calls that could start a run. */
  readonly planOnly?: true;
  /** Models to apply the per-model rules to: all, a number of models, or a pattern for ids. Default: a sample. */
  readonly models?: ModelChoice;
  /** Draws the values that scenarios choose, and the order of independent scenarios. */
  readonly seed?: number;
  /** Exchanges that took place already: nothing is sent, and only rules over the whole check have something to read. */
  readonly recorded?: Evidence;
};

export const defaultLimits: Deadlines = { requestMs: 10_000, heldMs: 600_000, ruleMs: 60_000, runMs: 600_000 };

export type Check = {
  readonly target: Target;
  readonly specs: EffectiveSpecs;
  readonly discovery: Discovery;
  readonly ports: Ports;
  readonly limits: Deadlines;
  /** On the ports' clock; a rule that starts later is `setup-failed`. */
  readonly endsAtMs: number;
  readonly record: Recorder;
  readonly log: ExchangeLog;
  readonly runs: RunBudget | undefined;
  readonly wire: Wire;
  readonly context: ProbeContext;
  readonly substitutes?: () => Substitute;
  /** The exchanges took place before the check, which sends nothing. */
  readonly isRecorded: boolean;
};

export type Reachability = { readonly kind: 'reachable' } | { readonly kind: 'unreachable'; readonly because: string };

export type Found = {
  readonly reachability: Reachability;
  readonly discovery: Discovery;
  /** Those that the target declares, and what its test hooks offer. */
  readonly capabilities: readonly Capability[];
  /** The brand of the router, if it isn't that of the specifications. */
  readonly otherBrand: Brand | undefined;
  readonly plan?: readonly RunRecord[];
};

/** Writes the record of a check. */
export type Recorder = {
  /** Returns the reason why a rule, or the answer to a request of discovery, is left out; undefined when it is not. `at`: the id, or the path. */
  findSkipReason(at: string): string | undefined;
  /** Data of the target is processed next: that hangs when it never ends. */
  addStart(at: string): void;
  addDiscovery(found: Found): void;
  /** A request that could start a run: before it is sent, and again when its response came. */
  addRun(index: number, record: RunRecord): void;
  addExchange(exchange: Exchange): void;
  /** A further outcome of a rule, on other models, is added to the earlier one. */
  addDecision(outcome: RuleOutcome): void;
  /** The end of the check; `lost`: why the target was given up. */
  addStop(nowMs: number, lost: string | undefined): void;
};
