import { execFileSync } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { brotliDecompressSync, createBrotliDecompress } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';
import { packageRoot } from '../../../specs/src/index.ts';

export type { Browser, Page } from 'playwright-core';

const commands = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome.exe', 'msedge.exe'];
const otherPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
  'C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe',
];

/**
 * A headless Chromium: `CHROMIUM_PATH`, else the system's, else the one that comes with the dependencies (Linux on x64).
 * The caller closes it.
 */
export async function openBrowser(): Promise<Browser> {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH !== undefined) return launch({ executable: CHROMIUM_PATH });
  const system = systemChromium();
  if (process.platform === 'linux' && process.arch === 'x64') {
    // A command of that name may be one that only says how to install it.
    const opened = system === undefined ? undefined : await launch(system).catch(() => undefined);
    return opened ?? launch(await packagedChromium());
  }
  if (system !== undefined) return launch(system);
  throw new Error('No Chromium was found. Install Chrome or Chromium, or set CHROMIUM_PATH to its executable.');
}

async function launch({ executable, libraries }: Chromium): Promise<Browser> {
  const env = libraries === undefined ? {} : { env: { ...process.env, LD_LIBRARY_PATH: libraries } };
  return chromium.launch({ executablePath: executable, chromiumSandbox: false, ...env });
}

type Chromium = { readonly executable: string; readonly libraries?: string };

function systemChromium(): Chromium | undefined {
  const inPath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => commands.map((name) => join(folder, name)));
  const executable = [...inPath, ...otherPlaces].find((path) => existsSync(path));
  return executable === undefined ? undefined : { executable };
}

/** Unpacks the browser of the dependencies once; two processes that do so at a time do not see each other's half. */
async function packagedChromium(): Promise<Chromium> {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const source = join(dirname(dirname(entry)), 'bin');
  const { version }: { version: string } = JSON.parse(readFileSync(join(source, '../package.json'), 'utf8'));
  const cache = join(packageRoot(), 'node_modules/.cache');
  const folder = join(cache, `chromium-${version}`);
  if (!existsSync(folder)) {
    mkdirSync(cache, { recursive: true });
    const staging = mkdtempSync(join(cache, 'chromium-'));
    const target = createWriteStream(join(staging, 'chromium'), { mode: 0o755 });
    await pipeline(createReadStream(join(source, 'chromium.br')), createBrotliDecompress(), target);
    const input = brotliDecompressSync(readFileSync(join(source, 'al2023.tar.br')));
    execFileSync('tar', ['-x', '-C', staging, '--no-same-owner'], { input });
    await rename(staging, folder).catch(() => rmSync(staging, { recursive: true, force: true }));
  }
  return { executable: join(folder, 'chromium'), libraries: join(folder, 'lib') };
}
