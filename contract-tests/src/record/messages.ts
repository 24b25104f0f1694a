import type { Brand } from '../../../specs/src/index.ts';
import type { ConformanceInput } from '../conform.ts';
import type { Rule } from '../contract/rule.ts';
import type { Queued } from '../run/cancel-queued.ts';
import type { Entry, Stopped } from './record.ts';

/** A module that holds the rules of a check. */
export type RulesModule = { readonly allRules: readonly Rule[] };

/** What a process starts from; plain data. `rules` is the address of a `RulesModule`. */
export type Assignment = {
  readonly rules: string;
  readonly input: ConformanceInput;
  readonly startedAtMs: number;
  /** What earlier processes of the check hung at. */
  readonly leftOut: readonly Stopped[];
  /** The file that names each call that may be billed, before it is sent. */
  readonly notes?: string;
  /** The check is over: this is cancelled, and nothing else is done. */
  readonly queued?: readonly Queued[];
};

/** What the process says meanwhile. It is silent only while its thread computes. */
export type Message =
  | { readonly kind: 'alive' }
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'ended' }
  /** The engine refused the assignment; `isInput`: for what the caller named. */
  | { readonly kind: 'refused'; readonly because: string; readonly isInput: boolean }
  /** Its thread broke. */
  | { readonly kind: 'broke'; readonly because: string }
  /** The target uses this brand, and the assignment another one. */
  | { readonly kind: 'other-brand'; readonly brand: Brand };
