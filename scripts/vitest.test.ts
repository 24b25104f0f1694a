import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox } from '../sandbox/src/index.ts';
import { buildEffectiveSpecs, defaultSpecSettings, packageRoot } from '../specs/src/index.ts';
import { openTarget } from './conform.ts';
import { runNode } from './run-node.ts';
import { folderForTest } from './tests/run-command.ts';
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

test('registerRules opens the target once for all rules', () => expect(opened).toBe(1));

test('text from a target is never printed as a CI workflow command or a control character', async () => {
  const folder = folderForTest();
  const at = (path: string): string => JSON.stringify(join(packageRoot(), path));
  const program = `import { openTarget } from ${at('scripts/conform.ts')};
    import { registerRules } from ${at('scripts/vitest.ts')};
    const fetch = async () => Response.json({ data: [], limit: '##[error]owned\\u202e', has_more: false });
    const router = { url: 'http://own.test', credentials: { main: 'a-key-of-tests' } };
    registerRules(() => openTarget({ fetch, router }), { rules: ['catalog.page.holds-no-more-than-its-limit'] });`;
  writeFileSync(join(folder, 'one.test.js'), program);
  const args = [join(packageRoot(), 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder];
  const { out, err } = await runNode(args);
  expect(out + err).toContain('owned');
  expect(out + err).not.toMatch(/##\[|\u202e/);
});
