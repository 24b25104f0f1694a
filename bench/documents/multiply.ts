import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type BenchDocument, makeDocument } from './document.ts';

/** `count` documents: the given ones repeated under other ids. */
export function multiply(documents: readonly BenchDocument[], count: number): BenchDocument[] {
  return Array.from({ length: count }, (_, index) => {
    const base = documents[index % documents.length];
    if (base === undefined) throw new Error('there is nothing to multiply');
    const round = Math.floor(index / documents.length);
    if (round === 0) return base;
    const id = `${base.id}-x${round}`;
    const text = Buffer.from(base.bytes).toString().replaceAll(`/v2/models/${base.id}`, `/v2/models/${id}`);
    return makeDocument(id, base.billing, JSON.parse(text));
  });
}

/** A folder in catalog form. */
export async function writeDocuments(documents: readonly BenchDocument[], folder: string): Promise<void> {
  for (const { id, bytes } of documents) {
    const path = join(folder, 'models', ...id.split('/'), 'openapi.json');
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  }
  const entries = documents.map(({ id, billing }) => {
    const [provider, model] = id.split('/');
    return { id, provider, model, billing: { charges_on_policy_rejection: billing } };
  });
  await writeFile(join(folder, 'catalog.json'), JSON.stringify(entries));
}
