import type { OpenSubject } from '../../contract-tests/src/index.ts';
import { createSandbox, manualClock, sandboxCredentials, sandboxGraphs } from '../../sandbox/src/index.ts';
import { type EffectiveSpecs, readOwnCatalog } from '../../specs/src/index.ts';

// One catalog for all: what was parsed and compiled for one sandbox serves the others.
const catalog = readOwnCatalog().map(({ id, charges_on_policy_rejection: billing, document }) => ({
  id,
  billing,
  bytes: new TextEncoder().encode(JSON.stringify(document)),
}));

export function openSubject(specs: EffectiveSpecs): OpenSubject {
  return (deviation) => {
    const clock = manualClock();
    const sandbox = createSandbox({ specs, clock, catalog, ...deviation });
    const url = 'http://sandbox.test';
    return {
      handle: sandbox.handle,
      clock,
      target: {
        kind: 'sandbox',
        router: { url, credentials: sandboxCredentials.router },
        workflow: { url, credentials: sandboxCredentials.workflow, jobs: sandbox.jobs, graphs: sandboxGraphs },
      },
      close: () => sandbox.close(),
    };
  };
}
