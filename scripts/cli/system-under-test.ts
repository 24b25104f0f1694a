import { inProcessPorts, type StartSystem } from '../../contract-tests/src/index.ts';
import { createSandbox, manualClock } from '../../sandbox/src/index.ts';
import { type EffectiveSpecs, readOwnCatalog } from '../../specs/src/index.ts';
import { sandboxTarget } from './conform-target.ts';

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
    // A variant may stand for what other callers cause.
    const stated = { statements: deviation.variants.length === 0 };
    // The sandbox is built on our readings.
    const target = { ...sandboxTarget({ routerUrl: url, workflowUrl: url }, stated), readings: 'required' } as const;
    return {
      ports: inProcessPorts(sandbox.handle, clock, target),
      target,
      close: () => sandbox.close(),
    };
  };
}
