import type { NoResponse, WireRequest, WireResponse } from './probe.ts';

/** One request out, the raw answer back; never throws for what a target does, never waits past the deadline. */
export type Exchanger = (request: WireRequest, deadlineMs: number) => Promise<WireResponse | NoResponse>;

/** Milliseconds; a proof hands in one that moves the sandbox's own clock. */
export type Clock = { now(): number; sleep(ms: number): Promise<void> };

/** Moves a target's own clock on, where whoever runs the target lets it be moved. */
export type TargetTime = {
  isMovable(): Promise<boolean>;
  pass(ms: number): Promise<void>;
  /** Whether it goes on only when somebody moves it; absent where every wait of a run does. */
  standsStill?(): Promise<boolean>;
};

export type Ports = { readonly exchange: Exchanger; readonly clock: Clock; readonly time?: TargetTime };
