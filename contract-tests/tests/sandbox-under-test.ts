import { createSandbox, type Ledger, type Sandbox, type SandboxOptions } from '../../sandbox/src/index.ts';
import { describeSandboxTarget } from '../../scripts/cli/system-under-test.ts';
import { buildEffectiveSpecs, type EffectiveSpecs, readOwnCatalog } from '../../specs/src/index.ts';
import {
  type ConformanceReport,
  type Deviation,
  type Handle,
  inProcessPorts,
  runConformance,
  type SystemUnderTest,
  type Target,
} from '../src/index.ts';
import type { ConformanceInput } from '../src/run/check.ts';

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
    ...describeSandboxTarget({ routerUrl: url, workflowUrl: url }, statements === undefined ? {} : { statements }),
    readings: 'required',
  };
}

/** Starts a sandbox in this process, with a clock that only the gate advances. */
export function sandboxUnderTest(specs: EffectiveSpecs, deviation?: Partial<Deviation>): SystemUnderTest {
  const sandbox = createSandbox({ specs, clock: 'manual', catalog, ...deviation });
  // A variant may follow a different reading, or imitate effects of other callers.
  const isPlain = (deviation?.variants ?? []).length === 0;
  const { readings, ...other } = targetAt('http://sandbox.test', isPlain);
  const target = { ...other, ...(isPlain && readings && { readings }) };
  return {
    target,
    ports: inProcessPorts(sandbox.handle, sandbox.clock, target),
    close: () => sandbox.close(),
  };
}

/** No deadline for the run, because hours may pass on the clock of a sandbox. */
export const limits = { runMs: Number.MAX_SAFE_INTEGER };

type SandboxCheck = Pick<ConformanceInput, 'rules' | 'models' | 'evidence' | 'seed'> & {
  readonly specs?: EffectiveSpecs;
  readonly options?: Omit<SandboxOptions, 'specs' | 'clock'>;
  /** Returns the target to check instead of the sandbox with all its credentials, jobs and hooks. */
  readonly target?: (own: Target, sandbox: Sandbox) => Target | Promise<Target>;
  /** Puts something in front of the sandbox. */
  readonly around?: (handle: Handle) => Handle;
};

const usualSpecs = buildEffectiveSpecs();

/** Checks a new sandbox in this process, with a clock that only the gate advances. */
export async function checkSandbox({
  specs = usualSpecs,
  options = {},
  target: chooseTarget = (own) => own,
  around = (handle) => handle,
  ...input
}: SandboxCheck): Promise<{ report: ConformanceReport; ledger: Ledger }> {
  const sandbox = createSandbox({ specs, clock: 'manual', catalog, ...options });
  const target = await chooseTarget(targetAt('http://sandbox.test'), sandbox);
  const ports = inProcessPorts(around(sandbox.handle), sandbox.clock, target);
  const report = await runConformance({ target, specs, limits, ...input }, ports);
  const ledger = sandbox.ledger();
  sandbox.close();
  return { report, ledger };
}
