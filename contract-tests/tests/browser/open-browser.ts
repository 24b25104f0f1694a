import { execFileSync } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliDecompressSync, createBrotliDecompress } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';
import { packageRoot } from '../../../specs/src/index.ts';

export type { Browser, Page } from 'playwright-core';

/**
 * Opens a headless Chromium: `CHROMIUM_PATH`, else the one in the dependencies (Linux on x64), else the installed Chrome.
 * The caller must close it.
 */
export async function openBrowser(): Promise<Browser> {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH !== undefined) return chromium.launch({ executablePath: CHROMIUM_PATH, chromiumSandbox: false });
  if (process.platform !== 'linux' || process.arch !== 'x64') return chromium.launch({ channel: 'chrome' });
  const folder = await unpackChromium();
  const env = { ...process.env, LD_LIBRARY_PATH: join(folder, 'lib') };
  return chromium.launch({ executablePath: join(folder, 'chromium'), chromiumSandbox: false, env });
}

/** Unpacks the browser in the dependencies once; other processes wait for the process that unpacks it. */
async function unpackChromium(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const source = join(dirname(dirname(entry)), 'bin');
  const { version }: { version: string } = JSON.parse(readFileSync(join(source, '../package.json'), 'utf8'));
  const folder = join(packageRoot(), 'node_modules/.cache', `chromium-${version}`);
  const staging = `${folder}.unpacking`;
  mkdirSync(dirname(folder), { recursive: true });
  // A killed process leaves its staging folder behind, so stop waiting after a minute.
  for (let seconds = 0; !existsSync(folder); seconds += 1) {
    const isFirst = await mkdir(staging).then(
      () => true,
      () => seconds >= 60,
    );
    if (isFirst) {
      const target = createWriteStream(join(staging, 'chromium'), { mode: 0o755 });
      await pipeline(createReadStream(join(source, 'chromium.br')), createBrotliDecompress(), target);
      const input = brotliDecompressSync(readFileSync(join(source, 'al2023.tar.br')));
      execFileSync('tar', ['-x', '-C', staging, '--no-same-owner'], { input });
      await rename(staging, folder).catch(() => rmSync(staging, { recursive: true, force: true }));
    } else await pause(1_000);
  }
  return folder;
}
