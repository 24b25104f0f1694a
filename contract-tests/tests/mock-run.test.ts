import { expect, test } from 'vitest';
import { buildEffectiveSpecs } from '../../specs/src/index.ts';
import { allRules } from '../src/conform.ts';
import { httpPorts, reasonOf, runConformance, startMock } from '../src/index.ts';

test('no rule fails for the mock of our own specifications, and exactly the rules required of a mock pass or are observed', async () => {
  const specs = buildEffectiveSpecs();
  const mock = await startMock(specs);
  try {
    const router = { url: mock.routerUrl, credentials: { main: 'any-key' } };
    const workflow = { url: mock.workflowUrl, credentials: { main: 'any-token' }, jobs: {} };
    const target = { kind: 'mock', router, workflow } as const;
    const report = await runConformance({ target, specs }, httpPorts(target));
    const wrong = report.results.filter(({ outcome }) => ['failed', 'errored', 'setup-failed'].includes(outcome.kind));
    expect(wrong.map(({ ruleId, outcome }) => `${ruleId}: ${reasonOf(outcome)}`)).toEqual([]);
    const seen = report.results.filter(({ outcome }) => ['passed', 'observed'].includes(outcome.kind));
    const required = allRules.filter(({ requiredOf }) => requiredOf.includes('mock')).map(({ id }) => id);
    expect(seen.map(({ ruleId }) => ruleId).sort()).toEqual(required.sort());
  } finally {
    await mock.close();
  }
});
