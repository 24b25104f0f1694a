import { createHash } from 'node:crypto';
import pMap from 'p-map';
import type { Freedom } from '../../../specs/src/index.ts';
import { type Alarm, countDone, findAlarms, type OnProgress, type Runs } from './self-check.ts';

export type Combination = { readonly number: number; readonly seed: number; readonly variants: readonly string[] };
export type ConformingReport = {
  readonly seed: number;
  readonly servers: readonly { readonly combination: Combination; readonly alarms: readonly Alarm[] }[];
};

type Servers = {
  readonly freedoms: readonly Freedom[];
  readonly count: number;
  readonly seed: number;
  readonly onProgress?: OnProgress;
};

/**
 * Runs all rules on `count` conforming servers. Each server uses a different random combination of the behaviours that the API
 * text leaves open.
 */
export async function checkServers(options: Servers & Runs): Promise<ConformingReport> {
  const { freedoms, count, seed, onProgress, run, concurrency } = options;
  const progress = countDone(count, onProgress);
  const combinations = Array.from({ length: count }, (_, index) => combine(freedoms, seed, index + 1));
  const servers = await pMap(
    combinations,
    async (combination) => {
      const alarms = await progress(
        `server ${combination.number}`,
        findAlarms(run, combination.variants, combination.seed),
      );
      return { combination, alarms };
    },
    { concurrency },
  );
  return { seed, servers };
}

/** Picks at most one variant for each behaviour that the API text leaves open. How many behaviours vary differs from server to server. */
export function combine(freedoms: readonly Freedom[], seed: number, number: number): Combination {
  const draw = (what: string): number =>
    createHash('sha256').update(`${seed} ${number} ${what}`).digest().readUInt32BE() / 2 ** 32;
  const share = 0.05 + 0.45 * draw('');
  const taken = freedoms.flatMap(({ id, variants = [], always = false }) => {
    if (always) return variants;
    const drawn = draw(id) / share;
    return drawn < 1 ? variants.slice(Math.floor(drawn * variants.length)).slice(0, 1) : [];
  });
  return { number, seed: Math.floor(draw('seed') * 2 ** 31), variants: [...new Set(taken)] };
}

export function renderConforming({ seed, servers }: ConformingReport): string {
  const alarming = servers.filter(({ alarms }) => alarms.length > 0);
  return [
    ...alarming.flatMap(({ combination: { number, variants }, alarms }) => [
      `alarms on server ${number}: ${variants.join(' ') || 'no variants'}`,
      ...alarms.map(({ ruleId, reason }) => `  false alarm: ${ruleId}  ${reason}`),
    ]),
    `${servers.length} conforming servers (seed ${seed}); ${alarming.length} raised alarms`,
  ].join('\n');
}
