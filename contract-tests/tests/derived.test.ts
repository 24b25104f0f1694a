import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { buildEffectiveSpecs, type Operation } from '../../specs/src/index.ts';
import type { StartSystem } from '../src/prove/worker.ts';
import { type AnsweredExchange, checkSystem, createFinder, type DerivedFault, deriveFaults } from './derived-faults.ts';
import { sandboxUnderTest } from './sandbox-under-test.ts';

/** Number of whole checks, each with a fault that the seed selects. `npm run test:long` makes 60. */
const checks = Number(process.env['SWITCHYARD_DERIVED_CHECKS'] ?? 1);
const seed = Number(process.env['SWITCHYARD_SEED'] ?? 1);

const specs = buildEffectiveSpecs();
const start: StartSystem = (deviation) => sandboxUnderTest(specs, deviation);
const faults = deriveFaults(specs);
const missed: DerivedFault[] = [];
/** Faults that passive rules detect in a single response of a healthy check. */
const detectedInResponse: DerivedFault[] = [];
beforeAll(async () => {
  const { target, responses } = await checkSystem({ specs, start });
  const find = createFinder({ specs, start }, target);
  for (const fault of faults) {
    const inResponse = find(fault, responses);
    if (inResponse === undefined) {
      // No check produces the status.
      const inError = find(fault, inventErrors(fault.operation, responses)) ?? [];
      if (inError.length === 0) missed.push(fault);
    } else if (inResponse.length > 0) {
      detectedInResponse.push(fault);
    } else if ((await checkSystem({ specs, start }, { fault })).failed.length === 0) {
      missed.push(fault);
    }
  }
}, 300_000);

test('for each statement of the API documents about a response, a rule detects a response that violates it', () => {
  expect(missed.map(({ id }) => id)).toEqual([]);
  expect(new Set(faults.map(({ operation }) => operation.operationId)).size).toBe(9);
});

/** If a rule detects the fault in one response, a check in which all responses have the fault must detect it, too. */
test(`whole checks detect ${checks} violated statements (seed ${seed})`, async () => {
  const undetected: string[] = [];
  for (const fault of takeSome(detectedInResponse))
    if ((await checkSystem({ specs, start }, { fault })).failed.length === 0) undetected.push(fault.id);
  expect(undetected).toEqual([]);
}, 3_600_000);

function takeSome(faults: readonly DerivedFault[]): readonly DerivedFault[] {
  const length = Math.min(checks, faults.length);
  const [some = []] = fc.sample(fc.shuffledSubarray([...faults], { minLength: length, maxLength: length }), {
    seed,
    numRuns: 1,
  });
  return some;
}

/**
 * Builds errors that no check produces: the rejection of a credential with each other status, and with 418 for unlisted
 * statuses. Their category is wrong with and without the fault, so findings about it don't count.
 */
function inventErrors(
  { operationId, responses }: Operation,
  collected: readonly AnsweredExchange[],
): readonly AnsweredExchange[] {
  const refusal = collected.find((one) => one.operationId === operationId && one.result.status === 401);
  const statuses = Object.keys(responses).map((status) => (status === 'default' ? 418 : Number(status)));
  if (refusal === undefined) return [];
  return statuses.map((status) => ({ ...refusal, result: { ...refusal.result, status } }));
}
