import type { Clock } from '../ports.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms) => new Promise((done) => setTimeout(done, ms)),
  parseInstant(httpDate) {
    const instant = Date.parse(httpDate);
    return Number.isNaN(instant) ? undefined : instant;
  },
};
