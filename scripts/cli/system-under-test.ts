import { inProcessPorts, type StartSystem } from '../../contract-tests/src/index.ts';
import { createSandbox, manualClock } from '../../sandbox/src/index.ts';
import { type EffectiveSpecs, readOwnCatalog } from '../../specs/src/index.ts';
import { sandboxTarget } from './conform-target.ts';

// All sandboxes share one catalog, so that its documents are parsed and compiled once.
const catalog = readOwnCatalog().map(({ id, charges_on_policy_rejection: billing, document }) => ({
  id,
  billing,
  bytes: new TextEncoder().encode(JSON.stringify(document)),
}));

/** Starts sandboxes in this process, each with a manual clock. Threads of the self-check load this module. */
export function systemsUnderTest(specs: EffectiveSpecs): StartSystem {
  return (deviation) => {
    const clock = manualClock();
    const sandbox = createSandbox({ specs, clock, catalog, ...deviation });
    const url = 'http://sandbox.test';
    // A variant may simulate effects of other callers.
    const stated = { statements: deviation.variants.length === 0 };
    // The sandbox implements our readings.
    const target = { ...sandboxTarget({ routerUrl: url, workflowUrl: url }, stated), readings: 'required' } as const;
    return {
      ports: inProcessPorts(sandbox.handle, clock, target),
      target,
      close: () => sandbox.close(),
    };
  };
}
