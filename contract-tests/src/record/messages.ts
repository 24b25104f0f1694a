import type { Brand } from '../../../specs/src/index.ts';
import type { ConformanceInput } from '../conform.ts';
import type { Rule } from '../contract/rule.ts';
import type { ConformanceReport, RuleResult } from '../report/report.ts';
import type { Fact, Work } from '../run/journal.ts';

/** A module that holds the rules of a run. */
export type RulesModule = { readonly allRules: readonly Rule[] };

/** What a process starts from; plain data. `rules` is the address of a `RulesModule`. */
export type Assignment = {
  readonly rules: string;
  readonly input: ConformanceInput;
  readonly earlier: readonly Fact[];
  /** The file that names each call that may be billed, before it is sent. */
  readonly notes?: string;
  /** The run is over: what an ended process has left in the queue is cancelled, and nothing else is done. */
  readonly isOver?: true;
};

/** What the process says meanwhile. It is silent only while its thread computes. */
export type Message =
  | { readonly kind: 'alive' }
  | { readonly kind: 'starts-on'; readonly work: Work }
  | { readonly kind: 'fact'; readonly fact: Fact }
  | { readonly kind: 'result'; readonly result: RuleResult }
  /** The report without its results: first when the target is known, again when the run has ended. */
  | { readonly kind: 'head'; readonly head: ConformanceReport }
  | { readonly kind: 'ended' }
  /** The engine refused the assignment; `isInput`: for what the caller named. */
  | { readonly kind: 'refused'; readonly because: string; readonly isInput: boolean }
  /** Its thread broke. */
  | { readonly kind: 'broke'; readonly because: string }
  /** The target uses this brand, and the assignment another one. */
  | { readonly kind: 'other-brand'; readonly brand: Brand };
