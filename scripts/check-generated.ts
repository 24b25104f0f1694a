import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate, nodePorts, packageNamesIn, renderReport } from '../generator/src/index.ts';
import { createSandbox, listen, sandboxCredentials } from '../sandbox/src/index.ts';
import { buildEffectiveSpecs, defaultSpecSettings, packageRoot } from '../specs/src/index.ts';

const root = packageRoot();

/** True when `generated/` is exactly what the generator makes from the sandbox's own catalog. */
async function isUpToDate(): Promise<boolean> {
  const specs = await buildEffectiveSpecs(defaultSpecSettings);
  const sandbox = createSandbox({ specs });
  const server = await listen(sandbox, { port: 0, host: '127.0.0.1' });
  const cacheDir = mkdtempSync(join(tmpdir(), 'switchyard-check-'));
  try {
    const report = await generate(
      {
        routerUrl: server.url,
        credential: { kind: 'api-key', value: sandboxCredentials.router.main },
        outDir: join(root, 'generated'),
        cacheDir,
        specs,
        packageNames: packageNamesIn('@switchyard'),
        only: [],
        concurrency: 8,
        mode: 'check',
        allowEmpty: false,
      },
      nodePorts(),
    );
    if (report.changed || report.models.failed > 0)
      process.stdout.write(`${renderReport(report)}generated/ differs: run npm run quickstart and commit the result\n`);
    return !report.changed && report.models.failed === 0;
  } finally {
    await server.close();
    sandbox.close();
    rmSync(cacheDir, { recursive: true, force: true });
  }
}

/** True when the committed packages compile strictly, with both compilers that consumers use. */
function compiles(): boolean {
  return ['typescript', 'typescript-7'].every((compiler) => {
    const result = spawnSync(
      process.execPath,
      [join('node_modules', compiler, 'bin', 'tsc'), '-p', join('generated', 'tsconfig.json'), '--noEmit'],
      { cwd: root, encoding: 'utf8' },
    );
    if (result.status !== 0) process.stdout.write(`${compiler}: ${result.stdout}${result.stderr}`);
    return result.status === 0;
  });
}

process.exitCode = (await isUpToDate()) && compiles() ? 0 : 1;
