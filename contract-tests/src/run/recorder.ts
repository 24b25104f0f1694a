import type { Brand } from '../../../specs/src/index.ts';
import type { Discovery } from '../contract/discovery.ts';
import type { Exchange } from '../contract/probe.ts';
import type { RuleId, RuleOutcome } from '../contract/rule.ts';
import type { Capability } from '../contract/target.ts';
import type { Reachability } from './reachability.ts';
import type { RunRecord } from './run-budget.ts';

/** What is computed from data of the target: it is what hangs when it never ends. */
export type Work =
  | { readonly kind: 'rule'; readonly ruleId: RuleId }
  | { readonly kind: 'answer'; readonly to: string };

/** What a check knows of its target before the first rule. */
export type Found = {
  readonly reachability: Reachability;
  readonly discovery: Discovery;
  /** Those that the target declares, and what its test hooks offer. */
  readonly capabilities: readonly Capability[];
  /** Where the router uses another one than the specifications of the check. */
  readonly otherBrand: Brand | undefined;
  /** Of a live target: the calls that its rules would make and that could start a run. */
  readonly plan?: readonly RunRecord[];
};

/** Hears everything that a check does, in order. */
export type Recorder = {
  /** Why a rule, or the answer to a request of discovery, is left out; undefined when it is not. */
  whyLeftOut(work: Work): string | undefined;
  starts(work: Work): void;
  discovers(found: Found): void;
  /** A request that could start a run: before it is sent, and again when its response came. */
  runs(index: number, record: RunRecord): void;
  exchanges(exchange: Exchange): void;
  /** A further outcome of a rule, on other models, is added to the earlier one. */
  decides(outcome: RuleOutcome): void;
};
