import { expect, test } from 'vitest';
import { hooksPath, type ServerRequest } from '../../sandbox/src/index.ts';
import { type ConformanceReport, exitCodeOf, type Target } from '../src/index.ts';
import { checkSandbox } from './sandbox-under-test.ts';

const credential = 'hooks-credential-of-staging';

type Served = { readonly report: ConformanceReport; readonly requests: readonly ServerRequest[] };
type CheckOptions = {
  readonly rules: readonly string[];
  /** The test hooks that the server offers; all by default. */
  readonly offered?: readonly string[];
  /** False if the configuration has no URL of the test hooks. */
  readonly isConfigured?: boolean;
  readonly discovery?: string;
};

/** Checks a sandbox in the role of a live service whose test hooks require a credential. */
async function check({ rules, offered, isConfigured = true, discovery }: CheckOptions): Promise<Served> {
  const requests: ServerRequest[] = [];
  const { report } = await checkSandbox({
    rules,
    target: ({ hooks, ...deployed }): Target => {
      const address = { hooks: { url: `${hooks?.url}`, credential } };
      return { ...deployed, kind: 'live', ...(isConfigured ? address : {}) };
    },
    around: (handle) => async (request) => {
      requests.push(request);
      if (!request.target.startsWith(hooksPath)) return handle(request);
      const isAllowed = request.headers['authorization'] === `Bearer ${credential}`;
      if (!isAllowed) return { status: 401, headers: {}, body: '{}' };
      const offer = discovery ?? (offered === undefined ? undefined : JSON.stringify({ version: 1, hooks: offered }));
      return offer !== undefined && request.target === hooksPath
        ? { status: 200, headers: { 'content-type': 'application/json' }, body: offer }
        : handle(request);
    },
  });
  return { report, requests };
}

const hooked = ['outcomes.*', 'providers.*', 'assets.*', 'retention.*', 'dependencies.*', 'idempotency.running.*'];

function listKinds({ results }: ConformanceReport, ...families: readonly string[]): readonly string[] {
  const own = results.filter(({ family }) => families.length === 0 || families.includes(family));
  return [...new Set(own.map(({ outcome }) => outcome.kind))].toSorted();
}

test('a check of a deployed service with all test hooks includes the rules that need them', async () => {
  const { report, requests } = await check({ rules: hooked });
  expect(exitCodeOf(report)).toBe(0);
  expect(listKinds(report)).toEqual(expect.arrayContaining(['passed']));
  const unchecked = report.results.filter(({ outcome }) => !['passed', 'observed'].includes(outcome.kind));
  // A rule about a body above the configured limit runs a model of the catalog, which needs a budget.
  expect(unchecked.filter(({ ruleId }) => !ruleId.endsWith('.body-above-the-ceiling'))).toEqual([]);
  expect(JSON.stringify(report)).not.toContain(credential);
  const elsewhere = requests.filter(({ target }) => !target.startsWith(hooksPath));
  expect(elsewhere.filter((request) => JSON.stringify(request.headers).includes(credential))).toEqual([]);
});

test('a check sends no request to test hooks that are not configured', async () => {
  const { report, requests } = await check({ rules: hooked, isConfigured: false });
  expect(requests.filter(({ target }) => target.startsWith('/__'))).toEqual([]);
  expect(listKinds(report)).toEqual(['not-applicable']);
});

test.each([
  { offered: [], adds: [], leavesOut: ['outcomes', 'providers', 'assets', 'retention', 'dependencies'] },
  { offered: ['script'], adds: ['dependencies'], leavesOut: ['outcomes', 'providers', 'assets', 'retention'] },
  { offered: ['outcomes'], adds: ['outcomes'], leavesOut: ['providers', 'assets', 'retention', 'dependencies'] },
  { offered: ['outcomes', 'alternate'], adds: ['outcomes', 'providers'], leavesOut: ['assets', 'retention'] },
  { offered: ['outcomes', 'assets'], adds: ['outcomes', 'assets'], leavesOut: ['providers', 'retention'] },
  { offered: ['alternate', 'assets', 'clock'], adds: [], leavesOut: ['providers', 'assets', 'retention'] },
])(
  'with the test hooks $offered, a check adds the rules of $adds and leaves out those of $leavesOut',
  async ({ offered, adds, leavesOut }) => {
    const { report } = await check({ rules: [...adds, ...leavesOut].map((family) => `${family}.*`), offered });
    for (const family of adds) expect(listKinds(report, family), family).toContain('passed');
    for (const family of leavesOut) expect(listKinds(report, family), family).toEqual(['not-applicable']);
  },
);

test.each([
  ['with a different version', '{"version":2,"hooks":["clock"]}', 'does not have version 1'],
  ['without a list', '{"version":1}', 'no list'],
  ['that is an HTML page', '<html>', 'did not return JSON'],
])('a list of test hooks %s ends the check before any rule runs', async (_, discovery, because) => {
  const { report } = await check({ rules: hooked, discovery });
  expect(exitCodeOf(report)).toBe(3);
  expect(report.reachability).toMatchObject({ kind: 'unreachable', because: expect.stringContaining(because) });
});
