import type { Clock, Ports } from './ports.ts';

/** Default deadline of a run: a fixed time for the catalog plus a time for each model, in milliseconds. */
const defaultDeadline = { baseMs: 10 * 60_000, modelMs: 50 };

/** Returns true once the deadline has passed. Comparisons then report the remaining models as not compared. */
export type IsOver = () => boolean;

/** The deadline of a run of the generator. */
export type Deadline = {
  /** Extends the default deadline according to the number of selected models. */
  extendForModels(count: number): void;
  readonly isOver: IsOver;
  /** Returns ports whose requests and waits end at the deadline. */
  bound(ports: Ports): Ports;
};

/** Starts the deadline of a run: `durationMs`, or else ten minutes plus 50 ms for each model. */
export function openDeadline(durationMs: number | undefined, clock: Clock): Deadline {
  const began = clock.now();
  let models = 0;
  const leftMs = (): number =>
    began + (durationMs ?? defaultDeadline.baseMs + models * defaultDeadline.modelMs) - clock.now();
  return {
    extendForModels: (count) => {
      models = count;
    },
    isOver: () => leftMs() <= 0,
    bound: ({ http, clock, ...others }) => ({
      ...others,
      async http(request) {
        const deadlineMs = Math.min(request.deadlineMs, leftMs());
        if (deadlineMs > 0) return http({ ...request, deadlineMs });
        return { kind: 'no-response', because: 'deadline', detail: 'the deadline of the run has passed' };
      },
      clock: { ...clock, sleep: (ms) => clock.sleep(Math.max(0, Math.min(ms, leftMs()))) },
    }),
  };
}
