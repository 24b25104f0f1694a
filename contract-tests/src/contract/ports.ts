import type { Hooks } from './hooks.ts';
import type { NoResponse, WireRequest, WireResponse } from './probe.ts';

/** Sends one request and returns the raw response. Never throws for what a target does, never waits past the deadline. */
export type Exchanger = (request: WireRequest, deadlineMs: number) => Promise<WireResponse | NoResponse>;

/** Milliseconds. In process a wait moves the sandbox's own clock instead of taking time. */
export type Clock = { now(): number; sleep(ms: number): Promise<void> };

export type Ports = {
  readonly exchange: Exchanger;
  readonly clock: Clock;
  /** Of a target that names its test hooks. */
  readonly hooks?: Hooks;
  /** Probes that run side by side; default 1, in the order of the plan. */
  readonly concurrency?: number;
};
