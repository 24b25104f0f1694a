import { type JsonValue, resolvePointer } from '../../../../specs/src/index.ts';
import type { Answer } from '../../contract/answer.ts';
import type { ProbeContext } from '../../contract/context.ts';
import { readMember, type StepResponse } from '../../contract/evidence.ts';
import { encodeText } from '../../contract/requests.ts';
import { type FreeContext, scenario } from '../../contract/scenario.ts';

const mostPages = 40;

export function readData(page: StepResponse): readonly JsonValue[] {
  const data = readMember(page, '/data');
  return Array.isArray(data) ? data : [];
}

export function listModelIds(page: StepResponse): readonly string[] {
  return readData(page)
    .map((entry) => resolvePointer(entry, '/id'))
    .filter((id) => typeof id === 'string');
}

export function nextCursor(page: StepResponse): string | undefined {
  const cursor = readMember(page, '/next_cursor');
  return readMember(page, '/has_more') !== false && typeof cursor === 'string' && cursor !== '' ? cursor : undefined;
}

/** The page after another one; undefined where that announces none. `query` ends with `&`. */
export async function pageAfter(
  { listModels }: FreeContext,
  before: Answer | undefined,
  query: string,
): Promise<Answer | undefined> {
  const cursor = before && nextCursor(before);
  return cursor === undefined ? undefined : listModels(`?${query}cursor=${encodeText(cursor)}`);
}

/** The pages of one size, from the first to the last, or as many as are read. */
export async function walkBy(server: FreeContext, limit: number): Promise<readonly Answer[]> {
  const pages = [await server.listModels(`?limit=${limit}`)];
  while (pages.length < mostPages) {
    const next = await pageAfter(server, pages.at(-1), `limit=${limit}&`);
    if (next === undefined) break;
    pages.push(next);
  }
  return pages;
}

/** A size with which a catalog of any length fills several pages. */
export function smallSize({ discovery }: ProbeContext): number {
  return Math.min(Math.max(Math.ceil(discovery.listed.length / 4), 1), 100);
}

/** The one walk that all rules on single pages share. */
export const everyPage = scenario({}, async (server) => ({ pages: await walkBy(server, smallSize(server)) }));

/** Ids listed by a walk; undefined if it stopped before the last page. */
export function listWalkedIds(pages: readonly Answer[]): readonly string[] | undefined {
  const last = pages.at(-1);
  const isWhole = last !== undefined && last.status === 200 && readMember(last, '/has_more') === false;
  return isWhole ? pages.flatMap(listModelIds) : undefined;
}
