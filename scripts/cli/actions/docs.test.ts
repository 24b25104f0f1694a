import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { sandboxCredentials } from '../../../sandbox/src/index.ts';
import { fakeIo } from '../../tests/fake-io.ts';
import { type CommandResult, folderForFile, runCommand } from '../../tests/run-command.ts';
import { serveSandbox } from '../../tests/with-sandbox.ts';
import { runDocs } from './docs.ts';

const folder = folderForFile();
const env = { SWITCHYARD_API_KEY: sandboxCredentials.router.main };
let url = '';
beforeAll(async () => {
  const sandbox = await serveSandbox();
  url = sandbox.url;
  return sandbox.close;
});

function docs(argv: readonly string[]): Promise<CommandResult> {
  const only = ['--only', 'image-provider/*'];
  return runCommand(['docs', '--router-url', url, '--scope', '@acme', ...only, ...argv], folder, env);
}

test('docs writes the site to its own folder, including pages for both APIs', async () => {
  const { code, out } = await docs(['--json']);
  const report = JSON.parse(out);
  expect([code, report.models, report.hasApis]).toEqual([0, 4, true]);
  expect(report.folder).toBe(join(folder, '.switchyard/docs'));
  const page = readFileSync(join(report.folder, 'models/image-provider/still-2.1.html'), 'utf8');
  expect(page).toContain('@acme/models/image-provider/still-2.1');
  expect(existsSync(join(report.folder, 'api/workflow-execution.html'))).toBe(true);
});

test('docs rejects the folder of the packages as its output folder', async () => {
  expect(await docs(['--out', 'generated'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('use a separate folder'),
  });
});

test('docs suggests the command that installs the renderer if it is missing', async () => {
  const io = fakeIo({ env, workingFolder: folder });
  const flags = { routerUrl: url, scope: '@acme', only: ['image-provider/still-2.1'], out: 'plain' };
  const { code, text } = await runDocs(flags, io, () => undefined);
  expect([code, text()]).toEqual([0, expect.stringContaining('npm install --save-dev redoc@2.5.4\n')]);
  expect(existsSync(join(folder, 'plain/index.html'))).toBe(true);
  expect(existsSync(join(folder, 'plain/api'))).toBe(false);
});

test('the site has the configured name and colour', async () => {
  const config = join(folder, 'switchyard.config.ts');
  writeFileSync(config, "export default { docs: { name: 'Harbour models', colour: '#0a6e5c' } };");
  const { code } = await docs(['--config', config, '--out', 'named']);
  expect(code).toBe(0);
  const page = readFileSync(join(folder, 'named/models/image-provider/still-2.1.html'), 'utf8');
  expect(page).toContain('Harbour models</title>');
  expect(readFileSync(join(folder, 'named/assets/site.css'), 'utf8')).toContain('--accent: #0a6e5c;');
});

test.each([
  ['a colour followed by other CSS', "{ colour: 'red;} *{display:none' }", 'must be a CSS colour such as #0a6e5c'],
])('docs rejects %s', async (_what, settings, message) => {
  const config = join(folder, 'refused.config.ts');
  writeFileSync(config, `export default { docs: ${settings} };`);
  expect(await docs(['--config', config])).toMatchObject({ code: 2, err: expect.stringContaining(message) });
});
