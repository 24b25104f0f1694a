import { beforeAll, expect, test } from 'vitest';
import { createSandbox, manualClock, sandboxCredentials, sandboxGraphs } from '../../sandbox/src/index.ts';
import { buildEffectiveSpecs, defaultSpecSettings, type EffectiveSpecs } from '../../specs/src/index.ts';
import {
  applicabilityOf,
  exitCodeOf,
  inProcessPorts,
  requiredRules,
  runConformance,
  type Target,
  type TargetKind,
} from '../src/index.ts';

let specs: EffectiveSpecs;
beforeAll(async () => {
  specs = await buildEffectiveSpecs(defaultSpecSettings);
});

const url = 'http://sandbox.test';
const jobs = { save: 'a', api: 'b', foreign: 'c', expired: 'd', unreadable: 'e', deleted: 'f' };
/** Found out of a sandbox when a run is opened. */
const means = ['state', 'validation', 'authentication', 'clock', 'outcomes'] as const;

/** A target of that kind with all that a caller can configure. */
function equipped(kind: TargetKind): Target {
  const { router, workflow } = sandboxCredentials;
  const ofJobs = { jobs, graphs: sandboxGraphs };
  const target = { kind, router: { url, credentials: router }, workflow: { url, credentials: workflow, ...ofJobs } };
  return kind === 'sandbox' ? { ...target, capabilities: means } : target;
}

test.each(['mock', 'sandbox', 'live'] as const)('every rule that is required of a %s can apply there', (kind) => {
  const required = requiredRules(kind);
  expect(required.length).toBeGreaterThan(0);
  expect(required.filter((id) => applicabilityOf(id, equipped(kind)).kind !== 'applies')).toEqual([]);
});

test('a healthy sandbox shows every rule that is required of it, and no other', async () => {
  const clock = manualClock();
  const sandbox = createSandbox({ specs, clock });
  const ports = inProcessPorts(sandbox.handle, clock);
  const { capabilities: _, ...plain } = equipped('sandbox');
  const target: Target = {
    ...plain,
    workflow: { url, credentials: sandboxCredentials.workflow, jobs: sandbox.jobs, graphs: sandboxGraphs },
  };
  const report = await runConformance({ target, specs, limits: { runMs: Number.MAX_SAFE_INTEGER } }, ports);
  const shown = report.results.filter(({ outcome }) => outcome.kind === 'passed' || outcome.kind === 'observed');
  expect(shown.map(({ ruleId }) => ruleId).filter((id) => !requiredRules('sandbox').includes(id))).toEqual([]);
  expect(report.missingRequired).toEqual([]);
  expect(exitCodeOf(report)).toBe(0);
  sandbox.close();
});
