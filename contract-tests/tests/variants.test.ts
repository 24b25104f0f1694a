import { expect, test } from 'vitest';
import { listVariants } from '../../sandbox/src/index.ts';
import { buildEffectiveSpecs } from '../../specs/src/index.ts';
import { type ConformanceReport, type Exchanger, reasonOf, runConformance, type Target } from '../src/index.ts';
import { limits, sandboxUnderTest } from './sandbox-under-test.ts';

const specs = buildEffectiveSpecs();

function listFailures(report: ConformanceReport): readonly string[] {
  const wrong = report.results.filter(({ outcome }) => ['failed', 'errored'].includes(outcome.kind));
  return wrong.map(({ ruleId, outcome }) => `${ruleId}: ${reasonOf(outcome)}`);
}

const randomIds = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/**
 * Checks a sandbox with all rules. `traffic` has all exchanges without random ids, and with durations, because a variant may
 * only be slow.
 */
async function check(
  variants: readonly string[],
  as: (own: Target) => Target = (own) => own,
): Promise<{ report: ConformanceReport; traffic: string }> {
  const { target: own, ports, close } = sandboxUnderTest(specs, { variants });
  const target = as(own);
  const seen: string[] = [];
  const exchange: Exchanger = async (request, deadlineMs) => {
    const startedAt = ports.clock.now();
    const result = await ports.exchange(request, deadlineMs);
    const body = result.kind === 'response' ? Buffer.from(result.body).toString('latin1') : '';
    seen.push(JSON.stringify([request.method, request.url, { ...result, body }, ports.clock.now() - startedAt]));
    return result;
  };
  const report = await runConformance({ target, specs, limits, evidence: 'none' }, { ...ports, exchange });
  await close();
  return { report, traffic: seen.join('\n').replace(randomIds, '<id>') };
}

const healthy = (await check([])).traffic;

/** `npm test` tries each 96th variant, because conforming-servers.test.ts tries random combinations; `npm run test:long` tries all. */
const isLong = process.env['SWITCHYARD_ALL_VARIANTS'] === '1';
const onSandbox = listVariants().filter((_, index) => isLong || index % 96 === 0);

test.each(onSandbox)(
  'with the variant $id, no rule fails, the check is complete, and the exchanges differ',
  async ({ id }) => {
    const { report, traffic } = await check([id]);
    expect(listFailures(report)).toEqual([]);
    expect([...report.missingRequired, ...report.shortfalls], 'an incomplete run').toEqual([]);
    expect(traffic === healthy && report.transient.length === 0, 'changes nothing').toBe(false);
  },
);

/** Returns the target of a live service: without test hooks, and with the models of an owner instead of the outcome model. */
function asLive({
  router,
  workflow: { graphs: _, ...workflow } = { url: '', credentials: {}, jobs: {} },
}: Target): Target {
  const models = [
    { id: 'image-provider/still-2.1', input: { prompt: 'A quay' }, deterministic: true },
    { id: 'raw-provider/open-input', input: {} },
    { id: 'audio-provider/speech_v2', input: { text: 'Good' } },
  ];
  return { kind: 'live', ...(router && { router }), workflow, budget: { runs: 500, models } };
}

const onService = listVariants().filter((_, index) => isLong || index % 96 === 24);

test.each(onService)('with the variant $id, no rule fails for a service without test hooks', async ({ id }) => {
  expect(listFailures((await check([id], asLive)).report)).toEqual([]);
});

test('a healthy sandbox produces the same exchanges each time', async () => {
  expect((await check([])).traffic === healthy).toBe(true);
});

test('no rule fails if all variants of JSON bodies and headers are active together', async () => {
  const families = ['json.', 'headers.'];
  const together = listVariants().filter(({ id }) => families.some((family) => id.startsWith(family)));
  expect(listFailures((await check(together.map(({ id }) => id))).report)).toEqual([]);
});
