import { type JsonValue, resolvePointer } from '../../../../specs/src/index.ts';
import type { ProbeContext } from '../../contract/context.ts';
import { readMember, readResponse, type StepResponse, wasAnswered } from '../../contract/evidence.ts';
import type { Evidence, Probe, ProbeRequest, Step } from '../../contract/probe.ts';
import * as send from '../builders/send.ts';

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

/** The page after that of an earlier step; left out when that announced none. */
export function pageAfter(before: string, name: string, query: string): Step {
  return send.step(name, (earlier): ProbeRequest | undefined => {
    const cursor = wasAnswered(earlier, before) ? nextCursor(readResponse(earlier, before)) : undefined;
    return cursor === undefined
      ? undefined
      : send.get('router', `/v2/models?${query}cursor=${send.encodeText(cursor)}`);
  });
}

function namePages(walk: string): readonly string[] {
  return Array.from({ length: mostPages }, (_, index) => `${walk}-${index + 1}`);
}

export const pageNames = namePages('page');

/** A walk in pages of one size. `isWanted` decides before its first page. */
export function walkBy(walk: string, limit: number, isWanted: (earlier: Evidence) => boolean = () => true): Probe {
  return namePages(walk).map((name, index) => {
    if (index > 0) return pageAfter(`${walk}-${index}`, name, `limit=${limit}&`);
    const { request, ...first } = send.list(name, `?limit=${limit}`);
    return { ...first, request: (earlier) => (isWanted(earlier) ? request(earlier) : undefined) };
  });
}

/** A size with which a catalog of any length fills several pages. */
export function smallSize({ discovery }: ProbeContext): number {
  return Math.min(Math.max(Math.ceil(discovery.listed.length / 4), 1), 100);
}

/** The one walk that all rules on single pages share. */
export function everyPage(context: ProbeContext): Probe {
  return walkBy('page', smallSize(context));
}

export function listPages(evidence: Evidence, walk = 'page'): readonly StepResponse[] {
  return namePages(walk)
    .filter((name) => wasAnswered(evidence, name))
    .map((name) => readResponse(evidence, name));
}

/** What a walk showed; undefined when it was not made, or broke off before the last page. */
export function listWalkedIds(evidence: Evidence, walk: string): readonly string[] | undefined {
  const pages = listPages(evidence, walk);
  const last = pages.at(-1);
  const isWhole = last !== undefined && last.status === 200 && readMember(last, '/has_more') === false;
  return isWhole ? pages.flatMap(listModelIds) : undefined;
}
