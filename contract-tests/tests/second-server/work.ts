import { attemptAlternate, convertInput, convertOutput } from './alternates.ts';
import type { Input } from './input.ts';
import type { Model } from './models.ts';
import { type Attempt, attempt, durationOf } from './provider.ts';
import type { World } from './world.ts';

// One dispatched generation. It goes on whether or not somebody still waits for it.

export type RunOptions = {
  readonly provider: string | undefined;
  readonly strict: boolean;
  readonly fallback: string | undefined;
};

export type Result = { readonly attempt: Attempt; readonly fallback?: string; readonly dropped: readonly string[] };

export type Work = { readonly done: Promise<Result>; settled: Result | undefined };

type Assignment = {
  readonly model: Model;
  readonly input: Input;
  readonly scope: string;
  readonly via: 'run' | 'queue';
};

export const plain: RunOptions = { provider: undefined, strict: false, fallback: undefined };

export function startWork(world: World, assignment: Assignment, options: RunOptions, ended: () => void): Work {
  world.ledger.dispatched.push({ model: assignment.model.id, workspace: assignment.scope, via: assignment.via });
  const work: { done: Promise<Result>; settled: Result | undefined } = {
    settled: undefined,
    done: perform(world, assignment, options).then((result) => {
      work.settled = result;
      bill(world, assignment, result);
      ended();
      return result;
    }),
  };
  return work;
}

async function perform(world: World, { model, input }: Assignment, options: RunOptions): Promise<Result> {
  await world.clock.wait(durationOf(model, input));
  const first = serve(world, model, input, options.provider, options.strict);
  const { fallback } = options;
  if (first.attempt.kind === 'output' || fallback === undefined || options.strict) return first;
  // A fault of the request would be one at every provider.
  if (first.attempt.blame === 'request' && !world.bugs.has('run-fallback-on-refusal')) return first;
  await world.clock.wait(10);
  const second = serve(world, model, input, fallback === model.provider ? undefined : fallback, false);
  return second.attempt.kind === 'output' ? { ...second, fallback } : first;
}

function serve(world: World, model: Model, input: Input, provider: string | undefined, strict: boolean): Result {
  if (provider === undefined) return { attempt: attempt(model, input), dropped: [] };
  if (strict) return { attempt: attemptAlternate(model, input), dropped: [] };
  const converted = convertInput(provider, input);
  const made = attemptAlternate(model, converted.input);
  return { attempt: convertOutput(made, input, world.log), dropped: converted.dropped };
}

function bill(world: World, { model, scope }: Assignment, { attempt: made }: Result): void {
  const refused = made.kind === 'failure' && made.errorType === 'content_policy_violation';
  if (made.kind === 'output' || (refused && model.chargesOnRefusal === 'yes')) {
    world.ledger.billed.push({ model: model.id, workspace: scope, cents: model.priceCents });
  }
}
