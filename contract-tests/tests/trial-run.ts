import { createSandbox, manualClock, sandboxCredentials } from '../../sandbox/src/index.ts';
import { buildEffectiveSpecs, defaultSpecSettings, type EffectiveSpecs } from '../../specs/src/index.ts';
import { type ConformanceReport, inProcessPorts, type RuleResult, runConformance, type Target } from '../src/index.ts';

export type Trial = { faults?: readonly string[]; variants?: readonly string[]; specs?: EffectiveSpecs };

let built: Promise<EffectiveSpecs> | undefined;

/** The gate's verdict on a sandbox of its own, in this process, on a clock that only the gate moves. */
export async function tryRules({ faults = [], variants = [], ...settings }: Trial): Promise<ConformanceReport> {
  built ??= buildEffectiveSpecs(defaultSpecSettings);
  const specs = settings.specs ?? (await built);
  const clock = manualClock();
  const sandbox = createSandbox({ specs, clock, faults, variants });
  const url = 'http://sandbox.test';
  const target: Target = {
    kind: 'sandbox',
    router: { url, credentials: sandboxCredentials.router },
    workflow: { url, credentials: sandboxCredentials.workflow, jobs: sandbox.jobs },
  };
  const limits = { runMs: Number.MAX_SAFE_INTEGER }; // hours may pass on that clock
  return await runConformance({ target, specs, limits }, inProcessPorts(sandbox.fetch, clock));
}

export function failedIn(report: ConformanceReport): readonly RuleResult[] {
  return report.results.filter(({ outcome }) => outcome.kind === 'failed');
}

export function idsOf(results: readonly RuleResult[]): readonly string[] {
  return results.map(({ ruleId }) => ruleId);
}

export function share(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) => others.includes(one));
}
