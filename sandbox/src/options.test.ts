import { expect, test } from 'vitest';
import { testModel, testSpecs } from '../tests/test-sandbox.ts';
import { SandboxError } from './errors.ts';
import type { SandboxOptions } from './options.ts';
import { createSandbox } from './sandbox.ts';

const listedTwice = testModel('a/b', {});

// Invalid options, as they may be in JavaScript code.
test.each<[object, string]>([
  [{ clok: 'manual' }, '"clok"'],
  [{ clock: 'still' }, 'clock'],
  [{ clock: {} }, 'clock'],
  [{ seed: 'x' }, 'seed'],
  [{ seed: Number.NaN }, 'seed'],
  [{ faults: 'catalog.limit.zero-means-one' }, 'faults'],
  [{ timings: { waitingMs: -1 } }, 'waitingMs'],
  [{ timings: { waitngMs: 1 } }, 'waitngMs'],
  [{ timings: null }, 'timings'],
  [{ limits: { spendCents: 1.5 } }, 'spendCents'],
  [{ bodyLimitBytes: -1 }, 'bodyLimitBytes'],
  [{ log: 'xml' }, 'log'],
  [{ workflowAuth: 'open' }, 'workflowAuth'],
  [{ catalog: [{ id: 'no-provider', billing: 'no', bytes: new Uint8Array() }] }, 'catalog'],
  [{ catalog: [listedTwice, listedTwice] }, 'catalog'],
  [{ specs: {} }, 'specs'],
  [{ cors: '*' }, 'cors'],
])('createSandbox() rejects the options %j and names the invalid one', (options, named) => {
  const create = () => createSandbox({ specs: testSpecs, ...options });
  expect(create).toThrow(SandboxError);
  expect(create).toThrow(named);
});

test('an undefined limit means unlimited, and all options may be omitted', () => {
  const absent: Partial<SandboxOptions> = { limits: { inFlight: undefined } };
  createSandbox({ specs: testSpecs, ...absent }).close();
  createSandbox().close();
});
