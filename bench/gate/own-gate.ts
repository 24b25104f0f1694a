import { inProcessPorts, runConformance, type Target } from '../../contract-tests/src/index.ts';
import {
  type CatalogModel,
  createSandbox,
  hooksPath,
  manualClock,
  sandboxCredentials,
  sandboxGraphs,
} from '../../sandbox/src/index.ts';
import { type EffectiveSpecs, readOwnCatalog } from '../../specs/src/index.ts';
import { createRecorder, type Recorded } from './tape.ts';

export type Deviation = { id: string; faults: readonly string[]; variants: readonly string[] };
export type OwnRun = {
  /** Requirements of the rules that failed or broke. */
  failed: readonly string[];
  /** Rules that failed or broke. */
  rules: readonly string[];
  calls: number;
  seconds: number;
  tape: readonly Recorded[];
};

const url = 'http://sandbox.test';
// One catalog for all: what was parsed and compiled for one sandbox serves the others.
const catalog: CatalogModel[] = readOwnCatalog().map(({ id, charges_on_policy_rejection: billing, document }) => ({
  id,
  billing,
  bytes: new TextEncoder().encode(JSON.stringify(document)),
}));

/** All rules of the gate against a sandbox, and the exchanges between them. */
export async function runOwnGate(specs: EffectiveSpecs, { faults, variants }: Deviation): Promise<OwnRun> {
  const clock = manualClock();
  const sandbox = createSandbox({ specs, clock, catalog, faults, variants });
  const recorder = createRecorder(sandbox.handle);
  const target: Target = {
    kind: 'sandbox',
    // A variant may be another reading.
    ...(variants.length === 0 && { readings: 'required' as const }),
    router: { url, credentials: sandboxCredentials.router },
    workflow: { url, credentials: sandboxCredentials.workflow, jobs: sandbox.jobs, graphs: sandboxGraphs },
    hooks: { url: `${url}${hooksPath}` },
  };
  const start = performance.now();
  // Hours may pass on that clock.
  const limits = { runMs: Number.MAX_SAFE_INTEGER };
  const report = await runConformance({ target, specs, limits }, inProcessPorts(recorder.handle, clock, target));
  const seconds = (performance.now() - start) / 1000;
  const failed = report.results.filter(({ outcome }) => outcome.kind === 'failed' || outcome.kind === 'errored');
  const tape = recorder.recorded();
  sandbox.close();
  return {
    failed: failed.flatMap(({ requirements }) => requirements),
    rules: failed.map(({ ruleId }) => ruleId),
    calls: recorder.calls(),
    seconds,
    tape,
  };
}
