import { beforeEach, describe, expect, test } from 'vitest';
import { folderForTest, runCommand, serveForTest } from '../tests/run-command.ts';

let folder = '';
beforeEach(() => {
  folder = folderForTest();
});

/** Serves a catalog with these pages of entries, but no documents. */
async function generateFrom(pages: readonly (readonly unknown[])[], more: readonly string[] = []) {
  const url = await serveForTest((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://local');
    const number = Number(searchParams.get('cursor') ?? 0);
    const hasMore = number + 1 < pages.length;
    const page = { data: pages[number], has_more: hasMore, ...(hasMore ? { next_cursor: String(number + 1) } : {}) };
    const isPage = pathname === '/v2/models';
    response.writeHead(isPage ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isPage ? page : { detail: 'none', error_type: 'model_not_found' }));
  });
  const before = process.memoryUsage().rss;
  const words = ['generate', '--router-url', url, ...more];
  const result = await runCommand(words, folder, { SWITCHYARD_API_KEY: 'sk-test' });
  const grown = Math.round((process.memoryUsage().rss - before) / 2 ** 20);
  return { ...result, console: result.out.length + result.err.length, grown };
}

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const good = (index: number) => ({ id: `p/m${index}`, billing: { charges_on_policy_rejection: 'no' } });

describe('malformed entries of a catalog', () => {
  test('shortens malformed catalog entries with long ids', async () => {
    const pages = many(8, (number) => [{ id: 'x'.repeat(2_000_000) }, good(number)]);
    const result = await generateFrom(pages);
    process.stdout.write(`long ids: ${result.console} characters printed, ${result.grown} MB more\n`);
    expect(result.code).toBe(3); // No document of the catalog can be read.
    expect(result.out).toContain('error  catalog-entry-malformed  (8)');
    expect(Math.max(...result.out.split('\n').map((line) => line.length))).toBeLessThan(400);
    expect(result.grown).toBeLessThan(400);
  });

  test('counts more than two hundred malformed catalog entries, and limits those in the report', async () => {
    const pages = many(10, (number) => [...many(600, (at) => good(1_000 * number + at)), ...many(400, () => 0)]);
    const result = await generateFrom(pages, ['--only', 'p/m1']);
    expect(result.code).toBe(0);
    expect(result.out).toContain('error  catalog-entry-malformed  (100)');
    expect(result.out).toContain('3900 more diagnostics of severity error are not listed');
    expect(result.out.match(/has no id/g)?.length).toBeLessThanOrEqual(200);
  });

  test.each([
    ['most of the first thousand', [many(1_000, (at) => (at % 3 === 0 ? good(at) : { id: at }))]],
    ['on many pages', many(100, () => many(10, () => ({ id: `${'y'.repeat(1_000)}/` })))],
    ['millions of entries', [many(2_000_000, () => 0)]],
  ])('generate fails for a catalog whose entries are mostly malformed: %s', async (_, pages) => {
    const result = await generateFrom(pages);
    expect(result.code).toBe(3);
    expect(result.out).toBe('');
    const [line = ''] = result.err.trim().split('\n').slice(-1);
    expect(line).toMatch(/most entries of the catalog are malformed: entry \d of page 1/);
    expect(line.length).toBeLessThan(800);
  });

  test('generate fails for a catalog with too many models, even if the last page exceeds the limit', async () => {
    const result = await generateFrom([many(200_001, (at) => ({ id: `p/${at}` }))]);
    expect(result).toMatchObject({ code: 3, err: expect.stringContaining('200001 models') });
  });
});
