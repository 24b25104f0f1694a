import { createValidator, type Validator } from '../../runtime/src/validation/validator.ts';
import { linearPattern } from '../../specs/src/schema/linear-pattern.ts';
import { median } from '../measure/process.ts';
import type { Figure } from '../report/figures.ts';
import { type KeywordCase, keywordCases } from './keywords.ts';

const [few, many] = [1000, 100_000];
/** The engine's own list of the keys of an object costs up to eight times as much per key in a large one; a square would cost 100. */
const factorAtMost = 10;

/** Time per item for each keyword, for values that pass and for values whose failures are listed. */
export function measureLinearity(runs: number): Figure[] {
  return [...keywordCases].map(([keyword, make]) => {
    const short = nanosecondsPerItem(make(few), few, runs);
    const long = nanosecondsPerItem(make(many), many, runs);
    const factor = Math.max(long.accepted / short.accepted, long.refused / short.refused);
    const shown = (time: typeof short): string => `${time.accepted.toFixed(0)} / ${time.refused.toFixed(0)}`;
    return {
      what: keyword,
      value: `${factor.toFixed(1)} ×`,
      beside: `${shown(short)} → ${shown(long)} ns per item, accepted / refused`,
      target: `≤ ${factorAtMost} ×`,
      isMet: factor <= factorAtMost,
    };
  });
}

function nanosecondsPerItem(make: KeywordCase, count: number, runs: number) {
  // As a server gets them: the engine lays out objects that were parsed in its own way.
  const { schema, valid, invalid }: KeywordCase = JSON.parse(JSON.stringify(make));
  const validator = createValidator(schema, linearPattern);
  if (!validator.accepts(valid) || validator.accepts(invalid))
    throw new Error(`wrong answer: ${JSON.stringify(schema).slice(0, 200)}`);
  const repeats = many / count;
  return {
    accepted: timed(() => validator.accepts(valid), repeats, runs) / count,
    refused: timed(() => countFailures(validator, invalid), repeats, runs) / count,
  };
}

function countFailures(validator: Validator, value: unknown): number {
  const result = validator.validate(value);
  return result.valid ? 0 : result.detail.length;
}

/** Nanoseconds for one call, the median of some runs. */
function timed(work: () => unknown, repeats: number, runs: number): number {
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    for (let count = 0; count < repeats; count++) work();
    return ((performance.now() - start) * 1e6) / repeats;
  });
  return median(times);
}
