import { expect, test } from 'vitest';
import { createSandbox } from '../sandbox/src/index.ts';
import { buildEffectiveSpecs, defaultSpecSettings } from '../specs/src/index.ts';
import { openTarget } from './conform.ts';
import { registerRules } from './vitest.ts';

let opened = 0;
registerRules(
  async () => {
    opened += 1;
    const sandbox = createSandbox({ specs: await buildEffectiveSpecs(defaultSpecSettings) });
    const { router } = sandbox.credentials;
    return openTarget({
      fetch: (request) => sandbox.fetch(request),
      router: { url: 'http://own.test', credentials: router },
    });
  },
  { rules: ['catalog.page.*'], name: 'a server in this process' },
);

test('opens the target once for all rules', () => expect(opened).toBe(1));
