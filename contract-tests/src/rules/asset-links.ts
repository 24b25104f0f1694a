import type { Answer } from '../contract/answer.ts';
import { type Finding, finding } from '../contract/finding.ts';
import type { ScenarioContext } from '../contract/scenario.ts';
import * as expect from './expect.ts';

/** A link of a response, and what opening it gave; undefined when the response has no such link. */
export type OpenedLink = { readonly from: Answer; readonly pointer: string; readonly opened: Answer | undefined };

/** Opens a link without a credential: its signature is enough. */
export async function openLink({ follow }: ScenarioContext, from: Answer, pointer: string): Promise<OpenedLink> {
  return { from, pointer, opened: await follow(from, pointer, { credentials: [] }) };
}

const expectAsset = expect.status(200, ({ body, step }) =>
  body.length > 0 ? [] : [finding('body-unexpected', { step }, 'the asset', 'no bytes')],
);

/** A link to another host was tried on the target, which may be behind a proxy; a refusal there shows nothing. */
export function isElsewhere({ opened }: OpenedLink): boolean {
  return opened?.exchange.rebasedFrom !== undefined && opened.status !== 200;
}

export function expectOpen(link: OpenedLink): readonly Finding[] {
  const { from, pointer, opened } = link;
  if (opened === undefined) return expect.wrongAt(from.step, pointer, 'a link to open', 'none');
  return isElsewhere(link) ? [] : expect.on(opened, expectAsset);
}
