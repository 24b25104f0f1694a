import type { Attempt, Sent } from './attempts.ts';
import type { Model } from './models.ts';
import { attempt, attemptAlternate, convertInput, convertOutput, estimateMs } from './providers.ts';
import type { Site } from './site.ts';

// One dispatched generation. It goes on whether or not somebody still waits for it.

export type RunOptions = {
  readonly provider: string | undefined;
  readonly strict: boolean;
  readonly fallback: string | undefined;
};

export type Result = { readonly attempt: Attempt; readonly fallback?: string; readonly dropped: readonly string[] };

export type Work = { readonly done: Promise<Result>; settled: Result | undefined };

export type Assignment = {
  readonly model: Model;
  readonly sent: Sent;
  readonly scope: string;
  readonly via: 'run' | 'queue';
};

export const plain: RunOptions = { provider: undefined, strict: false, fallback: undefined };

export function startWork(site: Site, assignment: Assignment, options: RunOptions): Work {
  site.ledger.dispatched.push({ model: assignment.model.id, workspace: assignment.scope, via: assignment.via });
  const work: { done: Promise<Result>; settled: Result | undefined } = {
    settled: undefined,
    done: perform(site, assignment, options).then((result) => {
      work.settled = result;
      bill(site, assignment, result);
      return result;
    }),
  };
  return work;
}

async function perform(site: Site, assignment: Assignment, options: RunOptions): Promise<Result> {
  const { model, sent, via } = assignment;
  const pause = () => site.clock.wait(estimateMs(model, sent.input, via));
  await pause();
  const first = serve(site, model, sent, options.provider, options.strict);
  const { fallback } = options;
  if (first.attempt.kind === 'output' || fallback === undefined || options.strict) return first;
  // A fault of the request would be one at every provider.
  const { blame } = first.attempt;
  if (blame === 'nobody' || (blame === 'request' && !site.bugs.has('run-fallback-on-refusal'))) return first;
  await pause();
  const second = serve(site, model, sent, fallback === model.provider ? undefined : fallback, false);
  return second.attempt.kind === 'output' ? { ...second, fallback } : first;
}

function serve(site: Site, model: Model, sent: Sent, provider: string | undefined, strict: boolean): Result {
  if (provider === undefined) return { attempt: attempt(site, model, sent), dropped: [] };
  if (strict) return { attempt: attemptAlternate(site, model, sent), dropped: [] };
  const converted = convertInput(model, provider, sent.input);
  const made = attemptAlternate(site, model, converted.sent);
  return { attempt: convertOutput(site, model, made, sent.input), dropped: converted.dropped };
}

function bill(site: Site, { model, scope }: Assignment, { attempt: made }: Result): void {
  const refused = made.kind === 'failure' && made.errorType === 'content_policy_violation';
  if (made.kind === 'output' || (refused && model.chargesOnRefusal === 'yes')) {
    site.ledger.billed.push({ model: model.id, workspace: scope, cents: model.priceCents });
  }
}
