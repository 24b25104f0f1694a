import { expect, test } from 'vitest';
import { catalog, checkSandbox } from './sandbox-under-test.ts';

/** Creates models with different ids and copies of the same schema document. */
function manyModels(count: number, changed: (text: string, index: number) => string) {
  const original = catalog.find(({ id }) => id === 'text-provider/embed');
  if (original === undefined) throw new Error('the catalog has no text-provider/embed');
  const text = new TextDecoder().decode(original.bytes);
  return Array.from({ length: count }, (_, index) => {
    const id = `many/model-${String(index).padStart(3, '0')}`;
    return { ...original, id, bytes: new TextEncoder().encode(changed(text.replaceAll(original.id, id), index)) };
  });
}

test.each([
  { models: 'all', finds: true },
  { models: 'many/*-075', finds: true },
  { models: 'many/*-074', finds: false },
  { models: 2, finds: false },
])('a check with --models $models detects the wrong document of one model: $finds', async ({ models, finds }) => {
  const wrong = (text: string): string => text.replace(/"openapi": ?"3[^"]*"/, '"openapi":"2.0"');
  const many = manyModels(80, (text, index) => (index === 75 ? wrong(text) : text));
  const { report, ledger } = await checkSandbox({
    rules: ['passive.*'],
    models,
    options: { catalog: many },
    target: ({ hooks: _, ...deployed }) => ({ ...deployed, kind: 'live' }),
  });
  expect(ledger.dispatches).toBe(0);
  const failed = report.results.filter(({ outcome }) => outcome.kind === 'failed');
  expect(failed.length > 0).toBe(finds);
  if (finds) expect(JSON.stringify(failed)).toContain('many/model-075');
});
