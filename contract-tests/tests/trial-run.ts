import { createSandbox, manualClock, sandboxCredentials, sandboxGraphs } from '../../sandbox/src/index.ts';
import {
  buildEffectiveSpecs,
  defaultSpecSettings,
  type EffectiveSpecs,
  readOwnCatalog,
} from '../../specs/src/index.ts';
import { type ConformanceReport, inProcessPorts, runConformance, type Target } from '../src/index.ts';

export type Trial = { faults?: readonly string[]; variants?: readonly string[]; specs?: EffectiveSpecs };

let built: Promise<EffectiveSpecs> | undefined;

/** The own catalog with one model of each kind in front: the survey compiles what it reads, hundreds of times over here. */
const catalog = ['image-provider/still-2.1', 'image-provider/experimental', 'audio-provider/speech_v2']
  .flatMap((first) => readOwnCatalog().filter(({ id }) => id === first))
  .concat(readOwnCatalog())
  .filter((model, index, all) => all.findIndex(({ id }) => id === model.id) === index)
  .map(({ id, charges_on_policy_rejection: billing, document }) => ({
    id,
    billing,
    bytes: new TextEncoder().encode(JSON.stringify(document)),
  }));

/** The gate's verdict on a sandbox of its own, in this process, on a clock that only the gate moves. */
export async function tryRules({ faults = [], variants = [], ...settings }: Trial): Promise<ConformanceReport> {
  built ??= buildEffectiveSpecs(defaultSpecSettings);
  const specs = settings.specs ?? (await built);
  const clock = manualClock();
  const sandbox = createSandbox({ specs, clock, catalog, faults, variants });
  const url = 'http://sandbox.test';
  const target: Target = {
    kind: 'sandbox',
    router: { url, credentials: sandboxCredentials.router },
    workflow: { url, credentials: sandboxCredentials.workflow, jobs: sandbox.jobs, graphs: sandboxGraphs },
  };
  const limits = { runMs: Number.MAX_SAFE_INTEGER }; // hours may pass on that clock
  const report = await runConformance({ target, specs, limits }, inProcessPorts(sandbox.handle, clock));
  sandbox.close();
  return report;
}
