import { inProcessPorts, type StartSystem, type Target } from '../../contract-tests/src/index.ts';
import {
  createSandbox,
  defaultBodyLimitBytes,
  hooksPath,
  manualClock,
  sandboxCredentials,
  sandboxGraphs,
} from '../../sandbox/src/index.ts';
import { type EffectiveSpecs, readOwnCatalog } from '../../specs/src/index.ts';

// One catalog for all sandboxes: what was parsed and compiled for one serves the others.
const catalog = readOwnCatalog().map(({ id, charges_on_policy_rejection: billing, document }) => ({
  id,
  billing,
  bytes: new TextEncoder().encode(JSON.stringify(document)),
}));

/** Sandboxes in process, each on a manual clock: what a thread of the self-check loads. */
export function systemsUnderTest(specs: EffectiveSpecs): StartSystem {
  return (deviation) => {
    const clock = manualClock();
    const sandbox = createSandbox({ specs, clock, catalog, ...deviation });
    const url = 'http://sandbox.test';
    const target: Target = {
      kind: 'sandbox',
      // The sandbox is built on them.
      readings: 'required',
      router: { url, credentials: sandboxCredentials.router },
      workflow: { url, credentials: sandboxCredentials.workflow, jobs: sandbox.jobs, graphs: sandboxGraphs },
      hooks: { url: `${url}${hooksPath}` },
      // A variant may stand for what other callers cause.
      stated: { ceiling: defaultBodyLimitBytes, exclusive: deviation.variants.length === 0 },
    };
    return {
      ports: inProcessPorts(sandbox.handle, clock, target),
      target,
      close: () => sandbox.close(),
    };
  };
}
