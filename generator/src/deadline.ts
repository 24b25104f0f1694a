import type { Clock, Ports } from './ports.ts';

/** Default deadline of a generation: a fixed part for the catalog and a slow start, and a part for each model. */
const usual = { baseMs: 10 * 60_000, modelMs: 50 };

/** True once the time has passed. A comparison reports what it has not compared by then as uncompared. */
export type IsOver = () => boolean;
export type Deadline = ReturnType<typeof openDeadline>;

/** The end of a generation: after the given time, else after ten minutes and what the size of the catalog needs. */
export function openDeadline(givenMs: number | undefined, clock: Clock) {
  const began = clock.now();
  let models = 0;
  const leftMs = (): number => began + (givenMs ?? usual.baseMs + models * usual.modelMs) - clock.now();
  return {
    selects: (count: number): void => {
      models = count;
    },
    isOver: (): boolean => leftMs() <= 0,
    /** Ports that wait for nothing beyond it. */
    bound: ({ http, clock, ...others }: Ports): Ports => ({
      ...others,
      async http(request) {
        const deadlineMs = Math.min(request.deadlineMs, leftMs());
        if (deadlineMs > 0) return http({ ...request, deadlineMs });
        return { kind: 'no-response', because: 'deadline', detail: 'the deadline of the generation has passed' };
      },
      clock: { ...clock, sleep: (ms) => clock.sleep(Math.max(0, Math.min(ms, leftMs()))) },
    }),
  };
}
