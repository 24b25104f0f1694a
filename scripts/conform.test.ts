import { afterEach, expect, test } from 'vitest';
import { createSandbox, hooksPath, type Sandbox, sandboxCredentials, sandboxJobs } from '../sandbox/src/index.ts';
import { buildEffectiveSpecs, defaultSpecSettings } from '../specs/src/index.ts';
import { type ConformOptions, conform, exitCodeOf, openTarget, rules, type TargetOptions } from './conform.ts';

const url = 'http://server.test';
const sandboxes: Sandbox[] = [];
afterEach(() => {
  for (const sandbox of sandboxes.splice(0)) sandbox.close();
});

async function ownServer(faults: readonly string[] = []): Promise<TargetOptions> {
  const sandbox = createSandbox({ specs: await buildEffectiveSpecs(defaultSpecSettings), faults });
  sandboxes.push(sandbox);
  const { router, workflow } = sandboxCredentials;
  return {
    fetch: (request) => sandbox.fetch(request),
    router: { url, credentials: router },
    workflow: { url, credentials: workflow, jobs: sandboxJobs },
    hooks: { url: `${url}${hooksPath}` },
  };
}

const chosen = { rules: ['catalog.*', 'outcomes.run.*', 'workflow.*', 'passive.*'] };

test('conform checks a server in this process without a socket', async () => {
  const report = await conform(await openTarget({ ...(await ownServer()), runs: 'free' }), chosen);
  const wrong = report.results.filter(({ outcome }) => outcome.kind === 'failed' || outcome.kind === 'errored');
  expect(wrong.map(({ ruleId, outcome }) => [ruleId, outcome])).toEqual([]);
  expect(report.counts.passed).not.toBe(0);
});

test('conform detects a defect without starting a run if runs are billed', async () => {
  const options = await ownServer(['model.detail.of-another-model']);
  const report = await conform(await openTarget(options), { rules: ['model.*'] });
  expect(exitCodeOf(report)).toBe(1);
});

test('conform reports a server that throws as unreachable', async () => {
  const options = {
    fetch: () => Promise.reject(new Error('no such table')),
    router: { url, credentials: { main: 'key-of-main' } },
  };
  const report = await conform(await openTarget(options));
  expect([exitCodeOf(report), report.reachability]).toMatchObject([
    3,
    { because: expect.stringContaining('no such table') },
  ]);
});

test('every rule in the list has its requirements', () => {
  expect(rules.filter(({ requirements }) => requirements.length === 0)).toEqual([]);
  expect(rules.map(({ id }) => id)).toContain('model.unknown.is-not-found');
});

test('conform and openTarget reject an unknown option', async () => {
  const target = { rooter: { url, credentials: {} } } as TargetOptions;
  await expect(openTarget(target)).rejects.toThrow(
    /options of openTarget\(\): the object has no setting "rooter"; it has router, /,
  );
  const open = await openTarget({ router: { url, credentials: { main: 'key-of-main' } } });
  const options = { rule: ['catalog.*'] } as ConformOptions;
  await expect(conform(open, options)).rejects.toThrow(
    /options of conform\(\): the object has no setting "rule"; it has rules, limits/,
  );
});
