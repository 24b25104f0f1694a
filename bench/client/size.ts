import { globSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { Table } from '../report/table.ts';

const root = join(import.meta.dirname, '../..');
const generated = join(root, 'generated');
const bars = { client: 15_000, model: 1_000 };

/** Bytes of what a page has to load for a client: bundled by esbuild, minified, gzip -9. */
export async function measureSize(): Promise<Table> {
  const router = `export { createModelRouter } from '${generated}/model-router/index.js';`;
  const paths = `export { createModelRouterWithoutRetries } from '${generated}/model-router/client.js';`;
  const client = await countBytes(router);
  const rows: [string, number, string][] = [
    ['createModelRouter with all it imports', client, compareBar(client, bars.client)],
    ['the same, and the paths client with openapi-fetch', await countBytes(router + paths), ''],
    ['@fal-ai/client', await countBytes(`export { createFalClient } from '@fal-ai/client';`), ''],
    ['replicate', await countBytes(`export { default } from 'replicate';`), ''],
    ['openai', await countBytes(`export { default } from 'openai';`), ''],
    await largestModel(),
  ];
  return { title: 'Size', head: ['', 'bytes', 'bar'], rows };
}

async function largestModel(): Promise<[string, number, string]> {
  const files = globSync('*/*.js', { cwd: join(generated, 'models') }).filter((file) => !file.startsWith('valid'));
  const sizes = await Promise.all(
    files.map((file) => countBytes(`export { model } from '${generated}/models/${file}';`)),
  );
  const largest = Math.max(...sizes);
  return [`the largest of ${files.length} models, without its validator`, largest, compareBar(largest, bars.model)];
}

const compareBar = (bytes: number, bar: number): string => `≤ ${bar}: ${bytes <= bar ? 'met' : 'MISSED'}`;

async function countBytes(contents: string): Promise<number> {
  const stdin = { contents, resolveDir: join(root, 'bench') };
  // Some peers name modules of Node that a bundler of a page has to leave out.
  const options = { bundle: true, minify: true, format: 'esm', platform: 'browser', target: 'es2022' } as const;
  const { outputFiles } = await build({ stdin, ...options, external: ['node:*'], write: false, logLevel: 'error' });
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
}
