import type { JsonObject } from '../../../../specs/src/index.ts';
import type { ServerRequest } from '../../http/messages.ts';
import { inputOf, queryOf } from './requests.ts';

/** What a run of the sandbox's outcome models was scripted to do, and with which parameters. */
export type ScriptedRun = { input: JsonObject; query: URLSearchParams };
type Picks = (run: ScriptedRun) => boolean;

/** For the `when` of a selector. */
export function scripted(...picks: readonly Picks[]): (request: ServerRequest) => boolean {
  return (request) => {
    const run = { input: inputOf(request), query: queryOf(request) };
    return picks.every((one) => one(run));
  };
}

export function hasOutcome(...outcomes: readonly string[]): Picks {
  return ({ input }) => outcomes.includes(String(input['outcome']));
}

/** Any value of this member of the input, or this value. */
export function hasInput(member: string, value?: string): Picks {
  return ({ input }) => (value === undefined ? input[member] !== undefined : input[member] === value);
}
