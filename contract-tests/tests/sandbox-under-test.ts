import { createSandbox, manualClock } from '../../sandbox/src/index.ts';
import { sandboxTarget } from '../../scripts/cli/system-under-test.ts';
import { type EffectiveSpecs, readOwnCatalog } from '../../specs/src/index.ts';
import { type Deviation, inProcessPorts, type SystemUnderTest, type Target } from '../src/index.ts';

/** Families of passive rules; no fault is named after these families. */
export const passiveFamilies = ['passive', 'trace'];

/** Catalog of all sandboxes in these tests. It begins with a model of each kind, so that the gate reads and compiles few schemas. */
export const catalog = readOwnCatalog()
  .toSorted((one, other) => rank(one.id) - rank(other.id))
  .map(({ id, charges_on_policy_rejection: billing, document }) => ({
    id,
    billing,
    bytes: new TextEncoder().encode(JSON.stringify(document)),
  }));

function rank(id: string): number {
  const front = ['image-provider/still-2.1', 'image-provider/experimental', 'audio-provider/speech_v2'];
  return front.includes(id) ? front.indexOf(id) : front.length;
}

/** Returns the target for a sandbox at this address. */
export function targetAt(url: string, statements?: boolean): Target {
  return {
    ...sandboxTarget({ routerUrl: url, workflowUrl: url }, statements === undefined ? {} : { statements }),
    readings: 'required',
  };
}

/** Starts a sandbox in this process, with a clock that only the gate advances. */
export function sandboxUnderTest(specs: EffectiveSpecs, deviation?: Partial<Deviation>): SystemUnderTest {
  const clock = manualClock();
  const sandbox = createSandbox({ specs, clock, catalog, ...deviation });
  // A variant may follow a different reading, or imitate effects of other callers.
  const isPlain = (deviation?.variants ?? []).length === 0;
  const { readings, ...other } = targetAt('http://sandbox.test', isPlain);
  const target = { ...other, ...(isPlain && readings && { readings }) };
  return {
    target,
    ports: inProcessPorts(sandbox.handle, clock, target),
    close: () => sandbox.close(),
  };
}

/** No deadline for the run, because hours may pass on the clock of a sandbox. */
export const limits = { runMs: Number.MAX_SAFE_INTEGER };
