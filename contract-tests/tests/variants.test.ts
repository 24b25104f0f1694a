import { expect, test } from 'vitest';
import { listVariants } from '../../sandbox/src/index.ts';
import { buildEffectiveSpecs } from '../../specs/src/index.ts';
import { type ConformanceReport, type Exchanger, reasonOf, runConformance, type Target } from '../src/index.ts';
import { limits, sandboxUnderTest } from './sandbox-under-test.ts';

const specs = buildEffectiveSpecs();

function alarms(report: ConformanceReport): readonly string[] {
  const wrong = report.results.filter(({ outcome }) => ['failed', 'errored'].includes(outcome.kind));
  return wrong.map(({ ruleId, outcome }) => `${ruleId}: ${reasonOf(outcome)}`);
}

const newIds = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** All rules against a sandbox, with every exchange without new ids; durations stay, because a variant may be slow. */
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
  return { report, traffic: seen.join('\n').replace(newIds, '<id>') };
}

const healthy = (await check([])).traffic;

/** `npm test` takes every 48th, since conforming-servers.test.ts tries random combinations; `npm run test:long` takes all. */
const isLong = process.env['SWITCHYARD_ALL_VARIANTS'] === '1';
const onSandbox = listVariants().filter((_, index) => isLong || index % 48 === 0);

test.each(onSandbox)('the variant $id raises no alarm, leaves the run complete and changes it', async ({ id }) => {
  const { report, traffic } = await check([id]);
  expect(alarms(report)).toEqual([]);
  expect([...report.missingRequired, ...report.shortfalls], 'an incomplete run').toEqual([]);
  expect(traffic === healthy && report.transient.length === 0, 'changes nothing').toBe(false);
});

/** A deployed service: no test hooks, and the owner's models stand in for the scripted one. */
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

test.each(onService)('the variant $id raises no alarm on a service without test hooks', async ({ id }) => {
  expect(alarms((await check([id], asLive)).report)).toEqual([]);
});

test('a healthy sandbox produces the same exchanges each time', async () => {
  expect((await check([])).traffic === healthy).toBe(true);
});

test('all variants of JSON bodies and headers together raise no alarm', async () => {
  const families = ['json.', 'headers.'];
  const together = listVariants().filter(({ id }) => families.some((family) => id.startsWith(family)));
  expect(alarms((await check(together.map(({ id }) => id))).report)).toEqual([]);
});
