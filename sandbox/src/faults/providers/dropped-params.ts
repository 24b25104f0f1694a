import { type AnswerChange, headerOf, withHeader } from '../making/answer-rewrite.ts';

/** Changes the sentences on dropped fields where there are any; undefined leaves the header out. */
export function droppedParams(change: (sentences: readonly string[]) => string | undefined): AnswerChange {
  return (answer, { context }) => {
    const name = headerOf({ branded: 'Router-Dropped-Params' }, context);
    const value = answer.headers.get(name);
    if (value === null) return answer;
    const sentences: readonly string[] = JSON.parse(value);
    const changed = change(sentences);
    if (changed !== undefined) return withHeader(answer, name, changed);
    const headers = new Headers(answer.headers);
    headers.delete(name);
    return { ...answer, headers };
  };
}
