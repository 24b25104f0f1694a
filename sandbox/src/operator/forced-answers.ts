import type { JsonObject } from '../../../specs/src/index.ts';
import type { Answer } from '../answer.ts';

type Api = 'model-router' | 'workflow-execution';
type Addressed = { api: Api; operation: string };

/** An answer that the operator puts in the place of the next ones. */
export type ForcedAnswer = {
  /** An operation's id, or `*` for every one of the API. */
  operation: string;
  api: Api | 'both';
  times: number;
  /** `after`: the call does its work, and what it came to is lost on the way. */
  stage: 'before' | 'after';
  answer: Answer;
  /** As the operator wrote it. */
  wish: JsonObject;
};
export type ForcedAnswers = {
  force(answer: ForcedAnswer): void;
  /** Uses one up; the first forced is the first taken. */
  take(route: Addressed): ForcedAnswer | undefined;
  pending(): readonly ForcedAnswer[];
  clear(): void;
};

export function createForcedAnswers(): ForcedAnswers {
  let pending: readonly ForcedAnswer[] = [];
  return {
    force: (answer) => {
      pending = [...pending, answer];
    },
    take: (route) => {
      const found = pending.find((forced) => concerns(forced, route));
      if (found === undefined) return undefined;
      pending = pending.flatMap((forced) => (forced === found ? usedOnce(forced) : [forced]));
      return found;
    },
    pending: () => pending,
    clear: () => {
      pending = [];
    },
  };
}

function concerns({ api, operation }: ForcedAnswer, route: Addressed): boolean {
  if (api !== 'both' && api !== route.api) return false;
  return operation === '*' || operation === route.operation;
}

function usedOnce(forced: ForcedAnswer): ForcedAnswer[] {
  return forced.times > 1 ? [{ ...forced, times: forced.times - 1 }] : [];
}

/** What the operator forces on this route, or else what its handler answers. */
export async function answerUnlessForced(
  forced: ForcedAnswers,
  route: Addressed,
  handle: () => Answer | Promise<Answer>,
): Promise<Answer> {
  const taken = forced.take(route);
  if (taken === undefined) return handle();
  if (taken.stage === 'after') await handle();
  return taken.answer;
}
