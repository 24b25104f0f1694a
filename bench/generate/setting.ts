import { join } from 'node:path';
import type { BenchDocument } from '../documents/document.ts';
import { multiply, writeDocuments } from '../documents/multiply.ts';
import { type Child, startChild } from '../measure/child.ts';
import { type Program, runNode } from '../measure/process.ts';

/** What all parts of the bench share. */
export type Setting = {
  documents: readonly BenchDocument[];
  folder: string;
  /** Runs the product's command. */
  entry: string;
  runs: number;
};
/** A catalog of a given size and the router that serves it. */
export type Served = { documents: readonly BenchDocument[]; folder: string; url: string; cache: string; server: Child };

export async function serve({ documents, folder }: Setting, count: number): Promise<Served> {
  const multiplied = multiply(documents, count);
  const catalog = join(folder, `catalog-${count}`);
  await writeDocuments(multiplied, catalog);
  const server = await startChild(join(import.meta.dirname, 'serve-catalog.ts'), [catalog]);
  return {
    documents: multiplied,
    folder: catalog,
    url: `http://127.0.0.1:${server.said}`,
    cache: join(folder, `cache-${count}`),
    server,
  };
}

/** A run of `generate` on a served catalog. */
export function generateProgram(
  { entry, folder }: Setting,
  served: Served,
  out: string,
  extra: string[] = [],
): Program {
  return {
    args: [
      ...[entry, 'generate', '--router-url', served.url, '--scope', '@switchyard'],
      ...['--out', out, '--cache', served.cache, ...extra],
    ],
    cwd: folder,
    env: { SWITCHYARD_API_KEY: 'sk-sandbox-bench' },
  };
}

export async function fillCache(setting: Setting, served: Served): Promise<void> {
  await runNode(generateProgram(setting, served, join(setting.folder, 'filling')));
}
