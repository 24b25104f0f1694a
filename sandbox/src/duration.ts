import { SandboxError } from './errors.ts';

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

const longestMs = 36_525 * unitMs.d; // a hundred years

/**
 * Whole milliseconds, from a number or from one with a unit: `500ms`, `90s`, `15m`, `25h`, `2d`. Throws SandboxError for anything
 * else, and for more than a hundred years.
 */
export function parseDuration(duration: string | number): number {
  const ms = millisecondsOf(duration);
  if (ms > longestMs) throw new SandboxError(`${JSON.stringify(duration)} is longer than a hundred years`);
  return Math.round(ms);
}

function millisecondsOf(duration: string | number): number {
  if (typeof duration === 'number' && Number.isFinite(duration) && duration >= 0) return duration;
  const match = typeof duration === 'string' ? /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(duration.trim()) : null;
  if (match === null) {
    throw new SandboxError(
      `${JSON.stringify(duration)} is no duration; write 500ms, 90s, 15m, 25h, 2d or milliseconds`,
    );
  }
  // The expression admits these units alone.
  return Number(match[1]) * unitMs[match[2] as keyof typeof unitMs];
}
