import type { Ports } from '../contract/exchange.ts';
import type { Target } from '../contract/target.ts';

/** Faults and variants of a system under test; both are empty for a healthy one. `seed`: seed of the system. */
export type Deviation = {
  readonly faults: readonly string[];
  readonly variants: readonly string[];
  readonly seed?: number;
};

export type SystemUnderTest = {
  readonly target: Target;
  readonly ports: Ports;
  close(): void | Promise<void>;
};
export type StartSystem = (deviation: Deviation) => SystemUnderTest | Promise<SystemUnderTest>;

export type OnProgress = (progress: { readonly done: number; readonly total: number; readonly id: string }) => void;

export function countDone(total: number, onProgress: OnProgress | undefined) {
  let done = 0;
  return async <T>(id: string, pending: Promise<T>): Promise<T> => {
    const result = await pending;
    done += 1;
    onProgress?.({ done, total, id });
    return result;
  };
}
